/**
 * The dashboard's search.
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
  'test/browser/dashboard/search.services.test.ts',
);

describe.skipIf(isSkipped)(`the search of the dashboard${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let sandbox: Sandbox;

  withNewSandboxes((desk) => ({ browser, sandbox } = desk));

  it.each(['/', 'Control+k', 'Meta+k'])('opens by %s, and closes by Escape', async (key) => {
    const page = await openDashboard(browser, sandbox);
    await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.waitFor();
    await page.keyboard.type('order');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('ignores a slash that is typed into a field', async () => {
    const page = await openDashboard(browser, sandbox);
    await page.getByRole('searchbox', { name: 'Search' }).focus();
    await page.keyboard.press('/');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('/');
  });

  it('selects a result with the arrow keys, and opens it with Enter', async () => {
    for (const name of ['ada', 'bob']) sandbox.add('customer', { email: `${name}@example.com` });
    const page = await openDashboard(browser, sandbox);
    await page.getByRole('button', { name: 'Search' }).click();
    const field = page.getByRole('combobox', { name: 'Search' });
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

  it('opens a result by a click, and announces an empty result', async () => {
    const { id } = sandbox.add('customer');
    const page = await openDashboard(browser, sandbox, '#/activity');
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).fill('teapot');
    await page.getByText('Nothing found.').waitFor();
    await page.getByRole('combobox', { name: 'Search' }).fill(id);
    await page.getByRole('dialog').getByRole('option').first().click();
    await page.waitForURL(new RegExp(id));
  });
});
