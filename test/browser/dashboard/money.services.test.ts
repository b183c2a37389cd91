/**
 * The ledger and the overview in the dashboard.
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
  'test/browser/dashboard/money.services.test.ts',
);

describe.skipIf(isSkipped)(`money in the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  withNewSandboxes((desk) => ({ browser, sandbox, payments } = desk));

  async function payAndRefund(operationId = 'return-1'): Promise<string> {
    const { id } = sandbox.add('payment_intent', { amount: 5500 });
    sandbox.pay(id);
    const { id: refund } = await payments.refunds.create(
      { payment_intent_id: id, amount: 1500 },
      { operationId },
    );
    return refund;
  }

  it('shows debits and credits, with links to their objects', async () => {
    const refund = await payAndRefund();
    const page = await openDashboard(browser, sandbox, '#/ledger');
    const sums = page.getByRole('table', { name: 'Totals by currency' }).getByRole('row').nth(1);
    await sums.getByText('balanced', { exact: true }).waitFor();
    expect(await sums.getByRole('cell').allTextContents()).toEqual([
      'USD',
      '$70.00',
      '$70.00',
      '$0.00',
      'balanced',
    ]);
    const lines = page.getByRole('table', { name: 'Lines, newest first' });
    const shown = (await lines.getByRole('row').allTextContents()).slice(1);
    expect(shown).toHaveLength(4);
    expect(shown[0]).toContain('Refund created');
    expect(shown[0]).toContain('$15.00');
    await lines.getByRole('link', { name: refund }).first().click();
    await page.getByRole('heading', { name: refund }).waitFor();
  });

  it('pages to older lines', async () => {
    sandbox.seed({ customers: 0, intents: 60 });
    const page = await openDashboard(browser, sandbox, '#/ledger');
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByRole('link', { name: 'Newest' }).waitFor();
  });

  it('shows charged, refunded and declined payments', async () => {
    await payAndRefund();
    const declined = sandbox.add('payment_intent', { amount: 900 });
    sandbox.pay(declined.id, { payment_method: 'pm_card_declined' });
    const page = await openDashboard(browser, sandbox, '#/overview');
    const card = page.getByRole('region', { name: 'USD' });
    for (const text of ['$55.00', '$15.00', '$40.00', '1 (50 %)', 'do not honor'])
      await card.getByText(text, { exact: true }).first().waitFor();
    expect(await card.locator('rect').count()).toBe(30);
    await card.getByText('Daily figures').click();
    await card.locator('dl.days').getByText('$55.00').waitFor();
    await payAndRefund('return-2');
    await card.getByText('$110.00', { exact: true }).first().waitFor();
  });

  it('shows an empty state without movements', async () => {
    const page = await openDashboard(browser, sandbox, '#/ledger');
    await page.getByText('No money has moved yet.').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('No payments yet.').waitFor();
  });
});
