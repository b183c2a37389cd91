/**
 * The browser entry's card fields: tokens of the card-field script.
 *
 * @module-tag thorough
 */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectToChromium, hasChromium } from '../../support/chromium.ts';
import { skipWithout } from '../../support/skip.ts';
import { collectScript, type Site, startSite } from './site.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/entry/card-fields.services.test.ts',
);

declare global {
  var fields: Awaited<ReturnType<typeof sdk.loadCardFields>>;
  /** Simulates the buyer entering a card. */
  var giveCard: (detail: unknown) => void;
  var codeOf: (promise: Promise<unknown>) => Promise<unknown>;
}

describe.skipIf(isSkipped)(`the card fields${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let site: Site;

  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    site = await startSite(browser);
    site.serve('/fields.js', collectScript);
  });

  async function open(options: Partial<Parameters<typeof sdk.loadCardFields>[0]> = {}): Promise<Page> {
    const page = await site.open();
    await page.evaluate(async (options) => {
      globalThis.giveCard = (detail) => void dispatchEvent(new CustomEvent('card', { detail }));
      globalThis.codeOf = (promise) => promise.catch(({ code }) => code);
      globalThis.fields = await sdk.loadCardFields({ src: '/fields.js', ...options });
    }, options);
    return page;
  }

  it('return a token for each card, from a script with a relative URL', async () => {
    const page = await open();
    const tokens = await page.evaluate(async () => {
      const tokens: string[] = [];
      for (const token of ['tok_1', 'tok_2']) {
        const next = fields.collectToken();
        giveCard(token);
        tokens.push(await next);
      }
      return tokens;
    });
    expect(tokens).toEqual(['tok_1', 'tok_2']);
    expect(site.count('/fields.js')).toBe(1);
  });

  it('accept a token inside an object', async () => {
    const page = await open();
    const token = await page.evaluate(() => {
      const next = fields.collectToken();
      giveCard({ token: 'tok_1', card: { type: 'visa' } });
      return next;
    });
    expect(token).toBe('tok_1');
  });

  it.each([undefined, null, '', 7, {}, { token: '' }, { token: 7 }])(
    'reject %j as a token',
    async (answer) => {
      const page = await open();
      const code = await page.evaluate((answer) => {
        const next = fields.collectToken();
        giveCard(answer);
        return codeOf(next);
      }, answer);
      expect(code).toBe('script_failed');
    },
  );

  it('pass on other options of the script, but never another callback', async () => {
    const page = await open();
    const code = await page.evaluate(() => {
      const next = fields.collectToken({ config: { variant: 'inline', callback: 'mine' } });
      giveCard('tok_1');
      return codeOf(next);
    });
    expect(code).toBe('tok_1');
    expect(await page.evaluate(() => notes)).toEqual([['configure', ['variant', 'callback']]]);
  });

  it('pass the token to the newest caller, of any copy', async () => {
    const page = await open();
    const outcomes = await page.evaluate(async () => {
      const first = codeOf(fields.collectToken());
      const second = codeOf(fields.collectToken());
      const other = await otherCopy.loadCardFields({ src: '/fields.js' });
      const third = codeOf(other.collectToken());
      giveCard('tok_1');
      return Promise.all([first, second, third]);
    });
    expect(outcomes).toEqual(['superseded', 'superseded', 'tok_1']);
  });

  it('stop waiting when aborted', async () => {
    const page = await open();
    const codes = await page.evaluate(async () => [
      await codeOf(fields.collectToken({ signal: AbortSignal.abort() })),
      await codeOf(fields.collectToken({ signal: AbortSignal.timeout(5) })),
    ]);
    expect(codes).toEqual(['aborted', 'aborted']);
  });

  it('set data attributes on the element, and no others', async () => {
    const page = await open({ attributes: { 'data-tokenization-key': 'pk_1' } });
    const element = page.locator('script[src$="fields.js"]');
    expect(await element.getAttribute('data-tokenization-key')).toBe('pk_1');
    const code = await page.evaluate(() =>
      codeOf(sdk.loadCardFields({ src: '/other.js', attributes: JSON.parse('{ "onload": "alert(1)" }') })),
    );
    expect(code).toBe('invalid_option');
    expect(site.count('/other.js')).toBe(0);
  });

  it.each([
    '',
    'http://payments.example/fields.js',
    'javascript:alert(1)',
    'data:text/javascript,',
    'http://',
  ])('do not come from %j', async (src) => {
    const page = await site.open();
    const code = await page.evaluate((src) => sdk.loadCardFields({ src }).catch(({ code }) => code), src);
    expect(code).toBe('invalid_option');
  });
});
