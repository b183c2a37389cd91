/**
 * The hosted checkout in each language, and on each screen.
 *
 * @module-tag thorough
 */

import { testCards } from 'payments-client/sandbox';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsOf } from '../../support/axe.ts';
import { hasChromium } from '../../support/chromium.ts';
import { skipWithout } from '../../support/skip.ts';
import { buyer, card, everything, fill, startSession, useChromium, widths } from './support.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/checkout/languages.services.test.ts',
);

const address = {
  phone: '+1 202 555 0100',
  billing_line1: '1 Tea Street',
  billing_city: 'Springfield',
  billing_postal_code: '62701',
};

const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe.skipIf(isSkipped)(`the hosted checkout${why}`, { timeout: 30_000 }, () => {
  const openPage = useChromium();

  it.each([
    ['en', 'light', 'desktop'],
    ['de', 'dark', 'phone'],
    ['fr', 'light', 'tablet'],
    ['es', 'dark', 'laptop'],
    ['ja', 'light', 'phone'],
    ['ar', 'dark', 'phone'],
    ['ar', 'light', 'desktop'],
  ] as const)(
    'is paid in %s, %s, on a %s, without accessibility violations',
    async (locale, colorScheme, size) => {
      const { sandbox, session, shop } = await startSession({
        locale,
        mode: 'subscription',
        collect_config: everything,
      });
      const page = await openPage(sandbox.checkoutUrl(session.id), { colorScheme, viewport: widths[size] });
      expect(await violationsOf(page)).toEqual([]);
      await page.locator('form > button').click();
      expect(await page.locator(':focus').getAttribute('name')).toBe('name');
      expect(await violationsOf(page)).toEqual([]);
      await fill(page, { ...buyer, ...address, ...card, ccnumber: testCards.challengeRequired.number });
      await page.locator('#billing_country').selectOption('US');
      await page.locator('#billing_state').fill('IL');
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.locator('form > button').click();
      await page.locator('[name="challenge"]').waitFor({ state: 'attached' });
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.locator('button[value="passed"]').click();
      await page.waitForURL(`${shop}/thanks`);
      await page.goto(sandbox.checkoutUrl(session.id));
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale);
    },
  );

  it('is right-to-left in Arabic, except digits and e-mail addresses', async () => {
    const { sandbox, session } = await startSession({ locale: 'ar' });
    const page = await openPage(sandbox.checkoutUrl(session.id));
    const startOf = async (selector: string) => (await page.locator(selector).boundingBox())?.x ?? 0;
    expect(await startOf('.order')).toBeGreaterThan(await startOf('.payment'));
    for (const [name, direction] of [
      ['ccnumber', 'ltr'],
      ['ccexp', 'ltr'],
      ['cvv', 'ltr'],
      ['email', 'ltr'],
    ]) {
      const found = await page.locator(`#${name}`).evaluate((input) => getComputedStyle(input).direction);
      expect([name, found]).toEqual([name, direction]);
    }
  });

  it("uses the browser's language if the session names none", async () => {
    const { sandbox, session } = await startSession({ locale: 'auto' });
    const page = await openPage(sandbox.checkoutUrl(session.id), { locale: 'fr-CA' });
    await page.getByRole('button', { name: 'Payer' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('fr-CA');
  });

  it("shows the expiry in the buyer's time zone", async () => {
    const { sandbox, session } = await startSession({ locale: 'de', expires_at: 4_100_000_000 });
    const page = await openPage(sandbox.checkoutUrl(session.id), { timezoneId: 'Asia/Tokyo' });
    await page.getByText('4. Dezember 2099 um 01:53').waitFor();
  });

  it('collapses the order on a phone but shows the total, and expands it on a wide screen', async () => {
    const { sandbox, session } = await startSession();
    const page = await openPage(sandbox.checkoutUrl(session.id), { viewport: widths.phone });
    const line = page.locator('.order').getByText('Tea');
    expect(await line.isVisible()).toBe(false);
    await page.locator('.glance').getByText('$12.00').waitFor();
    await page.locator('.order summary').focus();
    await page.keyboard.press('Enter');
    await line.waitFor();
    await page.locator('.order summary').click();
    await page.setViewportSize(widths.laptop);
    await line.waitFor();
  });

  it('shows the order without scripts', async () => {
    const { sandbox, session } = await startSession();
    const options = { javaScriptEnabled: false, viewport: widths.phone };
    const page = await openPage(sandbox.checkoutUrl(session.id), options);
    await page.locator('.order').getByText('Tea').waitFor();
  });

  it('asks for a state only in countries that need one', async () => {
    const { sandbox, session } = await startSession({ collect_config: everything });
    const page = await openPage(sandbox.checkoutUrl(session.id));
    const isOptional = () => page.locator('label[for="billing_state"] .optional').isVisible();
    await page.locator('#billing_country').selectOption('US');
    expect(await isOptional()).toBe(false);
    await page.locator('#billing_country').selectOption('DE');
    expect(await isOptional()).toBe(true);
  });
});
