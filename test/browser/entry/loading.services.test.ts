/**
 * Loading scripts: once, from the right URL, and again after a failure.
 *
 * @module-tag thorough
 */

import { createHash } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectToChromium, hasChromium } from '../../support/chromium.ts';
import { skipWithout } from '../../support/skip.ts';
import { gatewayScript, type Outcome, type Site, startSite } from './site.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/entry/loading.services.test.ts',
);

type Options = Partial<Parameters<typeof sdk.loadGateway>[0]>;

/** Loads the gateway in a page, and returns the outcome. */
function load(page: Page, site: Site, options: Options = {}): Promise<Outcome> {
  return page.evaluate(
    async (given): Promise<Outcome> => {
      try {
        await sdk.loadGateway(given);
        return { value: 'loaded' };
      } catch (error) {
        const isBrowserError = error instanceof sdk.BrowserError;
        return isBrowserError
          ? { isBrowserError, code: error.code, message: error.message }
          : { isBrowserError };
      }
    },
    { baseUrl: site.url, apiKey: 'pk_1', environment: 'sandbox', ...options },
  );
}

const loaded = { value: 'loaded' };

describe.skipIf(isSkipped)(`a script of the service${why}`, { timeout: 30_000 }, () => {
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

  it('is loaded once for any number of calls and copies', async () => {
    const page = await site.open();
    await page.evaluate(async (baseUrl) => {
      const options = { baseUrl, apiKey: 'pk_1', environment: 'sandbox' };
      const all = [sdk, sdk, otherCopy].map(({ loadGateway }) => loadGateway(options));
      await Promise.all(all);
      await otherCopy.loadGateway({ ...options, baseUrl: `${baseUrl}/` });
    }, site.url);
    expect(site.count('/js/Gateway.js')).toBe(1);
    expect(await page.locator('script[src$="Gateway.js"]').count()).toBe(1);
  });

  it.each([
    ['loaded already', '<script src="/js/Gateway.js"></script>'],
    ['loading still', '<script src="/js/Gateway.js" async></script>'],
  ])('is not loaded again if the page has its element, %s', async (_what, head) => {
    // The script's notes are written before the entry exists.
    const page = await site.open({ head: `<script src="/notes.js"></script>${head}` });
    expect(await load(page, site)).toEqual(loaded);
    expect(site.count('/js/Gateway.js')).toBe(1);
  });

  it('is loaded once per URL, each with its own global', async () => {
    const other = await startSite(browser);
    site.serve('/js/Gateway.js', `globalThis.Gateway = { create: () => notes.push('mine') };`);
    other.serve('/js/Gateway.js', `globalThis.Gateway = { create: () => notes.push('other') };`);
    const page = await site.open();
    for (const { url } of [site, other, site]) await load(page, site, { baseUrl: url });
    expect(await page.evaluate(() => notes)).toEqual(['mine', 'other', 'mine']);
  });

  it('is loaded from a base URL with a path', async () => {
    site.serve('/pay/js/Gateway.js', gatewayScript);
    expect(await load(await site.open(), site, { baseUrl: `${site.url}/pay//` })).toEqual(loaded);
    expect(site.count('/pay/js/Gateway.js')).toBe(1);
  });

  it('is retried without a delay', async () => {
    site.serve('/js/Gateway.js', (response, count) => {
      response.statusCode = count === 1 ? 500 : 200;
      response.end(count === 1 ? '' : gatewayScript);
    });
    expect(await load(await site.open(), site)).toEqual(loaded);
    expect(site.count('/js/Gateway.js')).toBe(2);
  });

  it('leaves nothing behind after a failure, so a later call retries', async () => {
    site.serve('/js/Gateway.js', (response) => response.writeHead(500).end());
    const page = await site.open();
    const failed = await load(page, site, { maxRetries: 0 });
    expect(failed).toMatchObject({ isBrowserError: true, code: 'load_failed' });
    expect(failed.message).toContain(`${site.url}/js/Gateway.js`);
    expect(await page.locator('script[src$="Gateway.js"]').count()).toBe(0);
    site.serve('/js/Gateway.js', gatewayScript);
    expect(await load(page, site)).toEqual(loaded);
  });

  it('times out', async () => {
    site.serve('/js/Gateway.js', () => {});
    const page = await site.open();
    expect(await load(page, site, { timeout: 30 })).toMatchObject({ isBrowserError: true, code: 'timeout' });
    expect(await page.locator('script[src$="Gateway.js"]').count()).toBe(0);
  });

  it('fails if it defines no global', async () => {
    site.serve('/js/Gateway.js', 'globalThis.Gateway = {};');
    const outcome = await load(await site.open(), site);
    expect(outcome).toMatchObject({ code: 'load_failed' });
    expect(outcome.message).toContain('to define Gateway.create');
  });

  it.each([
    ['timeout', 0, 'an integer from 1', 'a value of type number'],
    ['timeout', 1.5, 'an integer from 1', 'a value of type number'],
    ['timeout', 2 ** 31, 'an integer from 1', 'a value of type number'],
    ['timeout', null, 'an integer from 1', 'a value of type object'],
    ['maxRetries', -1, 'an integer from 0', 'a value of type number'],
    ['maxRetries', '1', 'an integer from 0', 'a value of type string'],
    ['nonce', 7, 'a string', 'a value of type number'],
    ['integrity', null, 'a string', 'a value of type object'],
    ['apiKey', '', '', 'an empty string'],
    ['apiKey', null, '', 'a value of type object'],
    ['baseUrl', 7, '', 'a value of type number'],
    ['apikey', 'pk_1', 'one of baseUrl, apiKey, environment, nonce', 'another name'],
  ])('is not requested with %s: %j', async (name, value, expected, got) => {
    const page = await site.open();
    const options: Options = JSON.parse(JSON.stringify({ [name]: value }));
    const { code, message = '' } = await load(page, site, options);
    expect(code).toBe('invalid_option');
    expect(message).toContain(`loadGateway.${name}: expected ${expected}`);
    expect(message).toMatch(new RegExp(`, got ${got}\\. Correct it: nothing was loaded or sent\\.$`));
    expect(site.count('/js/Gateway.js')).toBe(0);
  });

  it('has the nonce of a strict policy', async () => {
    const csp = "default-src 'none'; script-src 'self' 'nonce-abc'";
    const elsewhere = await startSite(browser);
    elsewhere.serve('/js/Gateway.js', gatewayScript);
    const page = await site.open({ csp });
    const { url: baseUrl } = elsewhere;
    expect(await load(page, site, { baseUrl })).toMatchObject({ code: 'load_failed' });
    expect(await load(page, site, { baseUrl, nonce: 'abc' })).toEqual(loaded);
  });

  it('must match the given hash', async () => {
    const elsewhere = await startSite(browser);
    elsewhere.serve('/js/Gateway.js', gatewayScript);
    const { url: baseUrl } = elsewhere;
    const page = await site.open();
    const hash = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`;
    expect(await load(page, site, { baseUrl, integrity: hash('other') })).toMatchObject({
      code: 'load_failed',
    });
    expect(await load(page, site, { baseUrl, integrity: hash(gatewayScript) })).toEqual(loaded);
  });

  it('satisfies Trusted Types only by its own policy', async () => {
    const enforced = "require-trusted-types-for 'script'; trusted-types";
    const allowed = await site.open({ csp: `${enforced} payments-client` });
    expect(await load(allowed, site)).toEqual(loaded);
    const other = await allowed.evaluate(async (baseUrl) => {
      // The other copy may not create the policy again.
      document.querySelector('script[src$="Gateway.js"]')?.remove();
      await otherCopy.loadGateway({ baseUrl, apiKey: 'pk_1', environment: 'sandbox' });
      return 'loaded';
    }, site.url);
    expect(other).toBe('loaded');
    const forbidden = await site.open({ csp: `${enforced} 'none'` });
    const refused = await load(forbidden, site);
    expect(refused).toMatchObject({ isBrowserError: true, code: 'load_failed' });
    expect(refused.message).toContain('payments-client');
  });
});
