/**
 * The fraud monitor in the dashboard.
 *
 * @module-tag thorough
 */

import type { PaymentsClient } from 'payments-client';
import { countFraud, type FraudRecord, fraudFigures } from 'payments-client/fraud';
import type { Sandbox } from 'payments-client/sandbox';
import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { skipWithout } from '../../support/skip.ts';
import { withNewSandboxes } from './new-sandboxes.ts';
import { openDashboard, rowOf } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/fraud.services.test.ts',
);

describe.skipIf(isSkipped)(`the fraud monitor${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  withNewSandboxes((desk) => ({ browser, sandbox, payments } = desk));

  it('shows the metrics of fraudFigures', async () => {
    const records: FraudRecord[] = [{ chargeback_reason: '10.4' }];
    for (const payment_token of ['tok_1', 'tok_2']) {
      const { approved, avs, cvv, risk } = await payments.transact.sale({ amount: '12.00', payment_token });
      const checks = { avsresponse: avs?.code, cvvresponse: cvv?.code, risk_score: risk?.score };
      records.push({ approved, ...checks });
    }
    sandbox.trigger('chargeback.received', { reason_code: '10.4' });
    const page = await openDashboard(browser, sandbox, '#/fraud');
    const day = rowOf(page, '2026-01-01').getByRole('cell');
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
});
