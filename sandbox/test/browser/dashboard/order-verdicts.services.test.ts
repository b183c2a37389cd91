/**
 * Orders with lost replies, retries and disputes, on the home page and on their own pages.
 *
 * @module-tag thorough
 */

import type { Sandbox } from 'payments-client-sandbox';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectToChromium, hasChromium } from '../../../../test/support/chromium.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { startShop, troubledOrders } from '../../../../test/support/troubled-orders.ts';
import { openDashboard } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/order-verdicts.services.test.ts',
);

const verdicts = {
  charged_once: 'Charged once',
  charged_twice: 'Charged twice?',
  nothing_happened: 'Not charged',
  open: 'Not charged yet',
  unknown_to_app: 'Unknown to your app',
};
describe.skipIf(isSkipped)(`orders on the dashboard${why}`, { timeout: 120_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;

  beforeAll(async () => {
    browser = await connectToChromium();
    sandbox = await startShop();
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
  });

  it('are all on the home page', async () => {
    const page = await openDashboard(browser, sandbox);
    for (const { id } of troubledOrders) await page.getByRole('link', { name: id, exact: true }).waitFor();
  });

  it.each(troubledOrders)('$id: $what', async ({ id, verdict }) => {
    const page = await openDashboard(browser, sandbox, `#/stories/${id}`);
    await page.getByRole('heading', { name: id }).waitFor();
    await page.getByText(verdicts[verdict], { exact: true }).first().waitFor();
    expect(sandbox.story(id)?.verdict).toBe(verdict);
  });
});
