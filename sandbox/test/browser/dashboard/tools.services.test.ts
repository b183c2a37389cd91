/**
 * The tools of the dashboard.
 *
 * @module-tag thorough
 */

import type { Sandbox } from 'payments-client-sandbox';
import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../../../test/support/chromium.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { withNewSandboxes } from './new-sandboxes.ts';
import { openDashboard } from './open-dashboard.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/dashboard/tools.services.test.ts',
);

describe.skipIf(isSkipped)(`the tools of the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;

  withNewSandboxes((desk) => ({ browser, sandbox } = desk));

  it('triggers an event and creates sample data', async () => {
    const page = await openDashboard(browser, sandbox, '#/tools');
    await page.getByRole('combobox', { name: 'Type' }).selectOption('refund.failed');
    await page.getByRole('button', { name: 'Trigger' }).click();
    await page.getByText('Triggered refund.failed: evt_').waitFor();
    expect(sandbox.events.at(-1)?.type).toBe('refund.failed');
    await page.getByText('How many customers. Default: 100.').waitFor();
    await page.getByRole('textbox', { name: 'Customers' }).fill('20');
    await page.getByRole('textbox', { name: 'Intents' }).fill('30');
    await page.getByRole('button', { name: 'Create sample data' }).click();
    await page.getByText('Made 20 customers').waitFor();
    expect(await page.getByRole('textbox', { name: 'Customers' }).inputValue()).toBe('');
    await page.getByRole('textbox', { name: 'Intents' }).fill('-1');
    await page.getByRole('button', { name: 'Create sample data' }).click();
    await page.getByRole('alert').filter({ hasText: 'intents: expected an integer from 0' }).waitFor();
    await page.getByRole('button', { name: 'Trigger' }).click();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await page.getByRole('status', { name: 'Messages' }).getByRole('link', { name: /^evt_/ }).click();
    await page.getByRole('heading', { name: 'refund.failed' }).waitFor();
  });

  it('resets the sandbox after a confirmation', async () => {
    const { id } = sandbox.add('customer');
    const page = await openDashboard(browser, sandbox, '#/tools');
    await page.getByRole('button', { name: 'Reset the sandbox' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(sandbox.get('customer', id)).toBeDefined();
    await page.getByRole('button', { name: 'Reset the sandbox' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset the sandbox' }).click();
    await page.getByText('The sandbox was reset.').waitFor();
    expect(sandbox.get('customer', id)).toBeUndefined();
  });

  it('shows how to connect an app, without a secret', async () => {
    const page = await openDashboard(browser, sandbox, '#/tools');
    const connect = page.getByRole('region', { name: 'Connect your app' });
    await connect.getByText(`PAYMENTS_BASE_URL=${sandbox.url}`).waitFor();
    await connect.getByText(`PAYMENTS_PUBLIC_KEY=${sandbox.publicKey}`).waitFor();
    const content = await page.content();
    expect(content).not.toContain(sandbox.secretKey);
    expect(content).not.toContain(sandbox.securityKey);
  });
});
