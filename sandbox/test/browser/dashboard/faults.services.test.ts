/**
 * Faults in the dashboard.
 *
 * @module-tag thorough
 */

import type { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../../../test/support/chromium.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { withNewSandboxes } from './new-sandboxes.ts';
import { openDashboard, rowOf } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/faults.services.test.ts',
);

describe.skipIf(isSkipped)(`faults in the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  withNewSandboxes((desk) => ({ browser, sandbox, payments } = desk));

  const arm = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const clear = (page: Page, name: string) => page.getByRole('button', { name: `Clear: ${name}` });

  it('arms a fault for the next request only, and links the requests that it hit', async () => {
    const page = await openDashboard(browser, sandbox, '#/faults');
    await arm(page, '503 unavailable');
    const armed = page.getByText('armed: next request', { exact: true });
    await armed.waitFor();
    await expect(payments.customers.list()).rejects.toMatchObject({ status: 503 });
    await armed.waitFor({ state: 'detached' });
    await payments.customers.list();
    await page.getByRole('link', { name: 'Requests that a fault hit' }).click();
    await rowOf(page, 'customers.list').getByText('unavailable').waitFor();
    expect(await page.locator('tbody').getByRole('row').count()).toBe(1);
  });

  it('arms a fault of one operation until it is cleared', async () => {
    const page = await openDashboard(browser, sandbox, '#/faults');
    await page.getByRole('combobox', { name: 'Hits' }).selectOption('every request until cleared');
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('customers.list');
    await arm(page, '503 unavailable');
    await page.getByText('armed: every customers.list until cleared').waitFor();
    await payments.refunds.list();
    for (let count = 0; count < 2; count += 1)
      await expect(payments.customers.list()).rejects.toMatchObject({ status: 503 });
    await clear(page, '503 unavailable').click();
    await page.getByText('armed:').waitFor({ state: 'detached' });
    await payments.customers.list();
  });

  it('has a button for each of two faults of one kind', async () => {
    const page = await openDashboard(browser, sandbox, '#/faults');
    await arm(page, 'Idempotency key in progress');
    await arm(page, 'Idempotency store unavailable');
    await clear(page, 'Idempotency key in progress').click();
    await clear(page, 'Idempotency key in progress').waitFor({ state: 'detached' });
    const created = payments.paymentIntents.create(
      { amount: 1, currency: 'usd' },
      { operationId: 'order-1' },
    );
    await expect(created).rejects.toMatchObject({ code: 'IDEMPOTENCY_STORE_UNAVAILABLE' });
  });

  it('arms several faults of one kind, each with its own conditions', async () => {
    const page = await openDashboard(browser, sandbox, '#/faults');
    const [hits, operation] = ['Hits', 'Operation'].map((name) => page.getByRole('combobox', { name }));
    await hits?.selectOption('next 2 requests');
    await operation?.selectOption('customers.list');
    await page.getByLabel('Requests to skip').fill('1');
    await arm(page, '503 unavailable');
    await page.getByText('armed: next 2 customers.list, after 1 request').waitFor();
    await hits?.selectOption('every request until cleared');
    await operation?.selectOption('refunds.list');
    await page.getByLabel('Requests to skip').fill('');
    await page.getByLabel('Probability').fill('0.5');
    await arm(page, '503 unavailable');
    await page.getByText('armed: every refunds.list until cleared, with a probability of 0.5').waitFor();
    await payments.customers.list();
    await expect(payments.customers.list()).rejects.toMatchObject({ status: 503 });
    await page.getByText('armed: next customers.list').waitFor();
    await page.getByLabel('Probability').fill('often');
    await arm(page, '429 rate limit');
    await page.getByRole('alert').filter({ hasText: 'probability' }).waitFor();
    await arm(page, 'Clear all');
    await page.getByText('armed:').first().waitFor({ state: 'detached' });
  });

  it('shows the faults that code has armed, and clears one', async () => {
    sandbox.faults.inject({ kind: 'respond', status: 418, times: Number.POSITIVE_INFINITY });
    sandbox.faults.inject({ kind: 'hold', operation: 'refunds.create' });
    const page = await openDashboard(browser, sandbox, '#/faults');
    await page.getByText('armed: next refunds.create').waitFor();
    await page.getByText('armed: every request until cleared').waitFor();
    await clear(page, 'Another reply').click();
    await page.getByRole('button', { name: 'Another reply', exact: true }).waitFor({ state: 'detached' });
    await payments.customers.list();
  });

  it('keeps the focus while a fault hits', async () => {
    sandbox.faults.inject({ kind: 'unavailable', operation: 'refunds.list', times: 5 });
    const page = await openDashboard(browser, sandbox, '#/faults');
    await clear(page, '503 unavailable').focus();
    await payments.refunds.list().catch(() => {});
    await page.getByText('armed: next 4 refunds.list').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Clear');
  });

  it('arms and clears a fault of deliveries', async () => {
    sandbox.webhooks.deliverTo(() => new Response());
    const page = await openDashboard(browser, sandbox, '#/faults');
    await arm(page, 'Delayed');
    await page.getByText('armed: next delivery, by 1 h').waitFor();
    await clear(page, 'Delayed').click();
    await page.getByText('armed:').waitFor({ state: 'detached' });
    await arm(page, 'Duplicated');
    await page.getByText('armed: next delivery').waitFor();
    sandbox.add('customer');
    await sandbox.settled();
    expect(sandbox.webhooks.deliveries()).toHaveLength(2);
  });
});
