/**
 * The issuer's challenge on the checkout page.
 *
 * @module-tag thorough
 */

import { testCards } from 'payments-client/sandbox';
import { describe, expect, it } from 'vitest';
import { violationsOf } from '../../support/axe.ts';
import { hasChromium } from '../../support/chromium.ts';
import { pageOf } from '../../support/sandbox.ts';
import { skipWithout } from '../../support/skip.ts';
import { buyer, card, fill, startSession, useChromium, widths } from './support.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/checkout/bank-check.services.test.ts',
);

describe.skipIf(isSkipped)(`the bank's challenge${why}`, { timeout: 30_000 }, () => {
  const openPage = useChromium();

  async function reach(options?: Parameters<typeof openPage>[1]) {
    const started = await startSession();
    const page = await openPage(pageOf(started.sandbox, started.session.id), options);
    const pay = async () => {
      await fill(page, { ...buyer, ...card, ccnumber: testCards.challengeRequired.number });
      await page.locator('form > button').click();
      await page.getByRole('heading', { name: 'Your bank asks' }).waitFor();
    };
    await pay();
    return { ...started, page, pay };
  }

  const answer = (text: string) => ({ name: text, exact: true });
  const paid = ['payment_intent.succeeded'];

  it.each([
    ['with scripts', true],
    ['without', false],
  ])('lets the buyer pay after a failed and a canceled challenge, %s', async (_what, javaScriptEnabled) => {
    const { sandbox, page, pay, shop } = await reach({ javaScriptEnabled });
    await page.getByRole('button', answer('Fail the verification')).click();
    await page.getByRole('alert').getByText('Your bank could not verify you').waitFor();
    expect(await page.locator('#email').inputValue()).toBe(buyer.email);
    await pay();
    await page.getByRole('button', answer('Cancel')).click();
    await page.getByRole('alert').getByText('You canceled').waitFor();
    expect(sandbox.events.map(({ type }) => type)).toEqual(['checkout.session.created']);
    await pay();
    await page.getByRole('button', answer('Confirm payment')).click();
    await page.waitForURL(`${shop}/thanks`);
  });

  it.each([
    ['with scripts', true],
    ['without', false],
  ])(
    'sends no form again on Reload and Back after a failed challenge, %s',
    async (_what, javaScriptEnabled) => {
      const { sandbox, page } = await reach({ javaScriptEnabled });
      await page.getByRole('button', answer('Fail the verification')).click();
      const failure = page.getByRole('alert').getByText('Your bank could not verify you');
      await failure.waitFor();
      await page.reload();
      await failure.waitFor();
      await page.goBack();
      await failure.waitFor();
      await page.goBack();
      await page.locator('#email').waitFor();
      const posts = sandbox.requests.filter(({ operation }) => operation === 'checkout.pay');
      expect(posts.map(({ status }) => status)).toEqual([303, 303]);
    },
  );

  it('can be answered with the keyboard alone', async () => {
    const { page, shop } = await reach();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Confirm payment');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${shop}/thanks`);
  });

  it('submits once on a double click', async () => {
    const { sandbox, page, shop } = await reach();
    await page.getByRole('button', answer('Confirm payment')).dblclick();
    await page.waitForURL(`${shop}/thanks`);
    expect(sandbox.events.map(({ type }) => type).filter((type) => paid.includes(type))).toEqual(paid);
    expect(sandbox.requests.filter(({ operation }) => operation === 'checkout.pay')).toHaveLength(2);
  });

  describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
    it.each(['phone', 'tablet', 'desktop'] as const)(
      'has no accessibility violations on a %s',
      async (size) => {
        const { page } = await reach({ colorScheme, viewport: widths[size] });
        expect(await violationsOf(page)).toEqual([]);
      },
    );
  });
});
