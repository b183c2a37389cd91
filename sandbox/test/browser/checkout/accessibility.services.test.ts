/**
 * Each page of the checkout in each state: no violations that axe finds, and nothing cut off or covered, on any screen.
 *
 * @module-tag thorough
 */

import { testCards } from 'payments-client-sandbox';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoFlaws, looks } from '../../../../test/browser/expect-no-flaws.ts';
import { hasChromium } from '../../../../test/support/chromium.ts';
import { pageOf } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { buyer, card, everything, fill, startSession, useChromium } from './support.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'the flaws of the checkout');

const address = {
  phone: '+1 202 555 0100',
  billing_line1: '1 Tea Street',
  billing_city: 'Springfield',
  billing_postal_code: '62701',
};

const submit = (page: Page) => page.locator('form > button').click();
const answer = (value: string) => (page: Page) => page.locator(`button[value="${value}"]`).click();

async function payWith(page: Page, number: string): Promise<void> {
  await fill(page, { ...card, ccnumber: number });
  await submit(page);
}

/** Each state of the page in order: how the buyer reaches it, and the text that it shows then. */
const states: readonly (readonly [text: string, reach: (page: Page) => Promise<void>])[] = [
  ['Same as the billing address', async () => {}],
  ['Street and number', (page) => page.getByLabel('Same as the billing address').uncheck()],
  ['Insufficient funds', (page) => page.getByText('Test cards').click()],
  ['Enter your name', submit],
  [
    'Your card was declined',
    async (page) => {
      await page.getByLabel('Same as the billing address').check();
      await fill(page, { ...buyer, ...address });
      await page.locator('#billing_country').selectOption('US');
      await page.locator('#billing_state').fill('IL');
      await payWith(page, testCards.doNotHonor.number);
    },
  ],
  ['Your bank could not verify you', (page) => payWith(page, testCards.authenticationFailed.number)],
  ['Your bank asks you to confirm', (page) => payWith(page, testCards.challengeRequired.number)],
  ['Your bank could not verify you', answer('failed')],
  ['Your bank asks you to confirm', (page) => payWith(page, testCards.challengeRequired.number)],
  ['Thanks', answer('passed')],
  ['Thank you. Your payment is complete.', async (page) => void (await page.goBack())],
];

describe.skipIf(isSkipped)(`the hosted checkout${why}`, { timeout: 300_000 }, () => {
  const openPage = useChromium();

  it.each(looks)('has no flaw at $viewport.width px, $colorScheme', async (look) => {
    const { sandbox, session, shop } = await startSession({
      mode: 'subscription',
      collect_config: { ...everything, require_shipping_address: true },
    });
    const page = await openPage(pageOf(sandbox, session.id), look);
    for (const [text, reach] of states) {
      await reach(page);
      await page.getByText(text).first().waitFor();
      if (!page.url().startsWith(shop)) await expectNoFlaws(page, text);
    }
    const expired = sandbox.add('checkout_session', { status: 'expired', cancel_url: `${shop}/cart` });
    for (const id of [expired.id, 'cs_nobody']) {
      await page.goto(pageOf(sandbox, id));
      await expectNoFlaws(page, id);
    }
    expect(sandbox.get('checkout_session', session.id)?.payment_status).toBe('paid');
  });
});
