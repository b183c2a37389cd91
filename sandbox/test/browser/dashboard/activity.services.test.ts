/**
 * The activity on the dashboard: requests, events, deliveries, changes and actions.
 *
 * @module-tag thorough
 */

import type { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../../../test/support/chromium.ts';
import { pageOf } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { withNewSandboxes } from './new-sandboxes.ts';
import { buyWithLostReply, openDashboard, rowOf } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/activity.services.test.ts',
);

describe.skipIf(isSkipped)(`the activity on the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  withNewSandboxes((desk) => ({ browser, sandbox, payments } = desk));

  const create = (operationId: string, amount = 1200) =>
    payments.paymentIntents.create({ amount, currency: 'usd' }, { operationId });
  const rowsIn = (page: Page) => page.locator('tbody').getByRole('row');
  const filter = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });

  it('shows what happens as it happens: a request, its change, its event and the delivery', async () => {
    sandbox.webhooks.deliverTo(() => new Response());
    const page = await openDashboard(browser, sandbox, '#/activity?q=payment_intent');
    await page.getByText('No activity matches the filter.').waitFor();
    const { id } = await create('order-1042');
    await rowsIn(page).nth(2).waitFor();
    const texts = await rowsIn(page).allTextContents();
    expect(texts[0]).toMatch(/Delivery\s*payment_intent\.created\s*to http.+200$/);
    expect(texts[1]).toMatch(RegExp(`Event\\s*payment_intent\\.created.+${id}\\s*delivered: 200$`));
    expect(texts[2]).toMatch(
      /Request\s*POST \/v1\/payment_intents\s*paymentIntents\.create\s*order-1042\s*200$/,
    );
    await page.goto(`${sandbox.url}/#/activity`);
    await rowOf(page, 'webhooks.add').getByText('Action').waitFor();
  });

  it('marks a replay, a lost reply, and a request without a reply', async () => {
    await buyWithLostReply(sandbox, payments, 'order-1');
    await create('order-1', 5500);
    sandbox.faults.inject({ kind: 'drop_request' });
    await payments.refunds.list().catch(() => {});
    const page = await openDashboard(browser, sandbox, '#/activity?kind=request');
    await rowOf(page, 'paymentIntents.confirm').getByText('reply lost').waitFor();
    await rowOf(page, 'refunds.list').getByText('no reply').waitFor();
    const creations = rowsIn(page).filter({ hasText: 'paymentIntents.create' });
    await creations.first().getByText('replayed').waitFor();
    expect(await page.getByText('replayed').count()).toBe(1);
  });

  it('marks deliveries that a fault duplicated or tampered with', async () => {
    sandbox.webhooks.deliverTo(() => new Response());
    sandbox.faults.inject({ kind: 'duplicate_delivery' });
    sandbox.add('customer');
    sandbox.faults.inject({ kind: 'tamper_delivery' });
    sandbox.add('refund');
    await sandbox.settled();
    const page = await openDashboard(browser, sandbox, '#/activity?kind=delivery');
    await rowOf(page, 'customer.created').getByText('duplicate').waitFor();
    await rowOf(page, 'refund.created').getByText('altered body').waitFor();
    expect(await page.getByText('duplicate').count()).toBe(1);
  });

  it('filters by kind, status, operation, event type and text, and Back undoes it', async () => {
    await payments.customers.list();
    await payments.customers.retrieve('cus_404').catch(() => {});
    sandbox.add('refund');
    const { id } = sandbox.add('customer');
    const page = await openDashboard(browser, sandbox, '#/activity');
    const rows = rowsIn(page);
    await rows.nth(5).waitFor();
    await filter(page, 'Status').selectOption('4xx');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rowOf(page, 'customers.retrieve').waitFor();
    await page.goBack();
    await rows.nth(5).waitFor();
    await filter(page, 'Kind').selectOption('Request');
    await filter(page, 'Operation').selectOption('customers.list');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rowOf(page, 'customers.list').waitFor();
    await filter(page, 'Kind').selectOption('Event');
    await rows.nth(1).waitFor();
    await filter(page, 'Event type').selectOption('refund.created');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rowOf(page, 'refund.created').waitFor();
    await filter(page, 'Kind').selectOption('All');
    await page.getByRole('searchbox', { name: 'Search' }).fill(id);
    await page.waitForURL(RegExp(`#/activity\\?q=${id}$`));
    await rowOf(page, 'customer.created').waitFor();
    await filter(page, 'Kind').selectOption('Page view');
    await page.getByText('No activity matches the filter.').waitFor();
  });

  it('lists page views of a buyer', async () => {
    const session = sandbox.add('checkout_session');
    await fetch(pageOf(sandbox, session.id));
    const page = await openDashboard(browser, sandbox, '#/activity?kind=page_view');
    await rowOf(page, 'checkout.show').getByText('200').waitFor();
  });

  it('lists failing deliveries, and redelivers one', async () => {
    let status = 500;
    sandbox.webhooks.deliverTo(() => new Response(null, { status }));
    await payments.customers.create({ email: 'ada@example.com' });
    const page = await openDashboard(browser, sandbox, '#/activity');
    await page.getByRole('link', { name: '1 failed delivery' }).click();
    await page.waitForURL(/status=failing$/);
    await rowOf(page, 'customer.created').getByText('pending').waitFor();
    await sandbox.clock.advance('30 days');
    await rowOf(page, 'customer.created').getByText('given up').waitFor();
    expect(await rowsIn(page).count()).toBe(1);
    status = 200;
    await page.getByRole('button', { name: 'Redeliver customer.created' }).click();
    await page.getByText('No activity matches the filter.').waitFor();
    await filter(page, 'Status').selectOption('2xx');
    await rowOf(page, 'customer.created').getByText('replayed').waitFor();
  });

  it('offers to redeliver the last attempt only', async () => {
    sandbox.webhooks.deliverTo(() => new Response(null, { status: 500 }));
    sandbox.add('customer');
    await sandbox.settled();
    await sandbox.clock.advance('1 minute');
    const page = await openDashboard(browser, sandbox, '#/activity?kind=delivery');
    await rowOf(page, 'attempt 2').getByRole('button', { name: 'Redeliver' }).waitFor();
    expect(await rowsIn(page).count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Redeliver' }).count()).toBe(1);
  });

  it('shows an event with its failed delivery, and redelivers it', async () => {
    let status = 500;
    sandbox.webhooks.deliverTo(() => new Response('what the endpoint said', { status }));
    const page = await openDashboard(browser, sandbox, '#/activity?kind=event');
    const { id } = await payments.customers.create({ email: 'ada@example.com' });
    await rowOf(page, 'customer.created').getByText('pending: 500').waitFor();
    await rowOf(page, 'customer.created').getByRole('link', { name: 'customer.created' }).click();
    await page.getByText('what the endpoint said').waitFor();
    expect(await page.getByRole('figure', { name: 'JSON' }).textContent()).toContain(id);
    status = 200;
    await page.getByRole('button', { name: 'Redeliver customer.created' }).click();
    await page.getByText('delivered: 200').waitFor();
    await page.getByText('replayed').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^Delivers customer\.created to .+ again\./ })
      .waitFor();
    expect(sandbox.webhooks.deliveries().map((one) => one.status)).toEqual(['pending', 'delivered']);
    await page
      .getByRole('button', { name: /^Redeliver to http/ })
      .first()
      .click();
    await page.getByText('delivered: 200').nth(1).waitFor();
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(focused).toMatch(/^Redeliver to http/);
  });

  it('says that an event has no endpoint', async () => {
    sandbox.trigger('chargeback.received');
    const page = await openDashboard(browser, sandbox, '#/activity?kind=event');
    await rowOf(page, 'chargeback.received').getByText('no endpoint').waitFor();
    await page.getByRole('link', { name: 'chargeback.received' }).click();
    await page.getByText('None: no endpoint subscribes to it.').waitFor();
  });

  it('pages to older activity and back', async () => {
    for (let count = 0; count < 60; count += 1) sandbox.trigger('customer.created');
    const ids = sandbox.events.map(({ id }) => id).toReversed();
    const page = await openDashboard(browser, sandbox, '#/activity?kind=event');
    const rows = rowsIn(page);
    await rows.nth(49).waitFor();
    await page.getByRole('link', { name: 'Older' }).click();
    await rows.nth(49).waitFor({ state: 'detached' });
    const links = rows.getByRole('link', { name: 'customer.created' });
    const shown = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(shown).toEqual(ids.slice(50).map((id) => `#/activity/${id}`));
    await page.getByRole('link', { name: 'Newest' }).click();
    await rows.nth(49).waitFor();
  });

  it('keeps the focus while more happens', async () => {
    sandbox.add('customer');
    const page = await openDashboard(browser, sandbox, '#/activity?kind=event');
    await page.getByRole('link', { name: 'customer.created' }).focus();
    await payments.customers.create({ email: 'ada@example.com' });
    await rowsIn(page).nth(1).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('customer.created');
  });

  it('keeps up with thousands of requests without growing', async () => {
    const page = await openDashboard(browser, sandbox, '#/activity');
    for (let count = 0; count < 2_000; count += 1)
      await sandbox.fetch(new Request(`${sandbox.url}/v1/customers`));
    await payments.refunds.list();
    await rowOf(page, 'refunds.list').waitFor();
    expect(await rowsIn(page).count()).toBe(50);
  });

  it('shows the refusal reason of a request first, and a command that sends it again', async () => {
    const { url, secretKey } = sandbox;
    const headers = {
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'mine',
    };
    await fetch(`${url}/v1/payment_intents`, {
      method: 'POST',
      headers,
      body: '{"amount":-1,"currency":"usd"}',
    });
    const page = await openDashboard(browser, sandbox, '#/activity');
    await page.getByRole('link', { name: 'POST /v1/payment_intents' }).click();
    const cause = page.locator('.cause');
    await cause
      .getByText('amount: expected an integer of at least 1, in minor units, got the number -1.')
      .waitFor();
    await cause.getByText('INVALID_PARAMETER').waitFor();
    await page.getByText('None: no object changed, and no event was delivered.').waitFor();
    const curl = page.getByRole('figure', { name: 'Code: curl' });
    expect(await curl.textContent()).toBe(`curl -X POST '${url}/v1/payment_intents' \\
  -H "Authorization: Bearer $PAYMENTS_SECRET_KEY" \\
  -H 'content-type: application/json' \\
  -H 'idempotency-key: mine' \\
  --data-raw '{"amount":-1,"currency":"usd"}'`);
  });

  it('explains a key that was used with another body', async () => {
    await create('order-1');
    await create('order-1', 1).catch(() => {});
    const page = await openDashboard(browser, sandbox, '#/activity');
    await page.getByRole('link', { name: 'POST /v1/payment_intents' }).first().click();
    await page.getByText('An earlier request used this key with another body.').waitFor();
  });

  it('shows the fault, the effects and the operation of a request', async () => {
    sandbox.webhooks.deliverTo(() => new Response());
    await buyWithLostReply(sandbox, payments, 'order-1');
    await sandbox.settled();
    const page = await openDashboard(browser, sandbox, '#/activity?status=fault');
    await rowsIn(page).getByRole('link').click();
    await page.getByText('Fault: Executed, but the reply is lost').waitFor();
    const effects = page.getByRole('table', { name: 'Effects' });
    for (const effect of ['Charge $55.00 succeeded', 'Payment intent $55.00 succeeded'])
      await effects.getByRole('link', { name: effect, exact: true }).waitFor();
    await rowOf(page, 'to http').getByRole('link', { name: 'payment_intent.succeeded' }).click();
    await page.getByRole('heading', { name: 'Sent' }).waitFor();
    await page.getByRole('link', { name: 'Operation order-1' }).click();
    await page.getByRole('heading', { name: 'order-1' }).waitFor();
  });

  it('shows the arguments of an action, and what it changed', async () => {
    sandbox.trigger('customer.created');
    const page = await openDashboard(browser, sandbox, '#/activity?kind=action');
    await page.getByRole('link', { name: 'trigger: customer.created' }).click();
    await page.getByRole('figure', { name: 'details' }).getByText('"customer.created"').waitFor();
    await page
      .getByRole('table', { name: 'Effects' })
      .getByRole('link', { name: 'Customer created' })
      .click();
    await page.getByText('The object did not exist.').waitFor();
  });
});
