/**
 * Faults in the dashboard.
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
import { openDashboard } from './open-dashboard.ts';

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

  const nothingArmed = 'No fault is armed.';

  it('arms and clears a fault, and shows its hits', async () => {
    const page = await openDashboard(browser, sandbox, '#/faults');
    const unavailable = page.getByRole('switch', { name: '503 unavailable' });
    await page.getByRole('combobox', { name: 'Hits' }).selectOption('customers.list');
    await unavailable.click();
    await page.locator('[role=switch][aria-checked=true]').waitFor();
    await payments.refunds.list();
    await expect(payments.customers.list()).rejects.toMatchObject({ status: 503 });
    await page.getByRole('table', { name: /Hits/ }).getByText('GET /v1/customers').waitFor();
    await unavailable.click();
    await page.getByText(nothingArmed).waitFor();
    await payments.customers.list();
    await page.getByLabel('Times').fill('1');
    await page.getByRole('switch', { name: '429 rate limit' }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText(nothingArmed).waitFor();
    await payments.customers.list();
  });

  it('has a switch for each of two faults of one kind', async () => {
    const page = await openDashboard(browser, sandbox, '#/faults');
    const inUse = page.getByRole('switch', { name: 'key in use' });
    const noStore = page.getByRole('switch', { name: 'idempotency store unavailable' });
    await inUse.click();
    await noStore.click();
    await page.getByRole('button', { name: 'Clear', exact: true }).nth(1).waitFor();
    await inUse.click();
    await page.getByRole('button', { name: 'Clear', exact: true }).nth(1).waitFor({ state: 'detached' });
    expect(await inUse.getAttribute('aria-checked')).toBe('false');
    expect(await noStore.getAttribute('aria-checked')).toBe('true');
    const created = payments.paymentIntents.create(
      { amount: 1, currency: 'usd' },
      { operationId: 'order-1' },
    );
    await expect(created).rejects.toMatchObject({ code: 'IDEMPOTENCY_STORE_UNAVAILABLE' });
  });

  it('arms several faults of one kind, each with its own conditions', async () => {
    const page = await openDashboard(browser, sandbox, '#/faults');
    const hits = page.getByRole('combobox', { name: 'Hits' });
    await hits.selectOption('customers.list');
    await page.getByLabel('Times').fill('2');
    await page.getByLabel('Requests to skip').fill('1');
    await page.getByRole('switch', { name: '503 unavailable' }).click();
    await page.getByText('customers.list, 2 times, after 1 request').waitFor();
    await hits.selectOption('refunds.list');
    await page.getByLabel('Times').fill('');
    await page.getByLabel('Requests to skip').fill('');
    await page.getByLabel('Probability').fill('0.5');
    await page.getByRole('button', { name: 'One more: 503 unavailable' }).click();
    await page.getByText('refunds.list, until cleared, with a probability of 0.5').waitFor();
    await payments.customers.list();
    await expect(payments.customers.list()).rejects.toMatchObject({ status: 503 });
    await page.getByLabel('Probability').fill('often');
    await page.getByRole('switch', { name: '429 rate limit' }).click();
    await page.getByRole('alert').filter({ hasText: 'probability' }).waitFor();
    await page.getByRole('button', { name: 'Clear all', exact: true }).click();
    await page.getByText(nothingArmed).waitFor();
  });

  it('keeps the focus while a fault hits', async () => {
    sandbox.faults.inject({ kind: 'unavailable', operation: 'refunds.list', times: 5 });
    const page = await openDashboard(browser, sandbox, '#/faults');
    await page.getByRole('button', { name: 'Clear', exact: true }).focus();
    await payments.refunds.list().catch(() => {});
    await page.getByRole('cell', { name: '1', exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Clear');
  });

  it('arms and clears a fault of deliveries', async () => {
    sandbox.webhooks.deliverTo(() => new Response());
    const page = await openDashboard(browser, sandbox, '#/faults');
    const waiting = page.getByText('Armed:');
    await page.getByRole('button', { name: 'Dropped' }).click();
    await waiting.waitFor();
    await waiting.getByRole('button', { name: 'Clear' }).click();
    await waiting.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Duplicated' }).click();
    await waiting.waitFor();
    sandbox.add('customer');
    await sandbox.settled();
    expect(sandbox.webhooks.deliveries()).toHaveLength(2);
  });
});
