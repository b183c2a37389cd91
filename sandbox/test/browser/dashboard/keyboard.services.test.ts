/**
 * The dashboard with the keyboard alone: the focus is always visible, and never lost.
 *
 * @module-tag thorough
 */

import type { Sandbox } from 'payments-client-sandbox';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { focusOf, tabTo } from '../../../../test/browser/tab-to.ts';
import { connectToChromium, hasChromium, viewports } from '../../../../test/support/chromium.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { moreOrders, startShop, troubledOrders } from '../../../../test/support/troubled-orders.ts';
import { openDashboard } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/keyboard.services.test.ts',
);

const orders = [...troubledOrders, ...moreOrders.filter(({ id }) => id === 'order-202')];
const retry = 'Retry the refund of $43.00';

describe.skipIf(isSkipped)(`the dashboard with the keyboard alone${why}`, { timeout: 60_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;

  beforeAll(async () => {
    browser = await connectToChromium();
    sandbox = await startShop(orders);
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
  });

  it.each(Object.entries(viewports))(
    'opens an order, and is back on its link after Back, on a %s',
    async (_screen, viewport) => {
      const page = await openDashboard(browser, sandbox, '', { viewport });
      await tabTo(page, 'order-108');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'order-108' }).waitFor();
      await page.keyboard.press('Tab');
      await page.goBack();
      await page.getByRole('heading', { name: 'Operations' }).waitFor();
      await expect.poll(() => focusOf(page)).toEqual({ name: 'order-108', isVisible: true });
    },
  );

  it('does what an order needs, and keeps the focus when its button disappears', async () => {
    const page = await openDashboard(browser, sandbox);
    await tabTo(page, 'order-202');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'order-202' }).waitFor();
    await tabTo(page, retry);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: retry });
    await dialog.waitFor();
    expect(await focusOf(page)).toEqual({ name: retry, isVisible: true });
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: retry }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    await tabTo(page, 'All operations');
  });
});
