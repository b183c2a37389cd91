/**
 * Each page of the dashboard in each state: no violations that axe finds, and nothing cut off or covered, on any screen.
 *
 * @module-tag thorough
 */

import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { expectNoFlaws, looks } from '../../../../test/browser/expect-no-flaws.ts';
import { clientOf } from '../../../../test/support/sandbox.ts';
import { moreOrders, startShop, troubledOrders } from '../../../../test/support/troubled-orders.ts';
import { describeDashboard } from './desk.ts';

const orders = [
  ...troubledOrders,
  ...moreOrders.filter(({ id }) => ['order-202', 'order-221', 'order-224'].includes(id)),
];

/** The header at its fullest. */
const busyState = {
  clock: { now: Date.UTC(2026, 0, 1, 0, 10), time: '2026-01-01T00:10:00.000Z', running: false },
  objects: {},
  pending_deliveries: 0,
  armed_faults: 2,
  failing_deliveries: 3,
  due: [
    {
      at: Date.UTC(2026, 0, 1, 0, 11),
      kind: 'delivery',
      id: 'dlv_2',
      what: `retry to http://127.0.0.1/${'x'.repeat(90)}`,
    },
  ],
  books: { balanced: false, problem: 'USD: debits exceed credits by $55.00' },
};

/** Adds what the orders lack to a sandbox. */
async function fill(sandbox: Sandbox): Promise<void> {
  const payments = clientOf(sandbox, { maxRetries: 0 });
  sandbox.faults.inject({ kind: 'unavailable' });
  await payments.customers.list().catch(() => {});
  await payments.paymentIntents
    .create({ amount: -1, currency: 'usd' }, { operationId: 'refused' })
    .catch(() => {});
  sandbox.faults.inject({ kind: 'drop_reply' });
  sandbox.faults.inject({ kind: 'drop_delivery' });
  await sandbox.settled();
}

/** Returns the addresses of all pages. */
function addressesOf(sandbox: Sandbox): readonly string[] {
  const event = sandbox.events.find(({ type }) => type === 'payment_intent.succeeded');
  const intent = String(Reflect.get(event?.data.object ?? {}, 'id'));
  return [
    '',
    '?needs=any',
    '?verdict=open',
    '?q=order-10',
    '?q=nobody',
    ...orders.map(({ id }) => `stories/${id}`),
    'stories/nobody',
    'activity',
    'activity?kind=event',
    'activity?status=fault',
    `activity/${event?.id}`,
    'activity/1',
    'objects',
    'objects/payment_intent',
    'objects/customer',
    `objects/payment_intent/${intent}`,
    'endpoints',
    'faults',
    'tools',
    'nonsense',
  ];
}

/** Opens what an order's page hides at first: its steps, then each dialog. */
const openings: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  steps: async (page) => {
    for (const toggle of await page.locator('.toggle').all()) await toggle.click();
    await page.getByText('Send it again').last().waitFor();
  },
  search: async (page) => {
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).fill('order');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
  },
  confirmation: async (page) => {
    await page.getByRole('button', { name: 'Refund $55.00' }).click();
    await page.getByRole('dialog').waitFor();
  },
};

describeDashboard('every page of the dashboard', (desk) => {
  let full: Sandbox;
  let empty: Sandbox;
  beforeAll(async () => {
    full = await startShop(orders);
    await fill(full);
    empty = await createSandbox().listen();
  });
  afterAll(async () => {
    await full?.close();
    await empty?.close();
  });

  it.each(looks)('has no flaw at $viewport.width px, $colorScheme', { timeout: 300_000 }, async (look) => {
    const page = await desk().open('', { of: full, ...look });
    await page.route('**/_sandbox/state', (route) => route.fulfill({ json: busyState }));
    const visit = async (address: string) => {
      await page.goto(`${full.url}/#/${address}`);
      await page.getByText('Loading…').waitFor({ state: 'detached' });
      await page
        .locator('main :is(table, .operations, .lanes, .card, .tiles, .presets, pre, .empty, [role=alert])')
        .first()
        .waitFor();
    };
    for (const address of addressesOf(full)) {
      await visit(address);
      await expectNoFlaws(page, address);
    }
    await visit('stories/order-100');
    for (const [name, open] of Object.entries(openings)) {
      await open(page);
      await expectNoFlaws(page, name);
      await page.keyboard.press('Escape');
    }
    await page.goto(`${empty.url}/`);
    await page.getByRole('region', { name: 'First steps' }).waitFor();
    await expectNoFlaws(page, 'first steps');
  });
});
