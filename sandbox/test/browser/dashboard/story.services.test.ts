/**
 * One business operation on the dashboard, step by step.
 *
 * @module-tag thorough
 */

import type { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import type { Browser, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium, viewports } from '../../../../test/support/chromium.ts';
import { pageOf } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { story } from './fixtures.ts';
import { withNewSandboxes } from './new-sandboxes.ts';
import { buy, buyWithLostReply, openDashboard } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/story.services.test.ts',
);

describe.skipIf(isSkipped)(`an operation on the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  withNewSandboxes((desk) => ({ browser, sandbox, payments } = desk));

  /** Opens order-100, whose confirmation was lost and retried. */
  async function openOrder(): Promise<Page> {
    sandbox.webhooks.deliverTo(() => new Response('thanks'));
    await buyWithLostReply(sandbox, payments, 'order-100');
    await sandbox.clock.advance('4 seconds');
    await buy(payments, 'order-100');
    await sandbox.settled();
    return openDashboard(browser, sandbox, '#/stories/order-100');
  }

  const step = (page: Page, text: string | RegExp): Locator =>
    page.getByRole('listitem').filter({ has: page.getByRole('button', { name: text }) });
  const messages = (page: Page): Locator => page.getByRole('status', { name: 'Messages' });

  it('shows the verdict with its reason, the figures, and the current objects', async () => {
    const page = await openOrder();
    await page.getByRole('heading', { name: 'order-100' }).waitFor();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('$55.00 was charged.').waitFor();
    await page.getByText('Charged once', { exact: true }).waitFor();
    const objects = verdict.getByRole('list', { name: 'Current objects' }).getByRole('listitem');
    expect(await objects.count()).toBe(2);
    await objects.first().getByRole('link').waitFor();
  });

  it('shows each cause in its lane with its effects beside it: a payment is two rows', async () => {
    sandbox.webhooks.deliverTo(() => new Response());
    const intent = await payments.paymentIntents.create(
      { amount: 5500, currency: 'usd' },
      { operationId: 'order-100' },
    );
    await sandbox.clock.advance('2 minutes');
    sandbox.pay(intent.id);
    await sandbox.settled();
    const page = await openDashboard(browser, sandbox, '#/stories/order-100');
    const [create, pay] = [step(page, 'create'), step(page, 'pay')];
    await pay.getByText('✓ charged').waitFor();
    expect(await page.locator('.step').count()).toBe(2);
    await pay.getByText('Charge $55.00 succeeded').waitFor();
    await pay.locator('.sent').getByText('payment_intent.succeeded').waitFor();
    await pay.getByText('2 min later').waitFor();
    const parts = ['.what', '.did', '.sent'].map((part) => pay.locator(part).boundingBox());
    const lefts = [await pay.locator('.what').boundingBox(), await create.locator('.what').boundingBox()];
    expect(lefts[0]?.x).toBeLessThan(lefts[1]?.x ?? 0);
    const inOrder = (await Promise.all(parts)).map((box) => box?.x ?? 0);
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
  });

  it('shows a renewal in one row, and page views of a buyer in one', async () => {
    const session = await payments.checkoutSessions.create(
      {
        mode: 'subscription',
        line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }],
        success_url: 'https://shop.example/paid',
        cancel_url: 'https://shop.example/cart',
      },
      { operationId: 'order-100' },
    );
    for (let view = 0; view < 3; view += 1) await fetch(pageOf(sandbox, session.id));
    sandbox.pay(session.id);
    await sandbox.clock.advance('31 days');
    const page = await openDashboard(browser, sandbox, '#/stories/order-100');
    await step(page, 'renewal').getByText('✓ charged').waitFor();
    const names = await page.locator('.toggle').allTextContents();
    expect(names.map((name) => name.trim())).toEqual([
      'session $12.00',
      'looked at 3 pages',
      'pay $12.00',
      'renewal $12.00',
    ]);
  });

  it('offers to repeat the request in the step whose reply was lost, and says what it cannot know', async () => {
    await buyWithLostReply(sandbox, payments, 'order-100');
    const page = await openDashboard(browser, sandbox, '#/stories/order-100');
    const lost = step(page, 'confirm');
    await lost.getByText('✗ reply lost (charged)').waitFor();
    await lost
      .getByRole('button', { name: 'Repeat paymentIntents.confirm with the same operation id' })
      .click();
    await page.getByText('your app knows it only once it repeats the request itself').waitFor();
  });

  it('links a replay to the first reply', async () => {
    const page = await openOrder();
    const [lost, replayed] = [step(page, 'confirm').first(), step(page, 'confirm').last()];
    await replayed.getByRole('link', { name: 'the first reply' }).click();
    await lost.getByText('Your app did not receive this reply.').waitFor();
    const button = lost.locator('.toggle');
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('shows the bodies of a request, and code without secrets', async () => {
    const page = await openOrder();
    const create = step(page, 'create').first();
    await create.getByRole('button', { name: 'create' }).click();
    await create.getByRole('figure', { name: 'request', exact: true }).getByText('5500').waitFor();
    await create
      .getByRole('figure', { name: 'reply', exact: true })
      .getByText('requires_payment_method')
      .waitFor();
    const code = create.getByRole('figure', { name: 'Code: curl' });
    await code.getByText('Authorization: Bearer $PAYMENTS_SECRET_KEY').waitFor();
    const html = await page.content();
    expect([html.includes(sandbox.secretKey), html.includes('_secret_')]).toEqual([false, false]);
  });

  it('shows the difference of a change, and the signed headers of a delivery', async () => {
    const page = await openOrder();
    const confirm = step(page, 'confirm').first();
    await confirm.getByRole('button', { name: 'confirm' }).click();
    await confirm.locator('summary').filter({ hasText: 'Payment intent $55.00 succeeded' }).click();
    const status = confirm.locator('.diff').getByRole('listitem').filter({ hasText: 'status' });
    expect(await status.locator('del, ins').allTextContents()).toEqual([
      '"requires_payment_method"',
      '"succeeded"',
    ]);
    const delivery = confirm.locator('.entry').filter({ hasText: 'payment_intent.succeeded' });
    await delivery.locator('summary').filter({ hasText: 'payment_intent.succeeded' }).click();
    await delivery.locator('summary').filter({ hasText: 'Headers' }).first().click();
    await delivery.getByText('webhook-signature').waitFor();
    await delivery.getByText('thanks').waitFor();
    await page.reload();
    await confirm.locator('.entry').first().waitFor();
  });

  it('shows the expected effect of an action, then its result', async () => {
    const page = await openOrder();
    await page.getByRole('button', { name: 'Refund $55.00' }).click();
    const dialog = page.getByRole('dialog', { name: 'Refund $55.00' });
    await dialog.waitFor();
    expect((await payments.refunds.list()).items).toHaveLength(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Refund $55.00' }).click();
    await dialog.getByRole('button', { name: 'Refund $55.00' }).click();
    await messages(page).getByText('The service replied').waitFor();
    expect((await payments.refunds.list()).items).toHaveLength(1);
    await step(page, 'refund').getByText('Refund $55.00 pending').waitFor();
  });

  it('labels each step with its lane on phones', async () => {
    const answers = { 'GET stories/order-100': story };
    const page = await openDashboard(browser, sandbox, '#/stories/order-100', {
      answers,
      viewport: viewports.phone,
    });
    await step(page, 'create').first().getByText('your app', { exact: true }).waitFor();
    const lefts = await page
      .locator('.what')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
    expect(new Set(lefts).size).toBe(1);
  });

  it('shows an unknown operation as not found', async () => {
    const page = await openDashboard(browser, sandbox, '#/stories/order-404');
    await page.getByRole('alert').waitFor();
  });
});
