/**
 * The React bindings in a page, in strict mode, where effects run twice.
 *
 * @module-tag thorough
 */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectToChromium, hasChromium } from '../../support/chromium.ts';
import { skipWithout } from '../../support/skip.ts';
import { bundle, collectScript, gatewayScript, type Site, startSite } from './site.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'test/browser/entry/react.test.ts');

declare global {
  var show: (props: { environment: string; src: string }) => void;
  var hide: () => void;
}

describe.skipIf(isSkipped)(`the React bindings${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let app: string;
  let site: Site;
  let page: Page;

  beforeAll(async () => {
    browser = await connectToChromium();
    app = await bundle('test/browser/entry/react-app.ts');
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    site = await startSite(browser);
    site.serve('/app.js', app);
    site.serve('/js/Gateway.js', gatewayScript);
    site.serve('/fields.js', collectScript);
    page = await site.open();
    await page.addScriptTag({ url: '/app.js', type: 'module' });
    await page.waitForFunction('globalThis.show !== undefined');
  });

  const show = (environment = 'sandbox', src = '/fields.js') =>
    page.evaluate((props) => globalThis.show(props), { environment, src });
  const status = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const configured = () =>
    page.waitForFunction(() => notes.some((note) => String(note).startsWith('configure')));
  const giveCard = (detail: string) =>
    page.evaluate((detail) => void dispatchEvent(new CustomEvent('card', { detail })), detail);
  const told = (what: string) =>
    page.evaluate((what) => notes.filter((note) => String(note).startsWith(what)), what);

  it('load the gateway when they are shown, and again when an option has another value', async () => {
    await show();
    await status('loaded sandbox');
    await page.getByRole('button').click();
    await show();
    await status('loaded sandbox');
    const before = (await told('create')).length;
    await show('live');
    await status('loaded live');
    // Twice where effects run twice; a rendering with the same options makes no client.
    expect([before, (await told('create')).length]).toEqual([2, 3]);
    expect(site.count('/js/Gateway.js')).toBe(1);
  });

  it('tell why the gateway did not load', async () => {
    site.serve('/js/Gateway.js', (response) => response.writeHead(500).end());
    await show();
    await status('load_failed');
  });

  it('tell the latest callback of each token', async () => {
    await show();
    await configured();
    await giveCard('tok_1');
    await page.getByRole('button').click();
    await page.getByRole('button', { name: '1 clicks' }).waitFor();
    await giveCard('tok_2');
    await page.waitForFunction(() => notes.filter((note) => String(note).startsWith('token')).length === 2);
    expect(await told('token')).toEqual([
      ['token', 'tok_1', 0],
      ['token', 'tok_2', 1],
    ]);
    expect(await told('error')).toEqual([]);
    expect(site.count('/fields.js')).toBe(1);
  });

  it('tell nobody of a token or an end once they are gone', async () => {
    await show();
    await configured();
    await page.evaluate(() => globalThis.hide());
    await page.locator('#card-fields').waitFor({ state: 'detached' });
    await giveCard('tok_1');
    expect([await told('token'), await told('error')]).toEqual([[], []]);
  });

  it('tell why there are no card fields', async () => {
    await show('sandbox', '/nothing.js');
    await page.waitForFunction(() => notes.some((note) => String(note).startsWith('error')));
    expect(await told('error')).toEqual([['error', 'load_failed']]);
  });
});
