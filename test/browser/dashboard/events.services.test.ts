/**
 * Events and their deliveries in the dashboard.
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
  'test/browser/dashboard/events.services.test.ts',
);

describe.skipIf(isSkipped)(`events in the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  withNewSandboxes((desk) => ({ browser, sandbox, payments } = desk));

  it('shows an event with its failed delivery, and redelivers it', async () => {
    let status = 500;
    sandbox.webhooks.deliverTo(() => new Response('what the endpoint said', { status }));
    const page = await openDashboard(browser, sandbox, '#/events');
    const { id } = await payments.customers.create({ email: 'ada@example.com' });
    await rowOf(page, 'customer.created').getByText('pending: 500').waitFor();
    await rowOf(page, 'customer.created').getByRole('link', { name: 'customer.created' }).click();
    await page.getByText('what the endpoint said').waitFor();
    expect(await page.getByRole('figure', { name: 'JSON' }).textContent()).toContain(id);
    status = 200;
    await page.getByRole('button', { name: 'Redeliver', exact: true }).click();
    await page.getByText('delivered: 200').waitFor();
    await page.getByText('replayed').waitFor();
    await page.getByRole('status').filter({ hasText: 'redelivers it to 1 endpoint.' }).waitFor();
    expect(sandbox.webhooks.deliveries().map((one) => one.status)).toEqual(['pending', 'delivered']);
    await page.getByRole('button', { name: 'Redeliver to this endpoint' }).first().click();
    await page.getByText('delivered: 200').nth(1).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Redeliver to this');
  });

  it('filters events by type and text, and keeps the filter in the URL', async () => {
    const { id } = sandbox.add('refund');
    sandbox.add('customer');
    const page = await openDashboard(browser, sandbox, '#/events');
    const rows = page.locator('tbody').getByRole('row');
    await rows.nth(1).waitFor();
    await page.getByLabel('Type').selectOption('refund.created');
    await rows.nth(1).waitFor({ state: 'detached' });
    await page.goBack();
    await rows.nth(1).waitFor();
    await page.getByLabel('Search').fill(id);
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(page.url()).toContain(`q=${id}`);
    await page.getByLabel('Search').fill('teapot');
    await page.getByText('No event matches the filter.').waitFor();
  });

  it('pages to older events and back', async () => {
    for (let count = 0; count < 60; count += 1) sandbox.add('customer');
    const ids = sandbox.events.map(({ id }) => id).toReversed();
    const page = await openDashboard(browser, sandbox, '#/events');
    const rows = page.locator('tbody').getByRole('row');
    await rows.nth(49).waitFor();
    await page.getByRole('link', { name: 'Older' }).click();
    await rows.nth(49).waitFor({ state: 'detached' });
    const hrefs = rows.getByRole('link', { name: 'customer.created' });
    const shown = await hrefs.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(shown).toEqual(ids.slice(50).map((id) => `#/events/${id}`));
    await page.getByRole('link', { name: 'Newest' }).click();
    await rows.nth(49).waitFor();
  });

  it('keeps the focus while new events arrive', async () => {
    sandbox.add('customer');
    const page = await openDashboard(browser, sandbox, '#/events');
    await page.getByRole('link', { name: 'customer.created' }).focus();
    await payments.customers.create({ email: 'ada@example.com' });
    await page.locator('tbody').getByRole('row').nth(1).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('customer.created');
  });

  it('says that an event has no endpoint', async () => {
    sandbox.trigger('chargeback.received');
    const page = await openDashboard(browser, sandbox, '#/events');
    await rowOf(page, 'chargeback.received').getByText('no endpoint').waitFor();
    await page.getByRole('link', { name: 'chargeback.received' }).click();
    await page.getByText('None: no endpoint subscribes to it.').waitFor();
  });
});
