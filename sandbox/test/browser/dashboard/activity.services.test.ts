/**
 * The activity on the dashboard: requests, events, deliveries, changes and actions. What each row says: `pages.test.ts`.
 *
 * @module-tag thorough
 */

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { pageOf } from '../../../../test/support/sandbox.ts';
import { buyWithLostReply, describeDashboard, focusedText, messages, rowOf, rowsIn } from './desk.ts';

describeDashboard('the activity', (desk) => {
  const filter = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });

  it('shows what happens as it happens, newest first, and keeps the focus', async () => {
    const { sandbox, payments, open } = desk();
    sandbox.webhooks.deliverTo(() => new Response());
    const page = await open('#/activity?q=payment_intent');
    await page.getByText('No activity matches the filter.').waitFor();
    const create = (operationId: string) =>
      payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId });
    const { id } = await create('order-1042');
    await rowsIn(page).nth(2).waitFor();
    const texts = await rowsIn(page).allTextContents();
    expect(texts[0]).toMatch(/Delivery\s*payment_intent\.created\s*to http.+200$/);
    expect(texts[1]).toMatch(RegExp(`Event\\s*payment_intent\\.created.+${id}\\s*delivered: 200$`));
    expect(texts[2]).toMatch(
      /Request\s*POST \/v1\/payment_intents\s*paymentIntents\.create\s*order-1042\s*200$/,
    );
    await page.getByRole('link', { name: 'payment_intent.created' }).first().focus();
    await create('order-1043');
    await rowsIn(page).nth(5).waitFor();
    expect(await focusedText(page)).toBe('payment_intent.created');
  });

  it('filters by kind, status, operation, event type and text, and Back undoes it', async () => {
    const { sandbox, payments, open } = desk();
    await payments.customers.list();
    await payments.customers.retrieve('cus_404').catch(() => {});
    sandbox.add('refund');
    const { id } = sandbox.add('customer');
    await fetch(pageOf(sandbox, sandbox.add('checkout_session').id));
    const page = await open('#/activity');
    const rows = rowsIn(page);
    const only = async (text: string) => {
      await rows.nth(1).waitFor({ state: 'detached' });
      await rowOf(page, text).waitFor();
    };
    await rows.nth(6).waitFor();
    await filter(page, 'Status').selectOption('4xx');
    await only('customers.retrieve');
    await page.goBack();
    await rows.nth(6).waitFor();
    await filter(page, 'Kind').selectOption('Request');
    await filter(page, 'Operation').selectOption('customers.list');
    await only('customers.list');
    await filter(page, 'Kind').selectOption('Event');
    await rows.nth(1).waitFor();
    await filter(page, 'Event type').selectOption('refund.created');
    await only('refund.created');
    await filter(page, 'Kind').selectOption('Page view');
    await only('checkout.show');
    await filter(page, 'Kind').selectOption('All');
    await page.getByRole('searchbox', { name: 'Search' }).fill(id);
    await page.waitForURL(RegExp(`#/activity\\?q=${id}$`));
    await rowOf(page, 'customer.created').waitFor();
  });

  it('lists failing deliveries, and redelivers one of them or an event', async () => {
    const { sandbox, payments, open } = desk();
    let status = 500;
    sandbox.webhooks.deliverTo(() => new Response('what the endpoint said', { status }));
    await payments.customers.create({ email: 'ada@example.com' });
    const page = await open('#/activity');
    await page.getByRole('link', { name: '1 failed delivery' }).click();
    await page.waitForURL(/status=failing$/);
    await rowOf(page, 'customer.created').getByText('pending').waitFor();
    await sandbox.clock.advance('30 days');
    await rowOf(page, 'customer.created').getByText('given up').waitFor();
    expect(await rowsIn(page).count()).toBe(1);
    status = 200;
    await page.getByRole('button', { name: 'Redeliver customer.created' }).click();
    await messages(page)
      .getByText(/^Delivers customer\.created to .+ again\./)
      .waitFor();
    await page.getByText('No activity matches the filter.').waitFor();
    await page.goto(`${sandbox.url}/#/activity?kind=event`);
    await rowOf(page, 'customer.created').getByRole('link', { name: 'customer.created' }).click();
    await page.getByText('what the endpoint said').first().waitFor();
    const again = page.getByRole('button', { name: /^Redeliver to http/ }).first();
    await again.click();
    await page.getByText('delivered: 200').nth(1).waitFor();
    expect(await again.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(sandbox.webhooks.deliveries().map((one) => one.status)).toEqual([
      'failed',
      'delivered',
      'delivered',
    ]);
  });

  it('pages to older activity and back', async () => {
    const { sandbox, open } = desk();
    for (let count = 0; count < 60; count += 1) sandbox.trigger('customer.created');
    const ids = sandbox.events.map(({ id }) => id).toReversed();
    const page = await open('#/activity?kind=event');
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

  it('keeps up with many requests without growing', async () => {
    const { sandbox, payments, open } = desk();
    const page = await open('#/activity');
    for (let count = 0; count < 500; count += 1)
      await sandbox.fetch(new Request(`${sandbox.url}/v1/customers`));
    await payments.refunds.list();
    await rowOf(page, 'refunds.list').waitFor();
    expect(await rowsIn(page).count()).toBe(50);
  });

  it('leads from a request to its fault, its effects, their events and its operation', async () => {
    const { sandbox, open } = desk();
    sandbox.webhooks.deliverTo(() => new Response());
    await buyWithLostReply(desk(), 'order-1');
    await sandbox.settled();
    const page = await open('#/activity?status=fault');
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
    const { sandbox, open } = desk();
    sandbox.trigger('chargeback.received');
    sandbox.trigger('customer.created');
    const page = await open('#/activity?kind=action');
    await page.getByRole('link', { name: 'trigger: customer.created' }).click();
    await page.getByRole('figure', { name: 'details' }).getByText('"customer.created"').waitFor();
    await page
      .getByRole('table', { name: 'Effects' })
      .getByRole('link', { name: 'Customer created' })
      .click();
    await page.getByText('The object did not exist.').waitFor();
    await page.goto(`${sandbox.url}/#/activity?kind=event`);
    await page.getByRole('link', { name: 'chargeback.received' }).click();
    await page.getByText('None: no endpoint subscribes to it.').waitFor();
  });
});
