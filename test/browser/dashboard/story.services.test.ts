/**
 * One business operation on the dashboard, step by step.
 *
 * @module-tag thorough
 */

import { text as textOf } from 'node:stream/consumers';
import type { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client/sandbox';
import type { Browser, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium, viewports } from '../../support/chromium.ts';
import { skipWithout } from '../../support/skip.ts';
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

  it('shows a lane for the app, the service, money and the webhook, in order of time', async () => {
    const page = await openOrder();
    const confirm = step(page, 'paymentIntents.confirm').first();
    const charge = step(page, 'Charge created');
    const delivery = step(page, 'payment_intent.succeeded');
    await delivery.waitFor();
    const places = [confirm, step(page, 'Payment intent created'), charge, delivery];
    const boxes = await Promise.all(places.map((place) => place.getByRole('button').first().boundingBox()));
    const lefts = boxes.map((box) => box?.x ?? 0);
    expect(lefts).toEqual([...lefts].sort((one, other) => one - other));
    expect(new Set(lefts).size).toBe(4);
    const numbers = await page.locator('.number').allTextContents();
    expect(numbers.map(Number)).toEqual(numbers.map(Number).sort((one, other) => one - other));
    await page.getByText('+4 s').waitFor();
  });

  it('draws a lost reply as broken, and links its replay to it', async () => {
    const page = await openOrder();
    const [lost, replayed] = [
      step(page, 'paymentIntents.confirm').first(),
      step(page, 'paymentIntents.confirm').last(),
    ];
    await lost.getByText('reply lost').waitFor();
    expect(await lost.locator('.broken.back').count()).toBe(1);
    expect(await replayed.locator('.broken').count()).toBe(0);
    await replayed.getByRole('link', { name: /reply of step/ }).click();
    await lost.getByText('Your app did not receive this reply.').waitFor();
    const button = lost.locator('.toggle');
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('shows the bodies of a request, and code without secrets', async () => {
    const page = await openOrder();
    const create = step(page, 'paymentIntents.create').first();
    await create.getByRole('button', { name: 'paymentIntents.create' }).click();
    await create.getByRole('figure', { name: 'request', exact: true }).getByText('5500').waitFor();
    await create
      .getByRole('figure', { name: 'reply', exact: true })
      .getByText('requires_payment_method')
      .waitFor();
    const code = create.getByRole('tabpanel');
    await code
      .getByText(
        "payments.paymentIntents.create({ amount: 5500, currency: 'usd' }, { operationId: 'order-100' })",
      )
      .waitFor();
    await create.getByRole('tab', { name: 'SDK' }).focus();
    await page.keyboard.press('ArrowRight');
    await code.getByText('Authorization: Bearer $PAYMENTS_SECRET_KEY').waitFor();
    await page.keyboard.press('ArrowRight');
    await code.getByText("import { createTestClient } from 'payments-client/testing';").waitFor();
    const html = await page.content();
    expect([html.includes(sandbox.secretKey), html.includes('_secret_')]).toEqual([false, false]);
  });

  it('shows the difference of a change, and the signed headers of a delivery', async () => {
    const page = await openOrder();
    const change = step(page, 'Payment intent succeeded');
    await change.getByRole('button', { name: 'Payment intent succeeded' }).click();
    const status = change.locator('.diff').getByRole('listitem').filter({ hasText: 'status' });
    expect(await status.locator('del, ins').allTextContents()).toEqual([
      '"requires_payment_method"',
      '"succeeded"',
    ]);
    const delivery = step(page, 'payment_intent.succeeded');
    await delivery.getByRole('button', { name: 'payment_intent.succeeded' }).click();
    await delivery.getByText(/^Headers/).click();
    await delivery.getByText('webhook-signature').waitFor();
    await delivery.getByText('thanks').waitFor();
    await page.reload();
    await delivery.getByText('thanks').waitFor();
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
    await step(page, 'Refund created').waitFor();
  });

  it('forks the sandbox at a step, and links its dashboard', async () => {
    const page = await openOrder();
    const create = step(page, 'paymentIntents.create').first();
    await create.getByRole('button', { name: 'paymentIntents.create' }).click();
    await create.getByRole('button', { name: 'Fork from here' }).click();
    const link = messages(page).getByRole('link', { name: 'Open its dashboard' });
    await link.waitFor();
    const url = await link.getAttribute('href');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
    expect(url).not.toBe(sandbox.url);
  });

  it('exports a test to copy and to download', async () => {
    const text = "import { test } from 'vitest';\n";
    const answers = { 'GET stories/order-100': story, 'GET stories/order-100/test': text };
    const page = await openDashboard(browser, sandbox, '#/stories/order-100', { answers });
    await page.getByRole('button', { name: 'Export as test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export as test' });
    await dialog.getByText("import { test } from 'vitest';").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('order-100.test.ts');
    expect(await textOf(await download.createReadStream())).toBe(text);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Export as test');
  });

  it('labels each step with its lane on phones', async () => {
    const answers = { 'GET stories/order-100': story };
    const page = await openDashboard(browser, sandbox, '#/stories/order-100', {
      answers,
      viewport: viewports.phone,
    });
    await step(page, 'Charge created').getByText('money', { exact: true }).waitFor();
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
