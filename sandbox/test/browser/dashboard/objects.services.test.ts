/**
 * Objects in the dashboard, with their history.
 *
 * @module-tag thorough
 */

import { expect, it } from 'vitest';
import { pageOf } from '../../../../test/support/sandbox.ts';
import { describeDashboard, rowsIn } from './desk.ts';

describeDashboard('objects', (desk) => {
  it('are listed by kind, with the changes of each event, and links to related objects', async () => {
    const { sandbox, open } = desk();
    const intent = sandbox.add('payment_intent');
    sandbox.pay(intent.id);
    const page = await open('#/objects');
    await page.getByRole('link', { name: 'Payment intents 1' }).click();
    await page.getByRole('link', { name: intent.id }).focus();
    await page.keyboard.press('Enter');
    const history = page.locator('.history > li');
    await history.nth(1).waitFor();
    const [first, second] = await history.allTextContents();
    expect(first).toMatch(/payment_intent\.created\s*requires payment method$/);
    expect(second).toContain('payment_intent.succeeded');
    expect(second).toContain('status"requires_payment_method""succeeded"');
    await page.waitForFunction((title) => document.title === title, `${intent.id} – Sandbox`);
    const charge = sandbox.get('payment_intent', intent.id)?.latest_charge_id ?? '';
    await page.getByRole('figure', { name: 'JSON' }).getByRole('link', { name: charge }).click();
    await page.getByRole('heading', { name: charge }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: intent.id }).waitFor();
  });

  it('are filtered by text and state', async () => {
    const { sandbox, open } = desk();
    for (const name of ['ada', 'bob']) sandbox.add('customer', { email: `${name}@example.com` });
    const [paid] = [sandbox.add('payment_intent'), sandbox.add('payment_intent')];
    sandbox.pay(paid.id);
    const page = await open('#/objects/customer');
    const rows = rowsIn(page);
    await rows.nth(1).waitFor();
    await page.getByLabel('Search').fill('bob');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.getByText('bob@example.com').waitFor();
    await page.goto(`${sandbox.url}/#/objects/payment_intent`);
    await rows.nth(1).waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption('succeeded');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.getByRole('link', { name: paid.id }).waitFor();
  });

  it('change while they are open, with an event or without, and link their operation', async () => {
    const { sandbox, payments, open } = desk();
    const { id } = sandbox.add('refund');
    const page = await open(`#/objects/refund/${id}`);
    await page.getByText('refund.created').waitFor();
    await sandbox.clock.advance('1 minute');
    await page.getByText('refund.succeeded').waitFor();
    sandbox.update('refund', id, { reason: 'too late' });
    await page.getByText('Changed later, without an event').waitFor();
    await page.locator('ins').filter({ hasText: '"too late"' }).waitFor();
    const intent = await payments.paymentIntents.create(
      { amount: 5500, currency: 'usd' },
      { operationId: 'order-100' },
    );
    await page.goto(`${sandbox.url}/#/objects/payment_intent/${intent.id}`);
    await page.getByText('Not charged yet').waitFor();
    await page.getByRole('link', { name: 'order-100' }).click();
    await page.getByRole('heading', { name: 'order-100' }).waitFor();
  });

  it('show no secret, and their texts as texts', async () => {
    const { sandbox, open } = desk();
    const { id, secret } = sandbox.webhooks.deliverTo('http://127.0.0.1:9/webhooks');
    const evil = '<img src=x onerror="document.title=1">';
    const product = sandbox.add('product', { name: evil });
    const page = await open(`#/objects/webhook_endpoint/${id}`);
    await page.getByText('"secret": "(not shown)"').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.goto(`${sandbox.url}/#/objects/product/${product.id}`);
    await page.getByText('onerror').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await page.goto(`${sandbox.url}/#/objects/${encodeURIComponent(evil)}`);
    await page.getByRole('alert').waitFor();
    expect(await page.title()).toContain('onerror');
  });

  it('are paged without skipping any while new ones arrive', async () => {
    const { sandbox, open } = desk();
    const ids = Array.from({ length: 70 }, () => sandbox.add('customer').id).toReversed();
    const page = await open('#/objects/customer');
    const rows = rowsIn(page);
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

  it('link the checkout page of a session while it is open', async () => {
    const { sandbox, open } = desk();
    const { id } = sandbox.add('checkout_session');
    const page = await open(`#/objects/checkout_session/${id}`);
    const link = page.getByRole('link', { name: 'Open the checkout page' });
    await link.waitFor();
    expect(await link.evaluate((element: HTMLAnchorElement) => element.href)).toBe(pageOf(sandbox, id));
    sandbox.pay(id);
    await link.waitFor({ state: 'detached' });
  });
});
