/**
 * The dashboard's shell: connection, clock, status strip, navigation.
 *
 * @module-tag thorough
 */

import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import type { Browser } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasChromium, viewports } from '../../../../test/support/chromium.ts';
import { clientOf, startSandbox } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { calmState } from './mock-control.ts';
import { withNewSandboxes } from './new-sandboxes.ts';
import { buy, openDashboard, operationRow } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/shell.services.test.ts',
);

describe.skipIf(isSkipped)(`the frame of the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;

  withNewSandboxes((desk) => ({ browser, sandbox } = desk));

  it('reconnects after an outage, and loads what it missed', async () => {
    const own = await createSandbox().listen();
    onTestFinished(() => own.close());
    const port = Number(new URL(own.url).port);
    const page = await openDashboard(browser, own);
    await own.close();
    await page.getByText('disconnected').waitFor();
    await own.listen({ port });
    await buy(clientOf(own), 'order-1');
    await page.getByText('connected', { exact: true }).waitFor();
    await operationRow(page, 'order-1').waitFor();
  });

  it('reloads when another sandbox took over the port', async () => {
    const first = await createSandbox().listen();
    const port = Number(new URL(first.url).port);
    const page = await openDashboard(browser, first);
    await first.close();
    await page.getByText('disconnected').waitFor();
    const second = createSandbox();
    onTestFinished(() => second.close());
    await second.listen({ port });
    await buy(clientOf(second), 'order-2');
    await operationRow(page, 'order-2').waitFor();
  });

  it('shows the time and whether it runs, without announcing every change', async () => {
    const page = await openDashboard(browser, sandbox);
    const timer = page.getByRole('timer', { name: 'Sandbox time' });
    await timer.getByText('2026-01-01 00:00:00 UTC').waitFor();
    await page.getByText('paused', { exact: true }).waitFor();
    await sandbox.clock.advance('1 hour');
    await timer.getByText('2026-01-01 01:00:00 UTC').waitFor();
    const running = await startSandbox({ clock: 'running' });
    await page.goto(running.url);
    await page.getByText('running', { exact: true }).waitFor();
    expect(await page.locator('output').count()).toBe(0);
  });

  it('advances the clock and shows what happened, with links', async () => {
    sandbox.webhooks.deliverTo(() => new Response());
    sandbox.add('checkout_session');
    await sandbox.settled();
    const page = await openDashboard(browser, sandbox);
    await page.getByRole('button', { name: '+1 day' }).click();
    const message = page.getByRole('status', { name: 'Messages' });
    await message.getByText('1 event happened; 1 delivery arrived').waitFor();
    expect(await message.getByRole('link').allTextContents()).toEqual(['Activity']);
    await message.getByRole('button', { name: 'Dismiss' }).click();
    await message.getByText('1 event happened').waitFor({ state: 'detached' });
    await page.getByLabel('Advance by').fill('3 days');
    await page.keyboard.press('Enter');
    await page.getByText('2026-01-05 00:00:00 UTC').waitFor();
  });

  it('shows why the clock cannot be advanced', async () => {
    const page = await openDashboard(browser, sandbox);
    await page.getByLabel('Advance by').fill('a while');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert').filter({ hasText: 'expected' });
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });
  });

  it('always shows faults, failing deliveries and what is due', async () => {
    sandbox.webhooks.deliverTo(() => new Response('no', { status: 500 }));
    sandbox.faults.inject({ kind: 'unavailable', times: 2 });
    sandbox.faults.inject({ kind: 'rate_limit' });
    sandbox.add('customer');
    await sandbox.settled();
    const page = await openDashboard(browser, sandbox, '#/activity');
    const strip = page.getByRole('list', { name: 'State of the sandbox' });
    await strip.getByRole('link', { name: '2 faults armed' }).waitFor();
    await strip.getByRole('link', { name: '1 failed delivery' }).waitFor();
    await strip.getByText('Ledger balanced').waitFor();
    await strip.getByText('Next: ').waitFor();
    await strip.getByRole('button', { name: 'Clear all faults' }).click();
    await strip.getByRole('link', { name: 'No faults' }).waitFor();
    const attempts = () => sandbox.webhooks.deliveries()[0]?.attempts.length;
    expect(attempts()).toBe(1);
    await strip.getByRole('button', { name: 'Advance to it' }).click();
    await page.getByRole('status', { name: 'Messages' }).getByText('1 failed').waitFor();
    expect(attempts()).toBe(2);
  });

  it('shows which currency does not balance', async () => {
    const problem = 'USD: debits exceed credits by $1.00';
    const answers = { 'GET state': { ...calmState, books: { balanced: false, problem } } };
    const page = await openDashboard(browser, sandbox, '', { answers });
    await page.getByText(`Ledger not balanced: ${problem}`).waitFor();
  });

  it('keeps the header and table headings in view while scrolling', async () => {
    const payments = clientOf(sandbox);
    for (let count = 0; count < 40; count += 1) await payments.customers.list();
    const page = await openDashboard(browser, sandbox, '#/activity');
    await page.getByRole('row').nth(40).waitFor();
    await page.evaluate(() => scrollTo(0, 600));
    const header = await page.getByRole('banner').boundingBox();
    const head = await page.getByRole('columnheader').first().boundingBox();
    expect(header?.y).toBe(0);
    expect(Math.abs((head?.y ?? 0) - (header?.height ?? 0))).toBeLessThanOrEqual(1);
  });

  it('sets the title of each page, and focuses it', async () => {
    const page = await openDashboard(browser, sandbox);
    await page.getByRole('link', { name: 'Activity' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    expect(await page.title()).toBe('Activity – Sandbox');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    expect(await page.locator('nav [aria-current=page]').allTextContents()).toEqual(['Activity']);
  });

  it('skips to the content with the keyboard', async () => {
    const page = await openDashboard(browser, sandbox);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  });

  it('shows an unknown address as not found', async () => {
    const page = await openDashboard(browser, sandbox, '#/nonsense');
    await page.getByText('This page does not exist.').waitFor();
    await page.getByRole('link', { name: 'Show all operations' }).click();
    await page.getByRole('heading', { name: 'Operations' }).waitFor();
  });

  it('hides navigation and clock behind buttons on phones', async () => {
    const page = await openDashboard(browser, sandbox, '', { viewport: viewports.phone });
    const activity = page.getByRole('link', { name: 'Activity' });
    const day = page.getByRole('button', { name: '+1 day' });
    expect([await activity.isVisible(), await day.isVisible()]).toEqual([false, false]);
    await page.getByRole('button', { name: 'Advance clock' }).click();
    await day.waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await activity.click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    expect(await activity.isVisible()).toBe(false);
  });
});
