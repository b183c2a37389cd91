/**
 * Deliveries in the dashboard.
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
import { openDashboard, rowOf } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/deliveries.services.test.ts',
);

describe.skipIf(isSkipped)(`deliveries in the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  withNewSandboxes((desk) => ({ browser, sandbox, payments } = desk));

  it('lists failing deliveries, and redelivers one', async () => {
    let status = 500;
    sandbox.webhooks.deliverTo(() => new Response(null, { status }));
    await payments.customers.create({ email: 'ada@example.com' });
    const page = await openDashboard(browser, sandbox, '#/deliveries');
    await page.getByRole('link', { name: '1 failing delivery' }).click();
    await page.waitForURL(/status=failing$/);
    await rowOf(page, 'customer.created').getByText('pending: 500').waitFor();
    status = 200;
    await page.getByRole('button', { name: 'Redeliver: customer.created' }).click();
    await page.getByText('No delivery matches the filter.').waitFor();
    await page.getByLabel('Status').selectOption('delivered');
    await rowOf(page, 'customer.created').getByText('replayed').waitFor();
  });

  it('filters by endpoint and event', async () => {
    const { id } = sandbox.webhooks.deliverTo(() => new Response());
    sandbox.webhooks.deliverTo(() => new Response(null, { status: 404 }));
    sandbox.add('customer');
    sandbox.add('refund');
    await sandbox.settled();
    const page = await openDashboard(browser, sandbox, '#/deliveries');
    const rows = page.locator('tbody').getByRole('row');
    await rows.nth(3).waitFor();
    await page.getByLabel('Endpoint').selectOption(id);
    await rows.nth(2).waitFor({ state: 'detached' });
    expect(await rows.getByText('delivered: 200').count()).toBe(2);
    await page.getByLabel('Event id').fill(sandbox.events[0]?.id ?? '');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.first().getByRole('link', { name: 'customer.created' }).click();
    await page.getByRole('heading', { name: 'customer.created' }).waitFor();
  });
});
