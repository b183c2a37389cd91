/**
 * The example's shop, from the buyer's browser to the charge and the webhooks.
 *
 * @module-tag thorough
 */

import { testCards } from 'payments-client-sandbox';
import type { Browser, FrameLocator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { connectToChromium, hasChromium, openPage } from '../support/chromium.ts';
import { pageOf } from '../support/sandbox.ts';
import { always } from '../support/size.ts';
import { skipWithout } from '../support/skip.ts';
import { type RunningShop, startShop } from './shop.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/web-checkout.services.test.ts',
);

const buyer = {
  'First name': 'Ada',
  'Last name': 'Lovelace',
  'E-mail': 'ada@example.com',
  Phone: '+1 202 555 0100',
  Street: '1 Tea Street',
  City: 'Springfield',
  State: 'IL',
  'ZIP code': '62701',
};

const digitsOf = (text: string): string => text.replaceAll(/[^\d]/g, '');

async function fill(scope: Page | FrameLocator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await scope.getByLabel(label).fill(value);
}

const cardOf = (name: keyof typeof testCards) => ({
  'Card number': testCards[name].number,
  Expiry: '12/30',
  'Security code': '123',
});

describe.skipIf(isSkipped)(`a shop${why}`, { timeout: 300_000 }, () => {
  let browser: Browser;
  let shop: RunningShop;
  let page: Page;
  let requests: Request[];

  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    shop = await startShop();
    onTestFinished(() => shop.close());
    page = await openPage(browser);
    requests = [];
    page.context().on('request', (request) => requests.push(request));
    await page.goto(shop.url);
  });

  /** Checks that only the endpoint for cards received the number, in the browser, the shop and the sandbox. */
  function expectOnly(endpoint: RegExp, name: keyof typeof testCards): void {
    const { number } = testCards[name];
    const carriers = requests.filter((one) => digitsOf(one.url() + (one.postData() ?? '')).includes(number));
    expect(carriers.length).toBeGreaterThan(0);
    for (const carrier of carriers) {
      expect(carrier.method()).toBe('POST');
      expect(carrier.url().replace(shop.sandbox.url, '')).toMatch(endpoint);
      expect(digitsOf(carrier.url())).not.toContain(number);
    }
    expect(shop.received.length).toBeGreaterThan(0);
    for (const received of shop.received) expect(digitsOf(received)).not.toContain(number);
    const { requests: log, events, transactions } = shop.sandbox;
    expect(JSON.stringify([log, events, transactions, shop.sandbox.snapshot()])).not.toContain(number);
    const sent = requests.filter(
      (one) => one.method() === 'POST' && endpoint.test(new URL(one.url()).pathname),
    );
    const taken = log.filter(
      ({ operation }) => operation === 'cardFields.tokenize' || operation === 'checkout.pay',
    );
    expect(taken.map(({ method, path }) => `${method} ${path}`)).toEqual(
      sent.map((one) => `POST ${new URL(one.url()).pathname}`),
    );
  }

  describe('with its own payment page', () => {
    const frame = () => page.frameLocator('#card-fields iframe');

    async function payWith(name: keyof typeof testCards): Promise<void> {
      await fill(page, buyer);
      await page.getByRole('button', { name: 'Continue to the card' }).click();
      await fill(frame(), cardOf(name));
      await frame().getByRole('button', { name: 'Use this card' }).click();
    }

    const message = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).waitFor();
    const answer = (name: string) => page.frameLocator('dialog iframe').getByRole('button', { name }).click();

    /** Checks the sale, and that it has the device session. */
    function expectSale(fields: object): void {
      const [sale, ...others] = shop.sandbox.transactions;
      expect(others).toEqual([]);
      expect(sale).toMatchObject({ type: 'sale', amount: '24.00', ...fields });
      expect(sale?.riskSessionId).toMatch(/^rs_/);
      expectOnly(/^\/browser\/tokens$/, cardInUse);
    }
    let cardInUse: keyof typeof testCards;

    it.each([
      ['authenticated', 0],
      ['frictionless', 0],
      // The fraud score decides where 3-D Secure is unavailable.
      ['authenticationUnavailable', 30],
    ] as const)('is paid at once with the card %s', async (name, riskScore) => {
      cardInUse = name;
      await payWith(name);
      await page.getByText('Your order is paid').waitFor();
      expectSale({ approved: true, riskScore, riskDecision: 'A' });
    });

    it('is paid when the buyer passes the challenge', always, async () => {
      cardInUse = 'challengeRequired';
      await payWith(cardInUse);
      await answer('Confirm payment');
      await page.getByText('Your order is paid').waitFor();
      expectSale({ approved: true, riskScore: 0 });
    });

    it.each([
      ['authenticationFailed', undefined],
      ['challengeRequired', 'Fail the verification'],
      ['challengeRequired', 'Cancel'],
    ] as const)('charges nothing when the challenge fails: %s, %s', async (name, choice) => {
      await payWith(name);
      if (choice !== undefined) await answer(choice);
      await message('You have not paid');
      expect(shop.sandbox.transactions).toEqual([]);
      await fill(frame(), cardOf('frictionless'));
      await frame().getByRole('button', { name: 'Use this card' }).click();
      await page.getByText('Your order is paid').waitFor();
      cardInUse = 'frictionless';
      expectSale({ approved: true });
      expectOnly(/^\/browser\/tokens$/, name);
    });

    it('shows a decline, and accepts another card', async () => {
      await payWith('doNotHonor');
      await message('You have not paid');
      await fill(frame(), cardOf('authenticated'));
      await frame().getByRole('button', { name: 'Use this card' }).click();
      await page.getByText('Your order is paid').waitFor();
      expect(shop.sandbox.transactions.map(({ approved }) => approved)).toEqual([false, true]);
    });

    it('never charges again after an unknown outcome', async () => {
      shop.sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
      await payWith('authenticated');
      await page.getByText('Please do not pay again').waitFor();
      expect(await page.locator('form').count()).toBe(0);
      expect(shop.sandbox.transactions).toHaveLength(1);
    });

    it('closes its hosted page', async () => {
      const order = page.url();
      await page.getByRole('button', { name: 'Go to the payment page' }).click();
      await page.waitForURL(/\/checkout\/cs_/);
      const hosted = page.url();
      await page.goto(order);
      await payWith('frictionless');
      await page.getByText('Your order is paid').waitFor();
      await page.goto(hosted);
      expect(await page.getByRole('heading').textContent()).toBe('Expired');
    });

    it('pays once on repeated clicks', async () => {
      cardInUse = 'frictionless';
      await fill(page, buyer);
      await page.getByRole('button', { name: 'Continue to the card' }).dblclick();
      await fill(frame(), cardOf(cardInUse));
      await page.getByLabel('ZIP code').press('Enter');
      await frame().getByRole('button', { name: 'Use this card' }).dblclick();
      await page.getByText('Your order is paid').waitFor();
      expectSale({ approved: true });
      expect(page.url()).not.toContain('?');
    });

    it('can be retried after the scripts failed to load', async () => {
      let isBlocked = true;
      await page.route('**/js/CollectJS.js', (route) => (isBlocked ? route.abort() : route.continue()));
      await page.reload();
      await fill(page, buyer);
      await page.getByRole('button', { name: 'Continue to the card' }).click();
      await message('could not be begun');
      isBlocked = false;
      await page.getByRole('button', { name: 'Continue to the card' }).click();
      await fill(frame(), cardOf('frictionless'));
      await frame().getByRole('button', { name: 'Use this card' }).click();
      await page.getByText('Your order is paid').waitFor();
    });

    it('asks the buyer to check the order when the shop does not respond, and then shows it as paid', async () => {
      await page.route('**/pay', async (route) => {
        await route.fetch();
        await route.abort();
      });
      await payWith('frictionless');
      await message('We do not know whether you have paid');
      await page.reload();
      await page.getByText('Your order is paid').waitFor();
    });

    it.each([
      ['light', 390],
      ['dark', 1280],
    ] as const)('has no accessibility violations, %s at %i px', async (colorScheme, width) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await violationsOf(page)).toEqual([]);
      await payWith('authenticationFailed');
      await message('You have not paid');
      expect(await page.getByRole('status').textContent()).toBe('');
      expect(await frame().getByLabel('Card number').isEditable()).toBe(true);
      expect(await violationsOf(page)).toEqual([]);
      await fill(frame(), cardOf('challengeRequired'));
      await frame().getByRole('button', { name: 'Use this card' }).click();
      await page.frameLocator('dialog iframe').getByRole('button', { name: 'Cancel' }).waitFor();
      for (const place of page.frames()) expect(await violationsOf(place)).toEqual([]);
    });
  });

  describe('with the hosted page', () => {
    const typesOf = (id: string): string[] =>
      shop.events.filter(({ data }) => JSON.stringify(data).includes(`"${id}"`)).map(({ type }) => type);

    /** Starts a session, and follows the redirect to it. */
    async function goToHostedPage(): Promise<string> {
      await page.getByRole('button', { name: 'Go to the payment page' }).click();
      await page.waitForURL(/\/checkout\/cs_/);
      return page.url().replace(/^.*\//, '');
    }

    async function payWith(name: keyof typeof testCards): Promise<void> {
      await fill(page, { Name: 'Ada Lovelace', 'E-mail': 'ada@example.com', ...cardOf(name) });
      await page.getByRole('button', { name: 'Pay $24.00' }).click();
    }

    /** Reads the shop's order page. */
    async function orderPage(): Promise<string> {
      await shop.sandbox.settled();
      await page.goto(`${shop.url}/orders/${orderId()}`);
      return (await page.locator('main').getAttribute('data-status')) ?? '';
    }

    const orderId = (): string => {
      const [, id = ''] = /POST \/orders\/([\w-]+)\/checkout/.exec(shop.received.join('\n')) ?? [];
      return id;
    };

    it('learns of a payment by a verified webhook', async () => {
      const session = await goToHostedPage();
      await payWith('fullMatch');
      await page.getByText('Your order is paid').waitFor();
      expect(await orderPage()).toBe('paid');
      expect(typesOf(session)).toEqual(['checkout.session.created', 'checkout.session.completed']);
      expectOnly(/^\/checkout\//, 'fullMatch');
    });

    it('appears on the dashboard live', async () => {
      const dashboard = await openPage(browser);
      await dashboard.goto(`${shop.sandbox.url}/#/activity`);
      await dashboard.getByText('connected', { exact: true }).waitFor();
      await goToHostedPage();
      await payWith('fullMatch');
      await page.getByText('Your order is paid').waitFor();
      const event = dashboard.getByRole('row').filter({ hasText: 'checkout.session.completed' });
      await event.getByText('delivered: 200').first().waitFor();
      for (const operation of ['checkoutSessions.create', 'checkout.show', 'checkout.pay']) {
        await dashboard.getByRole('row').filter({ hasText: operation }).first().waitFor();
      }
      expect(await dashboard.locator('tbody code').filter({ hasText: 'order-' }).count()).toBe(1);
    });

    it('learns of a decline, and is paid with another card', async () => {
      const session = await goToHostedPage();
      await payWith('insufficientFunds');
      await page.getByRole('alert').getByText('insufficient funds').waitFor();
      await shop.sandbox.settled();
      const intent = shop.sandbox.get('checkout_session', session)?.payment_intent_id ?? '';
      expect(typesOf(intent)).toEqual(['payment_intent.created', 'payment_intent.payment_failed']);
      expect(await orderPage()).toBe('unpaid');
      await page.goto(pageOf(shop.sandbox, session));
      await payWith('fullMatch');
      await page.getByText('Your order is paid').waitFor();
      expect(await orderPage()).toBe('paid');
      expectOnly(/^\/checkout\//, 'insufficientFunds');
    });

    it('stays open when the buyer comes back, and closes the session of an order that is canceled', async () => {
      const session = await goToHostedPage();
      await page.getByRole('link', { name: /^Cancel/ }).click();
      await page.getByText('It is not paid yet.').waitFor();
      expect(await orderPage()).toBe('unpaid');
      await page.getByRole('button', { name: 'Cancel the order' }).click();
      await page.getByText('Your order is canceled.').waitFor();
      expect(await orderPage()).toBe('canceled');
      expect(typesOf(session)).toEqual(['checkout.session.created', 'checkout.session.expired']);
      expect(shop.sandbox.get('checkout_session', session)).toMatchObject({
        status: 'expired',
        payment_status: 'unpaid',
      });
    });

    it('learns that a session has expired', async () => {
      const session = await goToHostedPage();
      await shop.sandbox.clock.advance('24 hours');
      await payWith('fullMatch');
      await page.getByRole('heading', { name: 'Expired' }).waitFor();
      expect(await orderPage()).toBe('unpaid');
      expect(typesOf(session)).toEqual(['checkout.session.created', 'checkout.session.expired']);
      await page.goto(pageOf(shop.sandbox, session));
      expect(await page.getByRole('heading').textContent()).toBe('Expired');
    });
  });
});
