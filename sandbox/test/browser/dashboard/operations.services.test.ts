/**
 * The home page of the dashboard: every business operation with its verdict.
 *
 * @module-tag thorough
 */

import type { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium, viewports } from '../../../../test/support/chromium.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { summaries } from './fixtures.ts';
import { withNewSandboxes } from './new-sandboxes.ts';
import { buy, buyWithLostReply, openDashboard, operationRow } from './open-dashboard.ts';

const file = 'test/browser/dashboard/operations.services.test.ts';
const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', file);

describe.skipIf(isSkipped)(`the operations on the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  withNewSandboxes((desk) => ({ browser, sandbox, payments } = desk));

  it('shows an order as it happens: the lost reply, the replay, and one charge', async () => {
    sandbox.webhooks.deliverTo(() => new Response());
    const page = await openDashboard(browser, sandbox);
    await buyWithLostReply(sandbox, payments, 'order-100');
    await operationRow(page, 'order-100').getByText('Unknown to your app').waitFor();
    await buy(payments, 'order-100');
    const row = operationRow(page, 'order-100');
    await row.getByText('Charged once').waitFor();
    await row.getByText('$55.00', { exact: true }).waitFor();
    await row.getByText('A reply was lost; the app retried the request and got the same reply.').waitFor();
  });

  it('shows a badge and a reason for each verdict', async () => {
    const answers = { 'GET stories': { data: summaries, has_more: false } };
    const page = await openDashboard(browser, sandbox, '', { answers });
    const shown = {
      unknown_to_app: 'Unknown to your app',
      charged_twice: 'Charged twice?',
      open: 'Not charged yet',
    };
    const texts = { ...shown, charged_once: 'Charged once', nothing_happened: 'Not charged' };
    for (const { title, verdict, reason } of summaries) {
      await operationRow(page, title).getByText(texts[verdict], { exact: true }).waitFor();
      await operationRow(page, title).getByText(reason).waitFor();
    }
  });

  it('lists what needs somebody first, with the next step', async () => {
    await buyWithLostReply(sandbox, payments, 'order-1');
    // Sooner, it would be the same purchase.
    await sandbox.clock.advance('11 minutes');
    await buy(payments, 'order-2');
    const page = await openDashboard(browser, sandbox);
    await operationRow(page, 'order-2').waitFor();
    expect(await page.locator('.operation a').allTextContents()).toEqual(['order-1', 'order-2']);
    await operationRow(page, 'order-1').getByText('Send paymentIntents.confirm again').waitFor();
    await page.getByRole('combobox', { name: 'Needs you' }).selectOption('Any reason');
    await operationRow(page, 'order-2').waitFor({ state: 'detached' });
  });

  it('are where they were after Back, and four fit a phone', async () => {
    for (let count = 1; count <= 20; count += 1) await buyWithLostReply(sandbox, payments, `order-${count}`);
    const page = await openDashboard(browser, sandbox, '', { viewport: viewports.phone });
    const fourth = page.locator('.operation').nth(3);
    await fourth.waitFor();
    const box = await fourth.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewports.phone.height);
    await page.getByRole('link', { name: 'order-3', exact: true }).scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'order-3', exact: true }).click();
    await page.getByRole('heading', { name: 'order-3', exact: true }).waitFor();
    await page.goBack();
    await page.waitForFunction((y) => scrollY === y, before);
  });

  it('filters by verdict and text in the URL, and Back undoes it', async () => {
    await buy(payments, 'order-1');
    await sandbox.clock.advance('11 minutes');
    await buyWithLostReply(sandbox, payments, 'order-2');
    const page = await openDashboard(browser, sandbox);
    await operationRow(page, 'order-1').waitFor();
    await page.getByRole('combobox', { name: 'Verdict' }).selectOption('Unknown to your app');
    await operationRow(page, 'order-1').waitFor({ state: 'detached' });
    await operationRow(page, 'order-2').waitFor();
    expect(page.url()).toContain('#/?verdict=unknown_to_app');
    await page.getByRole('searchbox', { name: 'Search' }).fill('order-1');
    await page.getByText('No operation matches the filter.').waitFor();
    expect(page.url()).toContain('q=order-1');
    await page.goBack();
    await operationRow(page, 'order-1').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('');
  });

  it('pages to older operations and back to the newest', async () => {
    for (let count = 1; count <= 52; count += 1)
      await payments.paymentIntents.create(
        { amount: 100, currency: 'usd' },
        { operationId: `order-${count}` },
      );
    const page = await openDashboard(browser, sandbox);
    await page.getByRole('link', { name: 'Older' }).click();
    // `order-1` also matches `order-10` on the newest page.
    await page.locator('.operation').nth(2).waitFor({ state: 'detached' });
    await operationRow(page, 'order-1').waitFor();
    expect(await page.locator('.operation').count()).toBe(2);
    await page.getByRole('link', { name: 'Newest' }).click();
    await operationRow(page, 'order-52').waitFor();
    expect(await page.locator('.operation').count()).toBe(50);
  });

  it('opens an operation by a click on its row or its link', async () => {
    await buy(payments, 'order-1');
    const page = await openDashboard(browser, sandbox);
    await operationRow(page, 'order-1').click();
    await page.getByRole('heading', { name: 'order-1' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'order-1' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'order-1' }).waitFor();
  });

  it('shows how to send the first payment, and makes orders that go wrong', async () => {
    const page = await openDashboard(browser, sandbox);
    const first = page.getByRole('region', { name: 'First steps' });
    await first.getByText(`baseUrl: '${sandbox.url}'`).waitFor();
    await first.getByText('PAYMENTS_SECRET_KEY').waitFor();
    expect(await page.content()).not.toContain(sandbox.secretKey);
    await first.getByRole('button', { name: 'Show orders that go wrong' }).click();
    await page.getByText('Charged twice?', { exact: true }).nth(1).waitFor();
  });

  it('keeps focus and scroll position while operations arrive', async () => {
    await buy(payments, 'order-1');
    const page = await openDashboard(browser, sandbox);
    await page.getByRole('link', { name: 'order-1' }).focus();
    await buy(payments, 'order-2');
    await operationRow(page, 'order-2').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('order-1');
  });

  it('escapes all values, and requests nothing from other origins', async () => {
    const evil = '<img src=x onerror="document.title=1">';
    await payments.paymentIntents.create({ amount: 100, currency: 'usd' }, { operationId: evil });
    const page = await openDashboard(browser, sandbox);
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    await page.getByRole('link', { name: evil }).click();
    await page.getByRole('heading', { name: evil }).waitFor();
    await page.goto(`${sandbox.url}/#/stories/${encodeURIComponent(evil.repeat(2))}`);
    await page.getByRole('alert').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect([await page.title(), origins]).toEqual([`${evil.repeat(2)} – Sandbox`, new Set([sandbox.url])]);
  });
});
