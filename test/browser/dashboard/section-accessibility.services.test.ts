/**
 * The other sections have no violations that axe finds, and clip nothing, on any screen.
 *
 * @module-tag thorough
 */

import type { Sandbox } from 'payments-client/sandbox';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../../support/axe.ts';
import { connectToChromium, hasChromium, viewports } from '../../support/chromium.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';
import { skipWithout } from '../../support/skip.ts';
import { buy, openDashboard } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/section-accessibility.services.test.ts',
);

/** Fills a sandbox with data for each section. Returns the addresses of the sections. */
async function fill(sandbox: Sandbox): Promise<readonly string[]> {
  const payments = clientOf(sandbox, { maxRetries: 0 });
  sandbox.webhooks.deliverTo(() => new Response('no', { status: 500 }));
  sandbox.seed({ customers: 2, intents: 20, months: 1 });
  await buy(payments, 'order-1');
  sandbox.faults.inject({ kind: 'unavailable' });
  await payments.customers.list().catch(() => {});
  sandbox.trigger('chargeback.received');
  await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  sandbox.faults.inject({ kind: 'drop_reply' });
  sandbox.faults.inject({ kind: 'drop_delivery' });
  await sandbox.settled();
  const event = sandbox.events.find(({ type }) => type === 'payment_intent.succeeded');
  const intent = String(Reflect.get(event?.data.object ?? {}, 'id'));
  return [
    'activity',
    'activity?kind=request',
    `activity/${event?.id}`,
    'objects',
    'objects/payment_intent',
    'objects/customer',
    `objects/payment_intent/${intent}`,
    'endpoints',
    'faults',
    'tools',
  ];
}

describe.skipIf(isSkipped)(`the sections of the dashboard${why}`, { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());

  describe.each(['light', 'dark'] as const)('have no accessibility violations, %s', (colorScheme) => {
    it.each([390, 768, 1280, 1920])('on a screen of %i pixels', async (width) => {
      const sandbox = await startSandbox();
      const addresses = await fill(sandbox);
      const page = await openDashboard(browser, sandbox, '', {
        colorScheme,
        viewport: { ...viewports.desktop, width },
      });
      for (const address of addresses) {
        await page.goto(`${sandbox.url}/#/${address}`);
        await page.getByText('Loading…').waitFor({ state: 'detached' });
        await page.locator('main :is(table, .card, .tiles, .presets, pre)').first().waitFor();
        expect((await violationsOf(page)).join(), address).toBe('');
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, address).toBeLessThanOrEqual(0);
      }
    });
  });
});
