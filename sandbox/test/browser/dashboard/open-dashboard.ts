import type { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openPage } from '../../../../test/support/chromium.ts';
import { type Answers, mockControl } from './mock-control.ts';

interface Opening extends BrowserContextOptions {
  /** Mocked calls of the control API. */
  readonly answers?: Answers;
}

/** Opens the dashboard of a sandbox at an address such as `#/activity`, and waits until it is live. */
export async function openDashboard(
  browser: Browser,
  sandbox: Sandbox,
  address = '',
  { answers = {}, ...options }: Opening = {},
): Promise<Page> {
  const page = await openPage(browser, options);
  await mockControl(page, answers);
  await page.goto(`${sandbox.url}/${address}`);
  await page.getByText('connected', { exact: true }).waitFor();
  return page;
}

/** The row of an operation on the home page. */
export function operationRow(page: Page, text: string): Locator {
  return page.locator('.operation').filter({ hasText: text }).first();
}

/** Returns the first table row that contains a text. */
export function rowOf(page: Page, text: string): Locator {
  return page.getByRole('row').filter({ hasText: text }).first();
}

/** Creates and confirms a payment of 55 dollars. */
export async function buy(payments: PaymentsClient, operationId: string): Promise<void> {
  const { id } = await payments.paymentIntents.create({ amount: 5500, currency: 'usd' }, { operationId });
  await payments.paymentIntents.confirm(id, { payment_method: 'pm_card' }, { operationId });
}

/** Pays an order, and drops the reply of its confirmation. */
export async function buyWithLostReply(
  sandbox: Sandbox,
  payments: PaymentsClient,
  operationId: string,
): Promise<void> {
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
  await buy(payments, operationId).catch(() => {});
}
