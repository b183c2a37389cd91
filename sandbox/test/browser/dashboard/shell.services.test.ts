/**
 * The dashboard's shell: connection, clock, status strip, navigation, search, and the keyboard.
 *
 * @module-tag thorough
 */

import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { focusOf, tabTo } from '../../../../test/browser/tab-to.ts';
import { viewports } from '../../../../test/support/chromium.ts';
import { clientOf, startSandbox } from '../../../../test/support/sandbox.ts';
import { moreOrders, startShop } from '../../../../test/support/troubled-orders.ts';
import { buy, describeDashboard, messages, operationRow } from './desk.ts';

describeDashboard('the frame', (desk) => {
  it.each([
    ['reconnects after an outage, and loads what it missed', false],
    ['reloads when another sandbox took over the port', true],
  ])('%s', async (_, isAnother) => {
    const first = await createSandbox().listen();
    onTestFinished(() => first.close());
    const port = Number(new URL(first.url).port);
    const page = await desk().open('', { of: first });
    await first.close();
    await page.getByText('disconnected').waitFor();
    const next = isAnother ? createSandbox() : first;
    onTestFinished(() => next.close());
    await next.listen({ port });
    await buy({ payments: clientOf(next) }, 'order-1');
    await page.getByText('connected', { exact: true }).waitFor();
    await operationRow(page, 'order-1').waitFor();
  });

  it('shows the time and whether it runs, without announcing every change', async () => {
    const { sandbox, open } = desk();
    const page = await open();
    const timer = page.getByRole('timer', { name: 'Sandbox time' });
    await timer.getByText('2026-01-01 00:00:00 UTC').waitFor();
    await page.getByText('paused', { exact: true }).waitFor();
    await sandbox.clock.advance('1 hour');
    await timer.getByText('2026-01-01 01:00:00 UTC').waitFor();
    expect(await page.locator('output').count()).toBe(0);
    const running = await startSandbox({ clock: 'running' });
    await page.goto(running.url);
    await page.getByText('running', { exact: true }).waitFor();
  });

  it('advances the clock, shows what happened with links, and why it cannot', async () => {
    const { sandbox, open } = desk();
    sandbox.webhooks.deliverTo(() => new Response());
    sandbox.add('checkout_session');
    await sandbox.settled();
    const page = await open();
    await page.getByRole('button', { name: '+1 day' }).click();
    await messages(page).getByText('1 event happened; 1 delivery arrived').waitFor();
    expect(await messages(page).getByRole('link').allTextContents()).toEqual(['Activity']);
    await messages(page).getByRole('button', { name: 'Dismiss' }).click();
    await messages(page).getByText('1 event happened').waitFor({ state: 'detached' });
    await page.getByLabel('Advance by').fill('3 days');
    await page.keyboard.press('Enter');
    await page.getByText('2026-01-05 00:00:00 UTC').waitFor();
    await page.getByLabel('Advance by').fill('a while');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert').filter({ hasText: 'expected' });
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });
  });

  it('clears faults and advances to what is due from its strip', async () => {
    const { sandbox, open } = desk();
    sandbox.webhooks.deliverTo(() => new Response('no', { status: 500 }));
    sandbox.faults.inject({ kind: 'unavailable', times: 2 });
    sandbox.faults.inject({ kind: 'rate_limit' });
    sandbox.add('customer');
    await sandbox.settled();
    const page = await open('#/activity');
    const strip = page.getByRole('list', { name: 'State of the sandbox' });
    for (const name of ['2 faults armed', '1 failed delivery'])
      await strip.getByRole('link', { name }).waitFor();
    await strip.getByRole('button', { name: 'Clear all faults' }).click();
    await strip.getByRole('link', { name: 'No faults' }).waitFor();
    const attempts = () => sandbox.webhooks.deliveries()[0]?.attempts.length;
    expect(attempts()).toBe(1);
    await strip.getByRole('button', { name: 'Advance to it' }).click();
    await messages(page).getByText('1 failed').waitFor();
    expect(attempts()).toBe(2);
  });

  it('keeps the header and table headings in view while scrolling', async () => {
    const { payments, open } = desk();
    for (let count = 0; count < 40; count += 1) await payments.customers.list();
    const page = await open('#/activity');
    await page.getByRole('row').nth(40).waitFor();
    await page.evaluate(() => scrollTo(0, 600));
    const header = await page.getByRole('banner').boundingBox();
    const head = await page.getByRole('columnheader').first().boundingBox();
    expect(header?.y).toBe(0);
    expect(Math.abs((head?.y ?? 0) - (header?.height ?? 0))).toBeLessThanOrEqual(1);
  });

  it('has a title for each page, which takes the focus, and one for an unknown address', async () => {
    const { sandbox, open } = desk();
    const page = await open();
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await page.keyboard.press('Tab');
    // It skips to the content.
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('MAIN');
    await page.getByRole('link', { name: 'Activity' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    expect([await page.title(), await focused()]).toEqual(['Activity – Sandbox', 'MAIN']);
    expect(await page.locator('nav [aria-current=page]').allTextContents()).toEqual(['Activity']);
    await page.goto(`${sandbox.url}/#/nonsense`);
    await page.getByText('This page does not exist.').waitFor();
    await page.getByRole('link', { name: 'Show all operations' }).click();
    await page.getByRole('heading', { name: 'Operations' }).waitFor();
  });

  it('hides navigation and clock behind buttons on phones', async () => {
    const page = await desk().open('', { viewport: viewports.phone });
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

  it('searches by its keys, and not from a field', async () => {
    const { sandbox, open } = desk();
    for (const name of ['ada', 'bob']) sandbox.add('customer', { email: `${name}@example.com` });
    const page = await open();
    const dialog = page.getByRole('dialog', { name: 'Search' });
    for (const key of ['/', 'Control+k', 'Meta+k']) {
      await page.keyboard.press(key);
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('searchbox', { name: 'Search' }).focus();
    await page.keyboard.press('/');
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('/');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Search' }).click();
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.fill('teapot');
    await page.getByText('Nothing found.').waitFor();
    await field.fill('example.com');
    const results = page.getByRole('dialog').getByRole('option');
    await results.nth(1).waitFor();
    expect(await results.nth(0).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await results.nth(1).getAttribute('aria-selected')).toBe('true');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await results.nth(1).getAttribute('id'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/objects\/customer\/cus_/);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describeDashboard('the keyboard alone', (desk) => {
  let shop: Sandbox;
  const retry = 'Retry the refund of $43.00';
  beforeAll(async () => {
    shop = await startShop(moreOrders.filter(({ id }) => id === 'order-202'));
  });
  afterAll(() => shop?.close());

  describe.each(Object.entries(viewports))('on a %s', (_screen, viewport) => {
    it('opens an order, and is back on its link after Back, with the focus always visible', async () => {
      const page = await desk().open('', { of: shop, viewport });
      await tabTo(page, 'order-202');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'order-202' }).waitFor();
      await page.keyboard.press('Tab');
      await page.goBack();
      await page.getByRole('heading', { name: 'Operations' }).waitFor();
      await page.waitForFunction(() => document.activeElement?.textContent === 'order-202');
      expect(await focusOf(page)).toEqual({ name: 'order-202', isVisible: true });
    });
  });

  it('does what an order needs, and keeps the focus when its button disappears', async () => {
    const page = await desk().open('#/stories/order-202', { of: shop });
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
