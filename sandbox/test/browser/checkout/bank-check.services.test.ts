/**
 * The issuer's challenge on the checkout page.
 *
 * @module-tag thorough
 */

import { testCards } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { focusOf, tabTo } from '../../../../test/browser/tab-to.ts';
import { hasChromium } from '../../../../test/support/chromium.ts';
import { pageOf } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { buyer, card, fill, startSession, useChromium } from './support.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'the challenge of the checkout');

describe.skipIf(isSkipped)(`the bank's challenge${why}`, { timeout: 300_000 }, () => {
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
  ])(
    'lets the buyer pay after a failed and a canceled challenge, and sends no form again on Reload and Back, %s',
    async (_what, javaScriptEnabled) => {
      const { sandbox, page, pay, shop } = await reach({ javaScriptEnabled });
      await page.getByRole('button', answer('Fail the verification')).click();
      const failure = page.getByRole('alert').getByText('Your bank could not verify you');
      await failure.waitFor();
      expect(await page.locator('#email').inputValue()).toBe(buyer.email);
      await page.reload();
      await failure.waitFor();
      await page.goBack();
      await failure.waitFor();
      await page.goBack();
      await page.locator('#email').waitFor();
      const posts = () => sandbox.requests.filter(({ operation }) => operation === 'checkout.pay');
      expect(posts().map(({ status }) => status)).toEqual([303, 303]);
      await pay();
      await page.getByRole('button', answer('Cancel')).click();
      await page.getByRole('alert').getByText('You canceled').waitFor();
      expect(sandbox.events.map(({ type }) => type)).toEqual(['checkout.session.created']);
      await pay();
      await page.getByRole('button', answer('Confirm payment')).dblclick();
      await page.waitForURL(`${shop}/thanks`);
      expect(sandbox.events.map(({ type }) => type).filter((type) => paid.includes(type))).toEqual(paid);
      expect(posts()).toHaveLength(6);
    },
  );

  it('is reached and answered with the keyboard alone, also after a failure', async () => {
    const { sandbox, shop, session } = await startSession();
    const page = await openPage(pageOf(sandbox, session.id));
    const write = async (label: string, text: string) => {
      await tabTo(page, label);
      await page.keyboard.type(text);
    };
    const enterCard = async () => {
      await write('Card number', testCards.challengeRequired.number);
      await write('Expiry', '1230');
      await write('Security code', '123');
      await tabTo(page, 'Pay $12.00');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your bank asks' }).waitFor();
    };
    await write('Name', buyer.name);
    await write('E-mail', buyer.email);
    await enterCard();
    await tabTo(page, 'Fail the verification');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Your bank could not verify you').waitFor();
    expect(await focusOf(page)).toMatchObject({
      name: expect.stringContaining('Your bank could not verify you'),
    });
    await enterCard();
    await tabTo(page, 'Confirm payment');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${shop}/thanks`);
  });
});
