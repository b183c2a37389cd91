/**
 * What stands around each section of the dashboard: connection, clock, strip, navigation.
 *
 * @module-tag thorough
 */

import { createSandbox, type Sandbox } from 'payments-client/sandbox';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { connectToChromium, hasChromium, openPage, viewports } from '../../support/chromium.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';
import { skipWithout } from '../../support/skip.ts';
import { calmState, mockControl } from './mock-control.ts';
import { buy, openDashboard, rowOf } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'test/browser/dashboard/shell.test.ts');

describe.skipIf(isSkipped)(`the frame of the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;

  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    sandbox = await startSandbox();
  });

  it('goes on after the sandbox was away, with what was missed', async () => {
    const own = await createSandbox().listen();
    onTestFinished(() => own.close());
    const port = Number(new URL(own.url).port);
    const page = await openDashboard(browser, own);
    await own.close();
    await page.getByText('disconnected').waitFor();
    await own.listen({ port });
    await buy(clientOf(own), 'order-1');
    await page.getByText('live', { exact: true }).waitFor();
    await rowOf(page, 'order-1').waitFor();
  });

  it('goes on when another sandbox has taken the place of the first', async () => {
    const first = await createSandbox().listen();
    const port = Number(new URL(first.url).port);
    const page = await openDashboard(browser, first);
    await first.close();
    await page.getByText('disconnected').waitFor();
    const second = createSandbox();
    onTestFinished(() => second.close());
    await second.listen({ port });
    await buy(clientOf(second), 'order-2');
    await rowOf(page, 'order-2').waitFor();
  });

  it('shows the time, whether it runs, and reads it aloud only on demand', async () => {
    const clock = { ...calmState.clock, running: true };
    const page = await openDashboard(browser, sandbox, '', {
      answers: { 'GET state': { ...calmState, clock } },
    });
    await page
      .getByRole('timer', { name: 'Time of the sandbox' })
      .getByText('2026-01-01 00:10:00 UTC')
      .waitFor();
    await page.getByText('running', { exact: true }).waitFor();
    expect(await page.locator('output').count()).toBe(0);
  });

  it('moves the clock and says what happened meanwhile, with links', async () => {
    const page = await openPage(browser);
    const summary = {
      events: [{ type: 'checkout.session.expired', count: 1 }],
      delivered: 1,
      failed: 0,
      text: '1 event happened; 1 delivery arrived.',
    };
    const calls = await mockControl(page, {
      'GET state': calmState,
      'POST clock': { ...calmState.clock, summary },
    });
    await page.goto(sandbox.url);
    await page.getByRole('button', { name: '+1 day' }).click();
    const message = page.getByRole('status', { name: 'Messages' });
    await message.getByText(summary.text).waitFor();
    expect(await message.getByRole('link').allTextContents()).toEqual(['Events', 'Deliveries']);
    await message.getByRole('button', { name: 'Dismiss' }).click();
    await message.getByText(summary.text).waitFor({ state: 'detached' });
    await page.getByLabel('Advance by').fill('3 days');
    await page.keyboard.press('Enter');
    await message.getByText(summary.text).waitFor();
    const moves = calls.filter(({ call }) => call === 'POST clock').map(({ body }) => body);
    expect(moves).toEqual([{ advance: '1 day' }, { advance: '3 days' }]);
  });

  it('says why the clock cannot be moved', async () => {
    const page = await openDashboard(browser, sandbox);
    await page.getByLabel('Advance by').fill('a while');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert').filter({ hasText: 'expected' });
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });
  });

  it('never lets faults, failing deliveries, what is due, and unbalanced books out of sight', async () => {
    const page = await openPage(browser);
    const what = 'retry of payment_intent.succeeded to http://127.0.0.1:9/';
    const at = calmState.clock.now + 300_000;
    const calls = await mockControl(page, {
      'GET state': {
        ...calmState,
        armed_faults: 2,
        failing_deliveries: 1,
        due: [{ at, kind: 'delivery', id: 'dlv_1', what }],
        books: { balanced: false, problem: 'USD: debits exceed credits by $1.00' },
      },
      'POST clock': { summary: { events: [], delivered: 0, failed: 0, text: 'Nothing happened.' } },
      'DELETE faults': { cleared: true },
    });
    await page.goto(`${sandbox.url}/#/requests`);
    const strip = page.getByRole('list', { name: 'State of the sandbox' });
    await strip.getByRole('link', { name: '2 faults armed' }).waitFor();
    await strip.getByRole('link', { name: '1 delivery fails' }).waitFor();
    await strip.getByRole('link', { name: 'Books not balanced: USD' }).waitFor();
    await strip.getByText(`Next: ${what}`).waitFor();
    await strip.getByText('in 5 min').waitFor();
    await strip.getByRole('button', { name: 'Clear all faults' }).click();
    await strip.getByRole('button', { name: 'Advance the clock to what is due next' }).click();
    await page.getByText('Nothing happened.').waitFor();
    const commands = calls.filter(({ call }) => !call.startsWith('GET'));
    expect(commands.map(({ call, body }) => [call, body])).toEqual([
      ['DELETE faults', null],
      ['POST clock', { advance: 300_000 }],
    ]);
  });

  it('stays in view when the page scrolls, and so do the heads of tables', async () => {
    const payments = clientOf(sandbox);
    for (let count = 0; count < 40; count += 1) await payments.customers.list();
    const page = await openDashboard(browser, sandbox, '#/requests');
    await page.getByRole('row').nth(40).waitFor();
    await page.evaluate(() => scrollTo(0, 600));
    const header = await page.getByRole('banner').boundingBox();
    const head = await page.getByRole('columnheader').first().boundingBox();
    expect(header?.y).toBe(0);
    expect(Math.abs((head?.y ?? 0) - (header?.height ?? 0))).toBeLessThanOrEqual(1);
  });

  it('names each page, and lets the keyboard go on from it', async () => {
    const page = await openDashboard(browser, sandbox);
    await page.getByRole('link', { name: 'Requests' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    expect(await page.title()).toBe('Requests – Sandbox');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    expect(await page.locator('nav [aria-current=page]').allTextContents()).toEqual(['Requests']);
  });

  it('skips to the page by the keyboard', async () => {
    const page = await openDashboard(browser, sandbox);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  });

  it('says that there is no such page', async () => {
    const page = await openDashboard(browser, sandbox, '#/nonsense');
    await page.getByText('There is no such page.').waitFor();
    await page.getByRole('link', { name: 'Show all operations' }).click();
    await page.getByRole('heading', { name: 'Operations' }).waitFor();
  });

  it('has navigation and clock behind buttons on phones', async () => {
    const page = await openDashboard(browser, sandbox, '', { viewport: viewports.phone });
    const requests = page.getByRole('link', { name: 'Requests' });
    const day = page.getByRole('button', { name: '+1 day' });
    expect([await requests.isVisible(), await day.isVisible()]).toEqual([false, false]);
    await page.getByRole('button', { name: 'Move clock' }).click();
    await day.waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await requests.click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    expect(await requests.isVisible()).toBe(false);
  });
});
