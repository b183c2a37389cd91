/**
 * Endpoints in the dashboard.
 *
 * @module-tag thorough
 */

import type { PaymentsClient } from 'payments-client';
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
  'test/browser/dashboard/endpoints.services.test.ts',
);

describe.skipIf(isSkipped)(`endpoints in the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let payments: PaymentsClient;

  withNewSandboxes((desk) => ({ browser, sandbox, payments } = desk));

  it('adds an endpoint and shows its secret once', async () => {
    const page = await openDashboard(browser, sandbox, '#/endpoints');
    await page.getByText('No endpoints yet.').waitFor();
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/webhooks');
    await page.getByRole('textbox', { name: 'Events' }).fill('refund.created, refund.failed');
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'Endpoint http://127.0.0.1:9/webhooks' });
    await card.getByText('refund.created, refund.failed').waitFor();
    const [endpoint] = sandbox.webhooks.endpoints();
    const message = page.getByRole('status', { name: 'Messages' });
    await message.getByText(endpoint?.secret ?? 'none').waitFor();
    await message.getByRole('button', { name: 'Copy the secret' }).waitFor();
    await message.getByRole('button', { name: 'Dismiss' }).click();
    await message.getByRole('button').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(endpoint?.secret);
    await page.getByRole('textbox', { name: 'URL' }).fill('nowhere');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'url' }).waitFor();
  });

  it('disables an endpoint and enables it', async () => {
    sandbox.webhooks.deliverTo(() => new Response());
    const page = await openDashboard(browser, sandbox, '#/endpoints');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('disabled', { exact: true }).waitFor();
    await payments.customers.create({ email: 'ada@example.com' });
    expect(sandbox.webhooks.deliveries()).toEqual([]);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('enabled', { exact: true }).waitFor();
  });

  it('rotates a secret, and drops the old ones after a confirmation', async () => {
    const { id, secret } = sandbox.webhooks.deliverTo(() => new Response());
    const secrets = () => sandbox.get('webhook_endpoint', id)?.['previous_secrets'];
    const page = await openDashboard(browser, sandbox, '#/endpoints');
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('The new secret is whsec_').waitFor();
    expect(secrets()).toEqual([secret]);
    await page.getByRole('button', { name: 'Drop old secrets' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drop old secrets' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(secrets() ?? []).toEqual([]);
  });

  it('shows delivery statistics, redelivers failed deliveries, and deletes an endpoint', async () => {
    let status = 500;
    sandbox.webhooks.deliverTo(() => new Response(null, { status }));
    await payments.customers.create({ email: 'ada@example.com' });
    await sandbox.settled();
    await sandbox.clock.advance('30 days');
    await sandbox.settled();
    const page = await openDashboard(browser, sandbox, '#/endpoints');
    await page.getByText('0 %').waitFor();
    status = 200;
    await page.getByRole('button', { name: 'Redeliver missed events' }).click();
    await page.getByText('Delivers 1 event again.').waitFor();
    await page.getByText('50 %').waitFor();
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('cell', { name: 'replayed' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Delete the endpoint' }).click();
    await page.getByRole('dialog').getByText('no longer delivered').waitFor();
    await page.keyboard.press('Escape');
    expect(sandbox.webhooks.endpoints()).toHaveLength(1);
    await page.getByRole('button', { name: 'Delete the endpoint' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the endpoint' }).click();
    await page.getByText('No endpoints yet.').waitFor();
  });
});
