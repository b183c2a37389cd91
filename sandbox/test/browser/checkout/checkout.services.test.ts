/**
 * The hosted checkout in a browser.
 *
 * @module-tag thorough
 */

import { type Sandbox, type SandboxObjects, testCards } from 'payments-client-sandbox';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectToChromium, hasChromium, openPage } from '../../../../test/support/chromium.ts';
import { pageOf, startSandbox } from '../../../../test/support/sandbox.ts';
import { always } from '../../../../test/support/size.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { startShop } from './support.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/checkout/checkout.services.test.ts',
);

describe.skipIf(isSkipped)(`the hosted checkout${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let session: SandboxObjects['checkout_session'];
  let shop: string;

  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    sandbox = await startSandbox();
    shop = await startShop();
    session = sandbox.add('checkout_session', { success_url: `${shop}/thanks`, cancel_url: `${shop}/cart` });
  });

  async function open(options?: BrowserContextOptions): Promise<Page> {
    const page = await openPage(browser, options);
    await page.goto(pageOf(sandbox, session.id));
    return page;
  }

  async function type(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  }

  const buyer = { Name: 'Ada Lovelace', 'E-mail': 'ada@example.com' };
  const card = { 'Card number': testCards.fullMatch.number, Expiry: '12/30', 'Security code': '123' };
  const payButton = (page: Page) => page.getByRole('button', { name: 'Pay $12.00' });
  const typesOf = () => sandbox.events.map(({ type }) => type);

  it.each([
    ['with scripts', true],
    ['without', false],
  ])('is paid, %s', async (_what, javaScriptEnabled) => {
    const page = await open({ javaScriptEnabled });
    await type(page, { ...buyer, ...card });
    await payButton(page).click();
    await page.waitForURL(`${shop}/thanks`);
    expect(sandbox.get('checkout_session', session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
    });
    expect(typesOf()).toContain('checkout.session.completed');
  });

  it('is paid with the keyboard alone, after an announced error', always, async () => {
    const page = await open();
    const press = async (...texts: string[]) => {
      for (const text of texts) {
        await page.keyboard.type(text);
        await page.keyboard.press('Tab');
      }
    };
    await page.getByLabel('Name').focus();
    await press('Ada Lovelace', 'ada@example.com', '4111 1111 1111 1112', '1230', '123');
    await page.keyboard.press('Enter');
    const number = page.getByLabel('Card number');
    expect(await number.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await number.getAttribute('aria-describedby')).toBe('ccnumber-problem');
    await page.getByText('This card number is not valid').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await press('1');
    expect(await number.inputValue()).toBe('4111 1111 1111 1111');
    await press('1230');
    expect(await page.getByLabel('Expiry').inputValue()).toBe('12/30');
    await page.keyboard.type('123');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${shop}/thanks`);
  });

  it('shows the error summary without scripts', async () => {
    const page = await open({ javaScriptEnabled: false });
    await type(page, { ...buyer, ...card, 'Card number': '4111 1111 1111 1112' });
    await payButton(page).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    await alert.getByRole('link', { name: 'This card number is not valid' }).click();
    expect(await page.getByLabel('Card number').inputValue()).toBe('');
  });

  it('shows the decline reason, and accepts another card', async () => {
    const page = await open();
    await type(page, { ...buyer, ...card, 'Card number': testCards.insufficientFunds.number });
    await payButton(page).click();
    await page.getByRole('alert').getByText('insufficient funds').waitFor();
    expect(typesOf()).toContain('payment_intent.payment_failed');
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
    await type(page, card);
    await payButton(page).click();
    await page.waitForURL(`${shop}/thanks`);
  });

  it('fills in a test card', async () => {
    const page = await open();
    await type(page, buyer);
    await page.getByText('Test cards').click();
    await page.getByRole('button', { name: '9999 0040 0000 0022' }).click();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('insufficient funds').waitFor();
  });

  it('links back to the shop, and stays open', async () => {
    const page = await open();
    await page.getByRole('link', { name: /^Cancel/ }).click();
    await page.waitForURL(`${shop}/cart`);
    expect(sandbox.get('checkout_session', session.id)?.status).toBe('open');
  });

  it('expires while it is shown, and charges nothing then', async () => {
    const page = await open();
    await type(page, { ...buyer, ...card });
    await sandbox.clock.advance('24 hours');
    await payButton(page).click();
    await page.getByRole('heading', { name: 'Expired' }).waitFor();
    expect(typesOf()).toEqual(['checkout.session.created', 'checkout.session.expired']);
    await page.getByRole('link').click();
    await page.waitForURL(`${shop}/cart`);
  });

  it("shows a paid session as paid after the browser's Back", async () => {
    const page = await open();
    await type(page, { ...buyer, ...card });
    await payButton(page).click();
    await page.waitForURL(`${shop}/thanks`);
    await page.goBack();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.getByRole('link').click();
    await page.waitForURL(`${shop}/thanks`);
    expect(typesOf().filter((type) => type === 'payment_intent.succeeded')).toHaveLength(1);
  });

  it('makes one attempt on a double click', async () => {
    const page = await open();
    await type(page, { ...buyer, ...card, 'Card number': testCards.doNotHonor.number });
    const button = payButton(page);
    await button.dblclick();
    await page.getByRole('alert').waitFor();
    expect(typesOf().filter((type) => type === 'payment_intent.payment_failed')).toHaveLength(1);
  });

  it('keeps the caret during corrections in the middle', async () => {
    const page = await open();
    const number = page.getByLabel('Card number');
    await number.pressSequentially('4111111111111111');
    for (let presses = 0; presses < 10; presses += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2');
    const { value, caret } = await number.evaluate((input: HTMLInputElement) => ({
      value: input.value,
      caret: input.selectionStart,
    }));
    expect([value.length, value.at((caret ?? 0) - 1)]).toEqual([19, '2']);
  });
});
