import type { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { connectToChromium, hasChromium, openPage } from '../../../../test/support/chromium.ts';
import { clientOf, startSandbox } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';

/** A new sandbox for each test, and its dashboard. */
export interface Desk {
  readonly sandbox: Sandbox;
  /** A client of the sandbox, without retries. */
  readonly payments: PaymentsClient;
  /** Opens the dashboard, of this sandbox or another, at an address such as `#/activity`, and waits until it is live. */
  open(address?: string, options?: BrowserContextOptions & { readonly of?: Sandbox }): Promise<Page>;
}

/** Describes the dashboard in Chromium. `desk` is that of the running test. */
export function describeDashboard(name: string, tests: (desk: () => Desk) => void): void {
  const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', `the dashboard: ${name}`);
  describe.skipIf(isSkipped)(`${name}${why}`, { timeout: 300_000 }, () => {
    let browser: Browser;
    let desk: Desk | undefined;
    beforeAll(async () => {
      browser = await connectToChromium();
    });
    afterAll(() => browser?.close());
    beforeEach(async () => {
      const sandbox = await startSandbox();
      const payments = clientOf(sandbox, { maxRetries: 0 });
      desk = {
        sandbox,
        payments,
        open: async (address = '', { of = sandbox, ...options } = {}) => {
          const page = await openPage(browser, options);
          await page.goto(`${of.url}/${address}`);
          await page.getByText('connected', { exact: true }).waitFor();
          return page;
        },
      };
    });
    tests(() => {
      if (desk === undefined) throw new Error('No test runs.');
      return desk;
    });
  });
}

/** The row of an operation on the home page. */
export const operationRow = (page: Page, text: string): Locator =>
  page.locator('.operation').filter({ hasText: text }).first();

/** The first row of a table that contains a text. */
export const rowOf = (page: Page, text: string): Locator =>
  page.getByRole('row').filter({ hasText: text }).first();

/** The rows of a table, without its head. */
export const rowsIn = (page: Page): Locator => page.locator('tbody').getByRole('row');

/** The result of the last action. */
export const messages = (page: Page): Locator => page.getByRole('status', { name: 'Messages' });

/** The text of what has the focus. */
export const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

/** Creates and confirms a payment of 55 dollars. */
export async function buy({ payments }: Pick<Desk, 'payments'>, operationId: string): Promise<void> {
  const { id } = await payments.paymentIntents.create({ amount: 5500, currency: 'usd' }, { operationId });
  await payments.paymentIntents.confirm(id, { payment_method: 'pm_card' }, { operationId });
}

/** Pays an order, and drops the reply of its confirmation. */
export async function buyWithLostReply(desk: Desk, operationId: string): Promise<void> {
  desk.sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
  await buy(desk, operationId).catch(() => {});
}
