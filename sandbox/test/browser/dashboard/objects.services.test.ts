/**
 * Objects in the dashboard, with their history.
 *
 * @module-tag thorough
 */

import type { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pollTimeout } from '../../../../test/browser/poll-timeout.ts';
import { hasChromium } from '../../../../test/support/chromium.ts';
import { pageOf } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { withNewSandboxes } from './new-sandboxes.ts';
import { openDashboard, rowOf } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/objects.services.test.ts',
);

describe.skipIf(isSkipped)(`objects in the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  withNewSandboxes((desk) => ({ browser, sandbox, payments } = desk));

  it('shows an object with the changes of each event, and links to related objects', async () => {
    const intent = sandbox.add('payment_intent');
    sandbox.pay(intent.id);
    const page = await openDashboard(browser, sandbox, '#/objects');
    await page.getByRole('link', { name: 'Payment intents 1' }).click();
    await page.getByRole('link', { name: intent.id }).click();
    const history = page.locator('.history > li');
    await history.nth(1).waitFor();
    const [first, second] = await history.allTextContents();
    expect(first).toMatch(/payment_intent\.created\s*requires payment method$/);
    expect(second).toContain('payment_intent.succeeded');
    expect(second).toContain('status"requires_payment_method""succeeded"');
    const charge = sandbox.get('payment_intent', intent.id)?.latest_charge_id ?? '';
    await page.getByRole('figure', { name: 'JSON' }).getByRole('link', { name: charge }).click();
    await page.getByRole('heading', { name: charge }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: intent.id }).waitFor();
  });

  it('links the operation of an object', async () => {
    const { id } = await payments.paymentIntents.create(
      { amount: 5500, currency: 'usd' },
      { operationId: 'order-100' },
    );
    const page = await openDashboard(browser, sandbox, `#/objects/payment_intent/${id}`);
    await page.getByText('Not charged yet').waitFor();
    await page.getByRole('link', { name: 'order-100' }).click();
    await page.getByRole('heading', { name: 'order-100' }).waitFor();
  });

  it('shows the distinguishing columns of each kind', async () => {
    sandbox.add('customer', { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' });
    const { id } = sandbox.add('refund', { amount: 1250, reason: 'too late' });
    await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
    const page = await openDashboard(browser, sandbox, '#/objects/customer');
    await rowOf(page, 'Ada Byron').getByText('ada@example.com').waitFor();
    await page.goto(`${sandbox.url}/#/objects/refund`);
    const row = rowOf(page, id);
    for (const text of ['$12.50', 'too late', 'pending']) await row.getByText(text).waitFor();
    await page.goto(`${sandbox.url}/#/objects/transaction`);
    await rowOf(page, 'sale').getByText('$12.00').waitFor();
  });

  it('filters objects by text and state', async () => {
    sandbox.add('customer', { email: 'ada@example.com' });
    sandbox.add('customer', { email: 'bob@example.com' });
    const intent = sandbox.add('payment_intent');
    sandbox.add('payment_intent');
    sandbox.pay(intent.id);
    const page = await openDashboard(browser, sandbox, '#/objects/customer');
    const rows = page.locator('tbody').getByRole('row');
    await rows.nth(1).waitFor();
    await page.getByLabel('Search').fill('bob');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.getByText('bob@example.com').waitFor();
    await page.goto(`${sandbox.url}/#/objects/payment_intent`);
    await rows.nth(1).waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption('succeeded');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.getByRole('link', { name: intent.id }).waitFor();
  });

  it('updates the open object', async () => {
    const { id } = sandbox.add('refund');
    const page = await openDashboard(browser, sandbox, `#/objects/refund/${id}`);
    await page.getByText('refund.created').waitFor();
    await sandbox.clock.advance('1 minute');
    await page.getByText('refund.succeeded').waitFor();
    await page.getByText('"status": "succeeded"').waitFor();
  });

  it('shows a change without an event', async () => {
    const { id } = sandbox.add('refund');
    sandbox.update('refund', id, { reason: 'too late' });
    const page = await openDashboard(browser, sandbox, `#/objects/refund/${id}`);
    await page.getByText('Changed later, without an event').waitFor();
    await page.locator('ins').filter({ hasText: '"too late"' }).waitFor();
  });

  it('shows no secret of an object', async () => {
    const { id, secret } = sandbox.webhooks.deliverTo('http://127.0.0.1:9/webhooks');
    const page = await openDashboard(browser, sandbox, `#/objects/webhook_endpoint/${id}`);
    await page.getByText('"secret": "(not shown)"').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('pages through objects and back without skipping any while new ones arrive', async () => {
    const ids = Array.from({ length: 70 }, () => sandbox.add('customer').id).toReversed();
    const page = await openDashboard(browser, sandbox, '#/objects/customer');
    const rows = page.locator('tbody').getByRole('row');
    const shown = async () => (await rows.allTextContents()).map((text) => text.slice(0, ids[0]?.length));
    await rows.nth(49).waitFor();
    expect(await shown()).toEqual(ids.slice(0, 50));
    await page.getByRole('link', { name: 'Older' }).click();
    await rows.filter({ hasText: ids.at(-1) ?? '' }).waitFor();
    sandbox.add('customer');
    expect(await shown()).toEqual(ids.slice(50));
    expect(await page.getByRole('link', { name: 'Older' }).count()).toBe(0);
    await page.reload();
    await rows.nth(19).waitFor();
    expect(await shown()).toEqual(ids.slice(50));
    await page.goBack();
    await rows.nth(49).waitFor();
    expect((await shown()).slice(1)).toEqual(ids.slice(0, 49));
  });

  it('focuses the linked page and sets its title', async () => {
    const { id } = sandbox.add('refund');
    const page = await openDashboard(browser, sandbox, '#/objects/refund');
    await page.getByRole('link', { name: id }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: id }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('All refunds');
    await expect.poll(() => page.title(), pollTimeout).toBe(`${id} – Sandbox`);
  });

  it('links the checkout page of an open session', async () => {
    const { id } = sandbox.add('checkout_session');
    const page = await openDashboard(browser, sandbox, `#/objects/checkout_session/${id}`);
    const link = page.getByRole('link', { name: 'Open the checkout page' });
    await link.waitFor();
    expect(await link.evaluate((element: HTMLAnchorElement) => element.href)).toBe(pageOf(sandbox, id));
    sandbox.pay(id);
    await link.waitFor({ state: 'detached' });
  });

  it('escapes all values, and requests nothing from other origins', async () => {
    const evil = '<img src=x onerror="document.title=1">';
    const { id } = sandbox.add('product', { name: evil });
    const page = await openDashboard(browser, sandbox, '');
    const origins: string[] = [];
    page.on('request', (request) => origins.push(new URL(request.url()).origin));
    await page.goto(`${sandbox.url}/#/objects/product/${id}`);
    await page.getByText('onerror').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await page.goto(`${sandbox.url}/#/objects/${encodeURIComponent(evil)}`);
    await page.getByRole('alert').waitFor();
    expect(await page.title()).toContain('onerror');
    expect(new Set(origins)).toEqual(new Set([sandbox.url]));
  });
});
