/**
 * The dashboard as a developer has it: beside an application that uses the sandbox.
 *
 * @module-tag thorough
 */

import type { PaymentsClient } from 'payments-client';
import { countFraud, type FraudRecord, fraudFigures } from 'payments-client/fraud';
import { createSandbox, type Sandbox } from 'payments-client/sandbox';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { violationsOf } from '../../support/axe.ts';
import { connectToChromium, hasChromium, openPage, viewports } from '../../support/chromium.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';
import { skipWithout } from '../../support/skip.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'test/browser/dashboard/dashboard.test.ts');

describe.skipIf(isSkipped)(`the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    sandbox = await startSandbox();
    payments = clientOf(sandbox, { maxRetries: 0 });
  });

  async function open(section = '', options?: BrowserContextOptions): Promise<Page> {
    const page = await openPage(browser, options);
    await page.goto(`${sandbox.url}/${section}`);
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor();
    return page;
  }

  /** Two frames later all that was heard of is drawn. */
  const painted = (page: Page): Promise<void> =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        }),
    );
  const row = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text }).first();
  const create = (operationId: string) =>
    payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId });

  it('shows a request as it is answered, with its key, and marks one that is replayed', async () => {
    const page = await open();
    await create('order-1042');
    const first = row(page, 'paymentIntents.create');
    await first.waitFor();
    await first.getByText(/…\S*order-1042/).waitFor();
    expect(await first.getByText('replayed').count()).toBe(0);
    await create('order-1042');
    await page.getByText('replayed').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'paymentIntents.create' }).count()).toBe(2);
    expect(await row(page, 'paymentIntents.create').getByText('replayed').count()).toBe(1);
  });

  it('marks a request whose connection was dropped', async () => {
    const page = await open();
    sandbox.faults.inject({ kind: 'drop_reply' });
    await create('order-1').catch(() => {});
    await row(page, 'paymentIntents.create').getByText('dropped').waitFor();
  });

  it('shows whole keys to whoever asks for them, without a mouse too', async () => {
    const page = await open();
    const { idempotencyKey } = (await create('order-1042').withResponse()).response;
    const whole = row(page, 'paymentIntents.create').getByText(idempotencyKey ?? 'none', { exact: true });
    await whole.waitFor({ state: 'hidden' });
    await page.getByLabel('Whole keys').focus();
    await page.keyboard.press('Space');
    await whole.waitFor();
  });

  it('filters the log by what it shows', async () => {
    const page = await open();
    const rows = page.locator('tbody').getByRole('row');
    const filter = page.getByLabel('Filter');
    await payments.customers.list();
    await create('order-1');
    await create('order-1');
    await rows.nth(2).waitFor();
    await filter.fill('PAYMENTINTENTS');
    await rows.nth(2).waitFor({ state: 'detached' });
    expect(await rows.filter({ hasText: 'paymentIntents.create' }).count()).toBe(2);
    await filter.fill('replayed');
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.getByText('replayed').count()).toBe(1);
    await filter.fill('teapot');
    await page.getByText('No request fits the filter.').waitFor();
  });

  it('stands still when it is told to, also while it is filtered', async () => {
    const page = await open();
    await payments.customers.list();
    await row(page, 'customers.list').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await payments.refunds.list();
    // The event comes after the request, so that by then the page has heard of both.
    await sandbox.clock.advance('1 minute');
    sandbox.add('customer');
    await page.getByText('2026-01-01 00:01:00 UTC').waitFor();
    await page.getByLabel('Filter').fill('list');
    await painted(page);
    expect(await row(page, 'refunds.list').count()).toBe(0);
    expect(await row(page, 'customers.list').count()).toBe(1);
    await page.getByRole('button', { name: 'Go on' }).click();
    await row(page, 'refunds.list').waitFor();
  });

  it('takes nothing from under the hands of whoever uses it while requests come in', async () => {
    sandbox.add('customer');
    sandbox.faults.inject({ kind: 'unavailable', operation: 'refunds.list', times: 5 });
    const page = await open('#/events');
    const link = page.getByRole('link', { name: 'customer.created' });
    await link.focus();
    await payments.customers.create({ email: 'ada@example.com' });
    await page.locator('tbody').getByRole('row').nth(1).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('customer.created');
    await page.goto(`${sandbox.url}/#/faults`);
    const withdraw = page.getByRole('button', { name: 'Withdraw' });
    await withdraw.focus();
    await payments.refunds.list().catch(() => {});
    await page.getByRole('cell', { name: '1', exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Withdraw');
  });

  it('has each request once, whether it was loaded or heard of', async () => {
    const page = await openPage(browser);
    await page.route('**/_sandbox/requests?*', async (route) => {
      await payments.customers.list();
      const response = await route.fetch();
      // Heard of before what was loaded arrives, and not in it.
      await payments.refunds.list();
      await route.fulfill({ response });
    });
    await page.goto(sandbox.url);
    await row(page, 'refunds.list').waitFor();
    expect(await page.locator('tbody').getByRole('row').count()).toBe(2);
    expect(await page.getByRole('row').filter({ hasText: 'customers.list' }).count()).toBe(1);
  });

  it('keeps up with thousands of requests without growing', async () => {
    const page = await open();
    for (let count = 0; count < 2_000; count += 1)
      await sandbox.fetch(new Request(`${sandbox.url}/v1/customers`));
    await payments.refunds.list();
    await row(page, 'refunds.list').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThanOrEqual(301);
  });

  it('shows an event, its failed delivery, and delivers it again', async () => {
    let status = 500;
    sandbox.webhooks.deliverTo(() => new Response('what the endpoint said', { status }));
    const page = await open('#/events');
    const { id } = await payments.customers.create({ email: 'ada@example.com' });
    await row(page, 'customer.created').getByText('pending: 500').waitFor();
    await row(page, 'customer.created').getByRole('link', { name: 'customer.created' }).click();
    await page.getByText('what the endpoint said').waitFor();
    expect(await page.getByRole('region', { name: 'JSON' }).textContent()).toContain(id);
    status = 200;
    await page.getByRole('button', { name: 'Deliver again' }).click();
    await page.getByText('delivered: 200').waitFor();
    await page.getByText('replayed').waitFor();
    expect(sandbox.webhooks.deliveries().map((one) => one.status)).toEqual(['pending', 'delivered']);
    await page.getByRole('button', { name: 'Deliver to this endpoint again' }).first().click();
    await page.getByText('delivered: 200').nth(1).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Deliver to this');
  });

  it('shows an object with its history, and the way to what it belongs to', async () => {
    const intent = sandbox.add('payment_intent');
    sandbox.pay(intent.id);
    const page = await open('#/objects');
    await page.getByRole('link', { name: /payment intent/ }).click();
    await page.getByRole('link', { name: intent.id }).click();
    const history = page.locator('.history li');
    await history.nth(1).waitFor();
    const texts = (await history.allTextContents()).map((text) => text.replace(/^.*UTC/, ''));
    expect(texts).toEqual([
      'payment_intent.createdrequires_payment_method',
      'payment_intent.succeededsucceeded',
    ]);
    const charge = sandbox.get('payment_intent', intent.id)?.latest_charge_id ?? '';
    await page.getByRole('link', { name: charge }).click();
    await page.getByRole('heading', { name: charge }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: intent.id }).waitFor();
  });

  it('shows no secret of an object', async () => {
    const { id, secret } = sandbox.webhooks.deliverTo('http://127.0.0.1:9/webhooks');
    const page = await open(`#/objects/webhook_endpoint/${id}`);
    await page.getByText('"secret": "(not shown)"').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('shows a change of the object that is looked at', async () => {
    const { id } = sandbox.add('refund');
    const page = await open(`#/objects/refund/${id}`);
    await page.getByText('refund.created').waitFor();
    await sandbox.clock.advance('1 minute');
    await page.getByText('refund.succeeded').waitFor();
    await page.getByText('"status": "succeeded"').waitFor();
  });

  it('pages through many objects and back, and what is new meanwhile hides none', async () => {
    const ids = Array.from({ length: 70 }, () => sandbox.add('customer').id).toReversed();
    const page = await open('#/objects/customer');
    const rows = page.locator('tbody').getByRole('row');
    const shown = async () => (await rows.allTextContents()).map((text) => text.slice(0, ids[0]?.length));
    await rows.nth(49).waitFor();
    expect(await shown()).toEqual(ids.slice(0, 50));
    await page.getByRole('link', { name: 'Older' }).click();
    await rows.filter({ hasText: ids.at(-1) ?? '' }).waitFor();
    sandbox.add('customer');
    expect(await shown()).toEqual(ids.slice(50));
    expect(await page.getByRole('link', { name: 'Older' }).count()).toBe(0);
    await page.reload();
    await rows.nth(19).waitFor();
    expect(await shown()).toEqual(ids.slice(50));
    await page.goBack();
    await rows.nth(49).waitFor();
    expect((await shown()).slice(1)).toEqual(ids.slice(0, 49));
  });

  it('lets the keyboard go on from what a link led to, and names it in the title', async () => {
    const { id } = sandbox.add('refund');
    const page = await open('#/objects/refund');
    await page.getByRole('link', { name: id }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: id }).waitFor();
    const focused = page.locator('main :focus').filter({ has: page.getByRole('heading', { name: id }) });
    await focused.waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('All: refund');
    expect(await page.title()).toBe('Objects – Sandbox');
  });

  it('leads a buyer to the page of an open session', async () => {
    const { id } = sandbox.add('checkout_session');
    const page = await open(`#/objects/checkout_session/${id}`);
    const link = page.getByRole('link', { name: 'Open its checkout page' });
    await link.waitFor();
    expect(await link.evaluate((element: HTMLAnchorElement) => element.href)).toBe(sandbox.checkoutUrl(id));
    sandbox.pay(id);
    await link.waitFor({ state: 'detached' });
  });

  it('says whether the clock runs, and lets it be read aloud only on demand', async () => {
    const page = await open();
    await page.getByText('still', { exact: true }).waitFor();
    const running = await startSandbox({ clock: 'running' });
    await page.goto(running.url);
    await page.getByText('running', { exact: true }).waitFor();
    await page.getByRole('timer', { name: 'Time of the sandbox' }).waitFor();
    expect(await page.locator('output').count()).toBe(0);
  });

  it('moves the clock on, and shows what that does', async () => {
    sandbox.add('checkout_session');
    const page = await open('#/events');
    await row(page, 'checkout.session.created').waitFor();
    await page.getByText('2026-01-01 00:00:00 UTC').waitFor();
    await page.getByRole('button', { name: '+1 day' }).click();
    await row(page, 'checkout.session.expired').waitFor();
    await page.getByText('2026-01-02 00:00:00 UTC').waitFor();
    await page.getByLabel('Advance by').fill('3 days');
    await page.keyboard.press('Enter');
    await page.getByText('2026-01-05 00:00:00 UTC').waitFor();
    await page.getByLabel('Advance by').fill('a while');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'expected' }).waitFor();
  });

  it('switches a fault on and off, and tells what it hit', async () => {
    const page = await open('#/faults');
    const unavailable = page.getByRole('switch', { name: '503 unavailable' });
    await page.getByRole('combobox', { name: 'Hits' }).selectOption('customers.list');
    await unavailable.click();
    await page.locator('[role=switch][aria-checked=true]').waitFor();
    await payments.refunds.list();
    await expect(payments.customers.list()).rejects.toMatchObject({ status: 503 });
    await page.getByRole('table', { name: /Hits/ }).getByText('GET /v1/customers').waitFor();
    await unavailable.click();
    await page.getByText('Nothing is armed.').waitFor();
    await payments.customers.list();
    await page.getByRole('combobox', { name: 'For' }).selectOption('the next request');
    await page.getByRole('switch', { name: '429 rate limit' }).click();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('Nothing is armed.').waitFor();
    await payments.customers.list();
  });

  it('has a switch for each of two faults of one kind', async () => {
    const page = await open('#/faults');
    const inUse = page.getByRole('switch', { name: 'key is in use' });
    const noStore = page.getByRole('switch', { name: 'idempotency store unavailable' });
    await inUse.click();
    await noStore.click();
    await page.getByRole('button', { name: 'Withdraw' }).nth(1).waitFor();
    await inUse.click();
    await page.getByRole('button', { name: 'Withdraw' }).nth(1).waitFor({ state: 'detached' });
    expect(await inUse.getAttribute('aria-checked')).toBe('false');
    expect(await noStore.getAttribute('aria-checked')).toBe('true');
    await expect(create('order-1')).rejects.toMatchObject({ code: 'IDEMPOTENCY_STORE_UNAVAILABLE' });
  });

  it('makes the next delivery go wrong, and forgets that', async () => {
    sandbox.webhooks.deliverTo(() => new Response());
    const page = await open('#/faults');
    await page.getByRole('button', { name: 'Dropped' }).click();
    await page.getByText('Waiting:').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Waiting:').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Twice' }).click();
    await page.getByText('Waiting:').waitFor();
    sandbox.add('customer');
    await sandbox.settled();
    expect(sandbox.webhooks.deliveries()).toHaveLength(2);
  });

  it('has the figures of fraudFigures', async () => {
    const records: FraudRecord[] = [{ chargeback_reason: '10.4' }];
    for (const payment_token of ['tok_1', 'tok_2']) {
      const { approved, avs, cvv, risk } = await payments.transact.sale({ amount: '12.00', payment_token });
      const checks = { avsresponse: avs?.code, cvvresponse: cvv?.code, risk_score: risk?.score };
      records.push({ approved, ...checks });
    }
    sandbox.trigger('chargeback.received', { reason_code: '10.4' });
    const page = await open('#/fraud');
    const day = row(page, '2026-01-01').getByRole('cell');
    await day.first().waitFor();
    const figures = (await day.allTextContents()).slice(1);
    const expected: string[] = [];
    for (const { name, value, unit } of fraudFigures(countFraud(records))) {
      const written =
        value === undefined ? '–' : unit === 'share' ? `${(value * 100).toFixed(2)} %` : value.toFixed(1);
      expected.push(written);
      const card = page.getByRole('region', { name, exact: true });
      expect(await card.locator('.figure').textContent()).toContain(written);
      expect(await card.getByRole('img').locator('circle').count()).toBe(value === undefined ? 0 : 1);
    }
    // All of it happened on one day.
    expect(figures).toEqual(expected);
    await payments.transact.sale({ amount: '12.00', payment_token: 'tok_3' });
    await page.getByRole('region', { name: 'Chargeback rate' }).getByText('33.33 %').waitFor();
  });

  it('makes an event happen, and sample data', async () => {
    const page = await open('#/tools');
    await page.getByLabel('Type').selectOption('refund.failed');
    await page.getByRole('button', { name: 'Make it happen' }).click();
    await page.getByText('"type": "refund.failed"').waitFor();
    expect(sandbox.events.at(-1)?.type).toBe('refund.failed');
    await page.getByRole('button', { name: 'Make sample data' }).click();
    await page.getByText('"customers": 20').waitFor();
    await page.getByLabel('Payments').fill('-1');
    await page.getByRole('button', { name: 'Make sample data' }).click();
    await page.getByRole('alert').filter({ hasText: 'intents: expected an integer from 0' }).waitFor();
    await page.getByRole('button', { name: 'Make it happen' }).click();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
  });

  it('goes on after the sandbox was away, with what was missed', async () => {
    const own = await createSandbox().listen();
    onTestFinished(() => own.close());
    const port = Number(new URL(own.url).port);
    const page = await openPage(browser);
    await page.goto(`${own.url}/#/events`);
    await page.getByText('live', { exact: true }).waitFor();
    await own.close();
    await page.getByText('disconnected').waitFor();
    own.add('customer');
    await own.listen({ port });
    await page.getByText('live', { exact: true }).waitFor();
    await row(page, 'customer.created').waitFor();
  });

  it('goes on when another sandbox has taken the place of the first', async () => {
    const first = await createSandbox().listen();
    const port = Number(new URL(first.url).port);
    const page = await openPage(browser);
    await page.goto(`${first.url}/#/objects`);
    await page.getByText('live', { exact: true }).waitFor();
    await first.close();
    await page.getByText('disconnected').waitFor();
    const second = createSandbox();
    onTestFinished(() => second.close());
    second.add('customer');
    await second.listen({ port });
    await page.getByRole('link', { name: 'customer' }).waitFor();
  });

  it('takes whatever the sandbox holds for text, and asks nobody else for anything', async () => {
    const evil = '<img src=x onerror="document.title=1">';
    const requests: string[] = [];
    const { id } = sandbox.add('product', { name: evil });
    const page = await openPage(browser);
    page.on('request', (request) => requests.push(new URL(request.url()).origin));
    await page.goto(`${sandbox.url}/#/objects/product/${id}`);
    await page.getByText('onerror').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await page.goto(`${sandbox.url}/#/objects/${encodeURIComponent(evil)}`);
    await page.getByRole('alert').waitFor();
    expect([await page.title(), new Set(requests)]).toEqual(['Objects – Sandbox', new Set([sandbox.url])]);
  });

  describe.each(['light', 'dark'] as const)('has no barrier that can be found, %s', (colorScheme) => {
    it.each(['desktop', 'phone'] as const)('on a %s', async (size) => {
      sandbox.webhooks.deliverTo(() => new Response('no', { status: 500 }));
      sandbox.seed({ customers: 2, intents: 20 });
      const intent = sandbox.add('payment_intent');
      sandbox.pay(intent.id);
      sandbox.faults.inject({ kind: 'unavailable' });
      await payments.customers.list().catch(() => {});
      sandbox.faults.inject({ kind: 'drop_reply' });
      sandbox.faults.inject({ kind: 'drop_delivery' });
      sandbox.trigger('chargeback.received');
      await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' }).catch(() => {});
      await sandbox.settled();
      const event = sandbox.events.at(-1)?.id ?? '';
      const page = await open('', { colorScheme, viewport: viewports[size] });
      const sections = [
        'requests',
        'events',
        `events/${event}`,
        'objects',
        'objects/payment_intent',
        `objects/payment_intent/${intent.id}`,
      ];
      for (const section of [...sections, 'faults', 'fraud', 'tools']) {
        await page.goto(`${sandbox.url}/#/${section}`);
        await page.getByRole('heading', { level: 2 }).waitFor();
        expect(await violationsOf(page), section).toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, section).toBeLessThanOrEqual(0);
      }
    });
  });
});
