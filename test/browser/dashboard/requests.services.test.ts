/**
 * The requests on the dashboard.
 *
 * @module-tag thorough
 */

import type { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client/sandbox';
import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { skipWithout } from '../../support/skip.ts';
import { withNewSandboxes } from './new-sandboxes.ts';
import { buyWithLostReply, openDashboard, rowOf } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/requests.services.test.ts',
);

describe.skipIf(isSkipped)(`the requests on the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  withNewSandboxes((desk) => ({ browser, sandbox, payments } = desk));

  const create = (operationId: string) =>
    payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId });

  it('shows new requests, and marks a replay', async () => {
    const page = await openDashboard(browser, sandbox, '#/requests');
    await page.getByText('No requests yet.').waitFor();
    await create('order-1042');
    await rowOf(page, 'order-1042').waitFor();
    expect(await page.getByText('replayed').count()).toBe(0);
    await create('order-1042');
    await rowOf(page, 'order-1042').getByText('replayed').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(2);
  });

  it('marks a lost reply, and a request without a reply', async () => {
    await buyWithLostReply(sandbox, payments, 'order-1');
    sandbox.faults.inject({ kind: 'drop_request' });
    await payments.refunds.list().catch(() => {});
    const page = await openDashboard(browser, sandbox, '#/requests');
    await rowOf(page, 'paymentIntents.confirm').getByText('reply lost').waitFor();
    await rowOf(page, 'refunds.list').getByText('no reply').waitFor();
  });

  it('filters by text, status, operation and sender', async () => {
    await payments.customers.list();
    await payments.customers.retrieve('cus_404').catch(() => {});
    await create('order-1');
    const page = await openDashboard(browser, sandbox, '#/requests');
    const rows = page.locator('tbody tr');
    await rows.nth(2).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('4xx');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rowOf(page, 'customers.retrieve').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('All');
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('customers.list');
    await rowOf(page, 'customers.retrieve').waitFor({ state: 'detached' });
    await rowOf(page, 'customers.list').waitFor();
    await page.getByRole('combobox', { name: 'Sent by' }).selectOption('Buyer');
    await page.getByText('No request matches the filter.').waitFor();
    await page.goto(`${sandbox.url}/#/requests?q=order-1`);
    await rowOf(page, 'order-1').waitFor();
    expect(await rows.count()).toBe(1);
  });

  it('keeps up with thousands of requests without growing', async () => {
    const page = await openDashboard(browser, sandbox, '#/requests');
    for (let count = 0; count < 2_000; count += 1)
      await sandbox.fetch(new Request(`${sandbox.url}/v1/customers`));
    await payments.refunds.list();
    await rowOf(page, 'refunds.list').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(50);
  });

  it('shows the refusal reason of a request first', async () => {
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
    const page = await openDashboard(browser, sandbox, '#/requests');
    await page.getByRole('link', { name: 'POST /v1/payment_intents' }).click();
    const cause = page.locator('.cause');
    await cause.getByText('amount: expected an integer from 1.').waitFor();
    await cause.getByText('INVALID_PARAMETER').waitFor();
    await page.getByText('None: no object changed, and no event was delivered.').waitFor();
  });

  it('explains a key that was used with another body', async () => {
    await create('order-1');
    await payments.paymentIntents
      .create({ amount: 1, currency: 'usd' }, { operationId: 'order-1' })
      .catch(() => {});
    const page = await openDashboard(browser, sandbox, '#/requests');
    await page.getByRole('link', { name: 'POST /v1/payment_intents' }).first().click();
    await page.getByText('An earlier request used this key with another body.').waitFor();
  });

  it('shows the fault, the effects and the operation of a request', async () => {
    sandbox.webhooks.deliverTo(() => new Response());
    await buyWithLostReply(sandbox, payments, 'order-1');
    await sandbox.settled();
    const page = await openDashboard(browser, sandbox, '#/requests?operation=paymentIntents.confirm');
    await page.locator('tbody').getByRole('link').click();
    await page.getByText('The connection broke after execution.').waitFor();
    const effects = page.getByRole('table', { name: 'Effects' });
    for (const effect of ['Charge created', 'Payment intent succeeded', 'payment_intent.succeeded'])
      await effects.getByRole('link', { name: effect, exact: true }).waitFor();
    await page.getByRole('link', { name: 'Operation order-1' }).click();
    await page.getByRole('heading', { name: 'order-1' }).waitFor();
  });
});
