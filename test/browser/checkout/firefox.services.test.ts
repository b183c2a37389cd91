/**
 * The hosted checkout in Firefox.
 *
 * @module-tag thorough
 */

import { testCards } from 'payments-client/sandbox';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { violationsOf } from '../../support/axe.ts';
import { hasFirefox, launchFirefox } from '../../support/firefox.ts';
import { skipWithout } from '../../support/skip.ts';
import { buyer, card, everything, startSession, widths } from './support.ts';

const { isSkipped, why } = skipWithout(
  hasFirefox(),
  'firefox',
  'test/browser/checkout/firefox.services.test.ts',
);

/** The preference for `prefers-color-scheme`. */
const scheme = 'layout.css.prefers-color-scheme.content-override';

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    await page.focus(`#${name}`);
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type(value);
  }
}

const inputOf = (page: Page, name: string) =>
  page.$eval(`#${name}`, (control) => (control instanceof HTMLInputElement ? control.value : ''));

/** Clicks, and waits for the next page. */
async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

describe.skipIf(isSkipped)(`the hosted checkout in Firefox${why}`, { timeout: 60_000 }, () => {
  describe.each([
    ['light', { [scheme]: 1 }],
    ['dark', { [scheme]: 0 }],
  ])('%s', (name, preferences) => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchFirefox(preferences);
    }, 60_000);
    afterAll(() => browser?.close());

    async function open(fields?: Parameters<typeof startSession>[0], size: keyof typeof widths = 'laptop') {
      const started = await startSession(fields);
      const context = await browser.createBrowserContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.setViewport(widths[size]);
      await page.goto(started.sandbox.checkoutUrl(started.session.id));
      return { ...started, page };
    }

    it.each(['phone', 'laptop', 'desktop'] as const)(
      'is paid on a %s, without accessibility violations',
      async (size) => {
        const { page, shop } = await open({ mode: 'subscription' }, size);
        const isAsked = await page.evaluate(
          (one) => matchMedia(`(prefers-color-scheme: ${one})`).matches,
          name,
        );
        expect(isAsked).toBe(true);
        expect(await violationsOf(page)).toEqual([]);
        await page.click('form > button');
        expect(await page.$eval(':focus', ({ id }) => id)).toBe('name');
        expect(await violationsOf(page)).toEqual([]);
        await fill(page, { ...buyer, ...card, ccnumber: testCards.challengeRequired.number });
        await press(page, 'form > button');
        expect(await violationsOf(page)).toEqual([]);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        ).toBeLessThanOrEqual(0);
        await press(page, 'button[value="failed"]');
        await page.waitForSelector('[role="alert"]');
        await fill(page, card);
        await press(page, 'form > button');
        expect(page.url()).toBe(`${shop}/thanks`);
      },
    );

    it('groups a card number, and keeps the caret during corrections', async () => {
      const { page } = await open();
      await fill(page, { ccnumber: '378282246310005', ccexp: '130', cvv: '123' });
      expect(await inputOf(page, 'ccnumber')).toBe('3782 822463 10005');
      expect(await page.$eval('#brand', (brand) => brand.textContent)).toBe('American Express');
      await page.focus('#name');
      expect(await inputOf(page, 'ccexp')).toBe('01/30');
      expect(await page.$eval('#cvv', (code) => code.ariaInvalid)).toBe('true');
      await page.focus('#ccnumber');
      await page.keyboard.press('Home');
      for (let presses = 0; presses < 6; presses += 1) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Backspace');
      await page.keyboard.type('9');
      expect(await inputOf(page, 'ccnumber')).toBe('3782 922463 10005');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Backspace');
      expect(await inputOf(page, 'ccnumber')).toBe('3789 224631 0005');
    });

    it('shows the fields that a country requires', async () => {
      const { page } = await open({ collect_config: everything }, 'tablet');
      await page.select('#billing_country', 'DE');
      expect(
        await page.$eval('label[for="billing_state"] .optional', (mark) => mark.hasAttribute('hidden')),
      ).toBe(false);
      expect(await violationsOf(page)).toEqual([]);
    });

    it('can be paid without its script', async () => {
      const { page, sandbox, session, shop } = await open();
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        void (request.url().endsWith('.js') ? request.abort() : request.continue());
      });
      await page.goto(sandbox.checkoutUrl(session.id));
      await fill(page, { ...buyer, ...card, ccnumber: testCards.challengeRequired.number });
      await press(page, 'form > button');
      expect(await page.$eval('h1', ({ textContent }) => textContent)).toBe('Your bank asks you to confirm');
      await press(page, 'button[value="passed"]');
      expect(page.url()).toBe(`${shop}/thanks`);
    });
  });
});
