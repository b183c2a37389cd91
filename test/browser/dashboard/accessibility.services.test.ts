/**
 * The dashboard has no violations that axe finds, and clips nothing, on any screen.
 *
 * @module-tag thorough
 */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../../support/axe.ts';
import { connectToChromium, hasChromium, viewports } from '../../support/chromium.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { skipWithout } from '../../support/skip.ts';
import { deliveries, entries, refused, story, summaries } from './fixtures.ts';
import { calmState } from './mock-control.ts';
import { openDashboard } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/accessibility.services.test.ts',
);

const busyState = {
  ...calmState,
  armed_faults: 2,
  failing_deliveries: 3,
  due: [
    {
      at: calmState.clock.now + 1,
      kind: 'delivery',
      id: 'dlv_2',
      what: `retry to http://127.0.0.1/${'x'.repeat(90)}`,
    },
  ],
  books: { balanced: false, problem: 'USD: debits exceed credits by $55.00' },
};
const answers = {
  'GET state': busyState,
  'GET stories': { data: summaries, has_more: true },
  'GET stories/order-100': story,
  'GET entries': { data: [refused, ...entries], deliveries, has_more: true },
  'GET entries/11': { entry: refused, effects: entries.slice(4, 7), deliveries, story: 'order-100' },
  'GET search': { data: [{ kind: 'charge', id: 'ch_1', title: 'ch_1', detail: '$55.00', href: '#/' }] },
};
const steps = entries.map(({ number }) => number).join(',');
const sections = [
  '#/',
  '#/?verdict=open',
  `#/stories/order-100?step=${steps}`,
  '#/activity',
  '#/activity?kind=event',
  '#/activity/11',
];

async function expectNoBarrier(page: Page, place: string): Promise<void> {
  expect((await violationsOf(page)).join('\n'), place).toBe('');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow, place).toBeLessThanOrEqual(0);
}

describe.skipIf(isSkipped)(`the dashboard${why}`, { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());

  describe.each(['light', 'dark'] as const)('has no accessibility violations, %s', (colorScheme) => {
    it.each([390, 768, 1280, 1920])('on a screen of %i pixels', async (width) => {
      const sandbox = await startSandbox();
      const viewport = { ...viewports.desktop, width };
      const page = await openDashboard(browser, sandbox, '', { colorScheme, viewport, answers });
      for (const section of sections) {
        await page.goto(`${sandbox.url}/${section}`);
        await page.getByRole('heading', { level: 2 }).waitFor();
        await page.locator('main table, main ol').first().waitFor();
        await expectNoBarrier(page, section);
      }
      await page.keyboard.press('/');
      await page.getByRole('combobox', { name: 'Search' }).fill('ch');
      await page.getByRole('dialog').getByRole('option').waitFor();
      await expectNoBarrier(page, 'search');
      await page.keyboard.press('Escape');
      await page.goto(`${sandbox.url}/#/stories/order-100`);
      await page.getByRole('button', { name: 'Refund $55.00' }).click();
      await page.getByRole('dialog').waitFor();
      await expectNoBarrier(page, 'confirm');
    });
  });

  it('has no accessibility violations before the first payment', async () => {
    const page = await openDashboard(browser, await startSandbox());
    await page.getByRole('region', { name: 'First steps' }).waitFor();
    await expectNoBarrier(page, 'first steps');
  });
});
