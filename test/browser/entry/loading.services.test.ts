/**
 * Loading scripts: what only a browser decides about elements, copies of the entry, and policies.
 *
 * @module-tag thorough
 */

import { createHash } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectToChromium, hasChromium } from '../../support/chromium.ts';
import { skipWithout } from '../../support/skip.ts';
import { collectScript, gatewayScript, type Site, startSite } from './site.ts';

const file = 'test/browser/entry/loading.services.test.ts';
const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', file);

type Options = Partial<Parameters<typeof sdk.loadGateway>[0]>;

/** Loads the gateway in a page. Returns `loaded`, or the code and the message of the error. */
const load = (page: Page, site: Site, options: Options = {}): Promise<string> =>
  page.evaluate(
    (given) =>
      sdk.loadGateway(given).then(
        () => 'loaded',
        // An error of another copy is one of this copy too.
        (error) =>
          error instanceof otherCopy.BrowserError ? `${error.code}: ${error.message}` : String(error),
      ),
    { baseUrl: site.url, apiKey: 'pk_1', environment: 'sandbox', ...options },
  );

describe.skipIf(isSkipped)(`a script of the service${why}`, () => {
  let browser: Browser;
  let site: Site;

  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    site = await startSite(browser);
    site.serve('/js/Gateway.js', gatewayScript);
  });

  it('is loaded once for any number of copies, whose calls supersede each other', async () => {
    site.serve('/fields.js', collectScript);
    const page = await site.open();
    const outcomes = await page.evaluate(async (baseUrl) => {
      const options = { baseUrl, apiKey: 'pk_1', environment: 'sandbox' };
      await Promise.all([sdk, otherCopy].map(({ loadGateway }) => loadGateway(options)));
      const copies = await Promise.all(
        [sdk, otherCopy].map((one) => one.loadCardFields({ src: '/fields.js' })),
      );
      const tokens = copies.map((fields) => fields.collectToken().catch(({ code }) => code));
      dispatchEvent(new CustomEvent('card', { detail: 'tok_1' }));
      return Promise.all(tokens);
    }, site.url);
    expect(outcomes).toEqual(['superseded', 'tok_1']);
    expect([site.count('/js/Gateway.js'), site.count('/fields.js')]).toEqual([1, 1]);
    expect(await page.locator('script[src$="Gateway.js"]').count()).toBe(1);
  });

  it.each([
    ['loaded already', '<script src="/js/Gateway.js"></script>'],
    ['loading still', '<script src="/js/Gateway.js" async></script>'],
  ])('is not loaded again if the page has its element, %s', async (_what, head) => {
    const page = await site.open({ head });
    expect(await load(page, site)).toBe('loaded');
    expect(site.count('/js/Gateway.js')).toBe(1);
  });

  it('that the network fails leaves no element, and is loaded by the next call', async () => {
    site.serve('/js/Gateway.js', (response) => response.writeHead(500).end());
    const page = await site.open();
    expect(await load(page, site, { maxRetries: 0 })).toContain(
      `load_failed: Expected the script ${site.url}/js/Gateway.js`,
    );
    expect(await page.locator('script[src$="Gateway.js"]').count()).toBe(0);
    site.serve('/js/Gateway.js', gatewayScript);
    expect(await load(page, site)).toBe('loaded');
  });

  it('needs the nonce of a strict policy, and the hash that it is given', async () => {
    const elsewhere = await startSite(browser);
    elsewhere.serve('/js/Gateway.js', gatewayScript);
    const { url: baseUrl } = elsewhere;
    const strict = await site.open({ csp: "default-src 'none'; script-src 'self' 'nonce-abc'" });
    expect(await load(strict, site, { baseUrl })).toContain('load_failed');
    expect(await load(strict, site, { baseUrl, nonce: 'abc' })).toBe('loaded');
    const page = await site.open();
    const hash = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`;
    expect(await load(page, site, { baseUrl, integrity: hash('other') })).toContain('load_failed');
    expect(await load(page, site, { baseUrl, integrity: hash(gatewayScript) })).toBe('loaded');
  });

  it('satisfies Trusted Types only by its own policy, which a page must allow', async () => {
    const enforced = "require-trusted-types-for 'script'; trusted-types";
    const allowed = await site.open({ csp: `${enforced} payments-client` });
    expect(await load(allowed, site)).toBe('loaded');
    const other = await allowed.evaluate(async (baseUrl) => {
      // The other copy may not create the policy again.
      document.querySelector('script[src$="Gateway.js"]')?.remove();
      await otherCopy.loadGateway({ baseUrl, apiKey: 'pk_1', environment: 'sandbox' });
      return 'loaded';
    }, site.url);
    expect(other).toBe('loaded');
    const forbidden = await site.open({ csp: `${enforced} 'none'` });
    expect(await load(forbidden, site)).toMatch(/^load_failed: .*payments-client/);
  });
});
