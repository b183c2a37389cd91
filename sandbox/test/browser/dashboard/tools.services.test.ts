/**
 * What the dashboard changes in a sandbox: faults, endpoints, events, sample data.
 *
 * @module-tag thorough
 */

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeDashboard, messages, rowOf, rowsIn } from './desk.ts';

describeDashboard('faults', (desk) => {
  const arm = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const clear = (page: Page, name: string) => page.getByRole('button', { name: `Clear: ${name}` });
  const armed = (page: Page, text: string) => page.getByText(`armed: ${text}`, { exact: true });

  it('hit the next request only, and link the requests that they hit', async () => {
    const { payments, open } = desk();
    const page = await open('#/faults');
    await arm(page, '503 unavailable');
    await armed(page, 'next request').waitFor();
    await expect(payments.customers.list()).rejects.toMatchObject({ status: 503 });
    await armed(page, 'next request').waitFor({ state: 'detached' });
    await payments.customers.list();
    await page.getByRole('link', { name: 'Requests that a fault hit' }).click();
    await rowOf(page, 'customers.list').getByText('unavailable').waitFor();
    expect(await rowsIn(page).count()).toBe(1);
  });

  it('of one kind have their own conditions, and are cleared one by one or together', async () => {
    const { payments, open } = desk();
    const page = await open('#/faults');
    const [hits, operation] = ['Hits', 'Operation'].map((name) => page.getByRole('combobox', { name }));
    await hits?.selectOption('next 2 requests');
    await operation?.selectOption('customers.list');
    await page.getByLabel('Requests to skip').fill('1');
    await arm(page, '503 unavailable');
    await armed(page, 'next 2 customers.list, after 1 request').waitFor();
    await hits?.selectOption('every request until cleared');
    await operation?.selectOption('refunds.list');
    await page.getByLabel('Requests to skip').fill('');
    await page.getByLabel('Probability').fill('1');
    await arm(page, '503 unavailable');
    await armed(page, 'every refunds.list until cleared, with a probability of 1').waitFor();
    await payments.customers.list();
    await expect(payments.customers.list()).rejects.toMatchObject({ status: 503 });
    await page.getByText('armed: next customers.list').waitFor();
    for (let count = 0; count < 2; count += 1)
      await expect(payments.refunds.list()).rejects.toMatchObject({ status: 503 });
    await page.getByLabel('Probability').fill('often');
    await arm(page, '429 rate limit');
    await page.getByRole('alert').filter({ hasText: 'probability' }).waitFor();
    await clear(page, '503 unavailable').last().click();
    await armed(page, 'every refunds.list until cleared, with a probability of 1').waitFor({
      state: 'detached',
    });
    await payments.refunds.list();
    await arm(page, 'Clear all');
    await page.getByText('armed:').first().waitFor({ state: 'detached' });
    await payments.customers.list();
  });

  it('that code has armed are shown too, and keep the focus while they hit', async () => {
    const { sandbox, payments, open } = desk();
    sandbox.faults.inject({ kind: 'respond', status: 418, times: Number.POSITIVE_INFINITY });
    sandbox.faults.inject({ kind: 'unavailable', operation: 'refunds.list', times: 5 });
    sandbox.faults.inject({ kind: 'idempotency_error', code: 'IDEMPOTENCY_KEY_IN_PROGRESS' });
    const page = await open('#/faults');
    await armed(page, 'every request until cleared').waitFor();
    await clear(page, 'Another reply').click();
    await page.getByRole('button', { name: 'Another reply', exact: true }).waitFor({ state: 'detached' });
    await clear(page, '503 unavailable').focus();
    await payments.refunds.list().catch(() => {});
    await armed(page, 'next 4 refunds.list').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Clear');
    await arm(page, 'Idempotency store unavailable');
    await clear(page, 'Idempotency key in progress').click();
    await clear(page, 'Idempotency key in progress').waitFor({ state: 'detached' });
    const created = payments.paymentIntents.create(
      { amount: 1, currency: 'usd' },
      { operationId: 'order-1' },
    );
    await expect(created).rejects.toMatchObject({ code: 'IDEMPOTENCY_STORE_UNAVAILABLE' });
  });

  it('of deliveries are armed and cleared', async () => {
    const { sandbox, open } = desk();
    sandbox.webhooks.deliverTo(() => new Response());
    const page = await open('#/faults');
    await arm(page, 'Delayed');
    await armed(page, 'next delivery, by 1 h').waitFor();
    await clear(page, 'Delayed').click();
    await page.getByText('armed:').waitFor({ state: 'detached' });
    await arm(page, 'Duplicated');
    await armed(page, 'next delivery').waitFor();
    sandbox.add('customer');
    await sandbox.settled();
    expect(sandbox.webhooks.deliveries()).toHaveLength(2);
  });
});

describeDashboard('endpoints', (desk) => {
  it('are added with a secret that is shown once', async () => {
    const { sandbox, open } = desk();
    const page = await open('#/endpoints');
    await page.getByText('No endpoints yet.').waitFor();
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/webhooks');
    await page.getByRole('textbox', { name: 'Events' }).fill('refund.created, refund.failed');
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'Endpoint http://127.0.0.1:9/webhooks' });
    await card.getByText('refund.created, refund.failed').waitFor();
    const secret = sandbox.webhooks.endpoints()[0]?.secret ?? 'none';
    await messages(page).getByText(secret).waitFor();
    await messages(page).getByRole('button', { name: 'Copy the secret' }).waitFor();
    await messages(page).getByRole('button', { name: 'Dismiss' }).click();
    await messages(page).getByRole('button').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('textbox', { name: 'URL' }).fill('nowhere');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'url' }).waitFor();
  });

  it('are disabled and enabled, get new secrets, and drop old ones after a confirmation', async () => {
    const { sandbox, payments, open } = desk();
    const { id, secret } = sandbox.webhooks.deliverTo(() => new Response());
    const secrets = () => sandbox.get('webhook_endpoint', id)?.['previous_secrets'];
    const page = await open('#/endpoints');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('disabled', { exact: true }).waitFor();
    await payments.customers.create({ email: 'ada@example.com' });
    expect(sandbox.webhooks.deliveries()).toEqual([]);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('enabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('The new secret is whsec_').waitFor();
    expect(secrets()).toEqual([secret]);
    await page.getByRole('button', { name: 'Drop old secrets' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drop old secrets' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(secrets() ?? []).toEqual([]);
  });

  it('have their share of deliveries, get what they missed, and are deleted after a confirmation', async () => {
    const { sandbox, payments, open } = desk();
    let status = 500;
    sandbox.webhooks.deliverTo(() => new Response(null, { status }));
    await payments.customers.create({ email: 'ada@example.com' });
    await sandbox.settled();
    await sandbox.clock.advance('30 days');
    const page = await open('#/endpoints');
    await page.getByText('0 %').waitFor();
    status = 200;
    await page.getByRole('button', { name: 'Redeliver missed events' }).click();
    await page.getByText('Delivers 1 event again.').waitFor();
    await page.getByText('50 %').waitFor();
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('cell', { name: 'replayed' }).waitFor();
    await page.goBack();
    const button = page.getByRole('button', { name: 'Delete the endpoint' });
    await button.click();
    await page.getByRole('dialog').getByText('no longer delivered').waitFor();
    await page.keyboard.press('Escape');
    expect(sandbox.webhooks.endpoints()).toHaveLength(1);
    await button.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the endpoint' }).click();
    await page.getByText('No endpoints yet.').waitFor();
  });
});

describeDashboard('the tools', (desk) => {
  it('trigger an event and create sample data', async () => {
    const { sandbox, open } = desk();
    const page = await open('#/tools');
    const connect = page.getByRole('region', { name: 'Connect your app' });
    await connect.getByText(`PAYMENTS_BASE_URL=${sandbox.url}`).waitFor();
    await connect.getByText(`PAYMENTS_PUBLIC_KEY=${sandbox.publicKey}`).waitFor();
    const content = await page.content();
    expect([sandbox.secretKey, sandbox.securityKey].filter((key) => content.includes(key))).toEqual([]);
    await page.getByRole('combobox', { name: 'Type' }).selectOption('refund.failed');
    await page.getByRole('button', { name: 'Trigger' }).click();
    await page.getByText('Triggered refund.failed: evt_').waitFor();
    expect(sandbox.events.at(-1)?.type).toBe('refund.failed');
    const [customers, intents] = ['Customers', 'Intents'].map((name) => page.getByRole('textbox', { name }));
    await customers?.fill('20');
    await intents?.fill('30');
    await page.getByRole('button', { name: 'Create sample data' }).click();
    await page.getByText('Made 20 customers').waitFor();
    expect(await customers?.inputValue()).toBe('');
    await intents?.fill('-1');
    await page.getByRole('button', { name: 'Create sample data' }).click();
    await page.getByRole('alert').filter({ hasText: 'intents: expected an integer from 0' }).waitFor();
    await page.getByRole('button', { name: 'Trigger' }).click();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await messages(page).getByRole('link', { name: /^evt_/ }).click();
    await page.getByRole('heading', { name: 'refund.failed' }).waitFor();
  });

  it('reset the sandbox after a confirmation', async () => {
    const { sandbox, open } = desk();
    const { id } = sandbox.add('customer');
    const page = await open('#/tools');
    const button = page.getByRole('button', { name: 'Reset the sandbox' });
    await button.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(sandbox.get('customer', id)).toBeDefined();
    await button.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset the sandbox' }).click();
    await page.getByText('The sandbox was reset.').waitFor();
    expect(sandbox.get('customer', id)).toBeUndefined();
  });
});
