/**
 * Orders with lost replies, retries and disputes, on the home page and on their own pages.
 *
 * @module-tag thorough
 */

import type { Sandbox } from 'payments-client/sandbox';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../../support/axe.ts';
import { connectToChromium, hasChromium } from '../../support/chromium.ts';
import { skipWithout } from '../../support/skip.ts';
import { startShop, troubledOrders } from '../../support/troubled-orders.ts';
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
const sizes = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1920, height: 1080 },
];
const looks = sizes.flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${viewport.width} px, ${colorScheme}`,
    viewport,
    colorScheme,
  })),
);

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

  const clipped = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

  it.each(looks)(
    'are all on the home page, and nothing is clipped: $name',
    async ({ viewport, colorScheme }) => {
      const page = await openDashboard(browser, sandbox, '', { viewport, colorScheme });
      for (const { id } of troubledOrders) await page.getByRole('link', { name: id, exact: true }).waitFor();
      expect(await page.evaluate(clipped)).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
    },
  );

  it.each(
    troubledOrders.map((order, index) => ({ ...order, look: looks[index % looks.length] ?? looks[0] })),
  )('$id: $what', async ({ id, verdict, look }) => {
    const page = await openDashboard(browser, sandbox, `#/stories/${id}`, look);
    await page.getByRole('heading', { name: id }).waitFor();
    await page.getByText(verdicts[verdict], { exact: true }).first().waitFor();
    expect(sandbox.story(id)?.verdict).toBe(verdict);
    expect(await page.evaluate(clipped)).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  });
});
