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

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'the hosted checkout');

describe.skipIf(isSkipped)(`the hosted checkout${why}`, { timeout: 300_000 }, () => {
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
  ])("is paid, and shown as paid after the browser's Back, %s", async (_what, javaScriptEnabled) => {
    const page = await open({ javaScriptEnabled });
    await type(page, { ...buyer, ...card });
    await payButton(page).click();
    await page.waitForURL(`${shop}/thanks`);
    expect(sandbox.get('checkout_session', session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
    });
    expect(typesOf()).toContain('checkout.session.completed');
    await page.goBack();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.getByRole('link').click();
    await page.waitForURL(`${shop}/thanks`);
    expect(typesOf().filter((type) => type === 'payment_intent.succeeded')).toHaveLength(1);
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

  it('shows the decline reason without the card, and accepts another', async () => {
    const page = await open();
    await type(page, buyer);
    await page.getByText('Test cards').click();
    await page.getByRole('button', { name: '9999 0040 0000 0022' }).click();
    const answer = page.waitForResponse((one) => one.request().method() === 'POST');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('insufficient funds').waitFor();
    expect((await (await answer).text()).replaceAll(/\s/g, '')).not.toContain('9999004000000022');
    expect(typesOf()).toContain('payment_intent.payment_failed');
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
    expect(await page.getByLabel('Card number').inputValue()).toBe('');
    await type(page, card);
    // The first click submits, even from a field that was not left yet.
    await page.getByLabel('Security code').focus();
    await payButton(page).click();
    await page.waitForURL(`${shop}/thanks`);
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

  it('makes one attempt on a double click', async () => {
    const page = await open();
    await type(page, { ...buyer, ...card, 'Card number': testCards.doNotHonor.number });
    const button = payButton(page);
    await button.dblclick();
    await page.getByRole('alert').waitFor();
    expect(typesOf().filter((type) => type === 'payment_intent.payment_failed')).toHaveLength(1);
  });
});
