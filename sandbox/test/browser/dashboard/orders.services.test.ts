/**
 * Business operations on the dashboard, in a list and one by one. What each says: `pages.test.ts`.
 *
 * @module-tag thorough
 */

import { expect, it } from 'vitest';
import { viewports } from '../../../../test/support/chromium.ts';
import { buy, buyWithLostReply, describeDashboard, focusedText, messages, operationRow } from './desk.ts';

describeDashboard('the operations', (desk) => {
  it('appear and change as they happen, and keep the focus', async () => {
    const page = await desk().open();
    await buyWithLostReply(desk(), 'order-100');
    const row = operationRow(page, 'order-100');
    await row.getByText('Unknown to your app').waitFor();
    await page.getByRole('link', { name: 'order-100' }).focus();
    await buy(desk(), 'order-100');
    await row.getByText('Charged once').waitFor();
    await buy(desk(), 'order-200');
    await operationRow(page, 'order-200').waitFor();
    expect(await focusedText(page)).toBe('order-100');
  });

  it('are filtered by verdict, need and text in the URL, and Back undoes it', async () => {
    await buy(desk(), 'order-1');
    // Sooner, it would be the same purchase.
    await desk().sandbox.clock.advance('11 minutes');
    await buyWithLostReply(desk(), 'order-2');
    const page = await desk().open();
    const listed = () => page.locator('.operation a').allTextContents();
    const only = async (shown: string, gone: string) => {
      await operationRow(page, gone).waitFor({ state: 'detached' });
      await operationRow(page, shown).waitFor();
    };
    await operationRow(page, 'order-1').waitFor();
    // What needs somebody comes first.
    expect(await listed()).toEqual(['order-2', 'order-1']);
    await page.getByRole('combobox', { name: 'Verdict' }).selectOption('Unknown to your app');
    await only('order-2', 'order-1');
    expect(page.url()).toContain('#/?verdict=unknown_to_app');
    await page.getByRole('searchbox', { name: 'Search' }).fill('order-1');
    await page.getByText('No operation matches the filter.').waitFor();
    expect(page.url()).toContain('q=order-1');
    await page.goBack();
    await operationRow(page, 'order-1').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('');
    await page.getByRole('combobox', { name: 'Needs you' }).selectOption('Any reason');
    await only('order-2', 'order-1');
  });

  it('page to older ones and back to the newest', async () => {
    for (let count = 1; count <= 52; count += 1)
      await desk().payments.paymentIntents.create(
        { amount: 100, currency: 'usd' },
        { operationId: `order-${count}` },
      );
    const page = await desk().open();
    const all = page.locator('.operation');
    await page.getByRole('link', { name: 'Older' }).click();
    await all.nth(2).waitFor({ state: 'detached' });
    expect(await page.locator('.operation a').allTextContents()).toEqual(['order-2', 'order-1']);
    await page.getByRole('link', { name: 'Newest' }).click();
    await operationRow(page, 'order-52').waitFor();
    expect(await all.count()).toBe(50);
  });

  it('open by a click on the row, and are where they were after Back, on a phone too', async () => {
    for (let count = 1; count <= 20; count += 1) await buyWithLostReply(desk(), `order-${count}`);
    const page = await desk().open('', { viewport: viewports.phone });
    const link = page.getByRole('link', { name: 'order-3', exact: true });
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(0);
    await page.locator('.operation').filter({ has: link }).click();
    await page.getByRole('heading', { name: 'order-3', exact: true }).waitFor();
    await page.goBack();
    await page.waitForFunction((y) => scrollY === y, before);
  });

  it('begin with the first payment, without a key, and with orders that go wrong', async () => {
    const { sandbox, open } = desk();
    const page = await open();
    const first = page.getByRole('region', { name: 'First steps' });
    await first.getByText(`baseUrl: '${sandbox.url}'`).waitFor();
    expect(await page.content()).not.toContain(sandbox.secretKey);
    await first.getByRole('button', { name: 'Show orders that go wrong' }).click();
    await page.getByText('Charged twice?', { exact: true }).nth(1).waitFor();
  });

  it('with a name of HTML are texts, and request nothing from other origins', async () => {
    const { sandbox, payments, open } = desk();
    const evil = '<img src=x onerror="document.title=1">';
    await payments.paymentIntents.create({ amount: 100, currency: 'usd' }, { operationId: evil });
    const page = await open();
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

describeDashboard('an operation', (desk) => {
  /** Opens order-100, whose confirmation was lost and retried. */
  async function openOrder(options = {}) {
    const { sandbox, open } = desk();
    sandbox.webhooks.deliverTo(() => new Response('thanks'));
    await buyWithLostReply(desk(), 'order-100');
    await sandbox.clock.advance('4 seconds');
    await buy(desk(), 'order-100');
    await sandbox.settled();
    const page = await open('#/stories/order-100', options);
    const step = (text: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('button', { name: text }) });
    return { page, step };
  }

  it('expands its steps to details that a reload keeps, and links a replay to the first reply', async () => {
    const { page, step } = await openOrder();
    const [lost, replayed] = [step('confirm').first(), step('confirm').last()];
    await replayed.getByRole('link', { name: 'the first reply' }).click();
    await lost.getByText('Your app did not receive this reply.').waitFor();
    const toggle = lost.locator('.toggle');
    expect(await toggle.evaluate((element) => element === document.activeElement)).toBe(true);
    await lost.locator('summary').filter({ hasText: 'Payment intent $55.00 succeeded' }).click();
    const status = lost.locator('.diff').getByRole('listitem').filter({ hasText: 'status' });
    expect(await status.locator('del, ins').allTextContents()).toEqual([
      '"requires_payment_method"',
      '"succeeded"',
    ]);
    await page.reload();
    await lost.locator('.entry').first().waitFor();
    await toggle.click();
    await lost.locator('.entry').first().waitFor({ state: 'detached' });
  });

  it('asks before an action, with its effect, and then shows its result', async () => {
    const { page, step } = await openOrder();
    const { refunds } = desk().payments;
    const refund = page.getByRole('button', { name: 'Refund $55.00' });
    const dialog = page.getByRole('dialog', { name: 'Refund $55.00' });
    await refund.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await refunds.list()).items).toHaveLength(0);
    await refund.click();
    await dialog.getByRole('button', { name: 'Refund $55.00' }).click();
    await messages(page).getByText('The service replied').waitFor();
    expect((await refunds.list()).items).toHaveLength(1);
    await step('refund').getByText('Refund $55.00 pending').waitFor();
  });

  it('repeats a request whose reply was lost, and says what it cannot know', async () => {
    await buyWithLostReply(desk(), 'order-100');
    const page = await desk().open('#/stories/order-100');
    const label = 'Repeat paymentIntents.confirm with the same operation id';
    await page.getByRole('button', { name: label }).click();
    const dialog = page.getByRole('dialog', { name: label });
    await dialog.getByText('your app knows it only once it repeats the request itself').waitFor();
    await dialog.getByRole('button', { name: label }).click();
    await messages(page).getByText('It is a replay of the first reply.').waitFor();
    expect((await desk().payments.charges.list()).items).toHaveLength(1);
  });

  it.each(['desktop', 'phone'] as const)(
    'has its causes in lanes with the effects beside them, on a %s',
    async (screen) => {
      const { page } = await openOrder({ viewport: viewports[screen] });
      desk().sandbox.add('customer');
      await page.locator('.step').nth(3).waitFor();
      const boxes = await page
        .locator('.step')
        .first()
        .evaluate((step) =>
          ['.what', '.did', '.sent'].map((part) => step.querySelector(part)?.getBoundingClientRect().x ?? 0),
        );
      const isOneColumn = new Set(boxes).size === 1;
      expect(isOneColumn).toBe(screen === 'phone');
      expect(boxes).toEqual(boxes.toSorted((one, other) => one - other));
      // The lane is named where there is no head.
      expect(await page.locator('.lane').first().isVisible()).toBe(screen === 'phone');
    },
  );
});
