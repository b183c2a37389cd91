/**
 * Takes screenshots of the real pages for the README and the guides: `npm run build`, then `npx node scripts/pictures.ts`. They are in the
 * package, so compress them: `pngquant --force --ext .png --speed 1 64 docs/pictures/*.png`.
 */

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from 'payments-client-sandbox';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../test/support/chromium.ts';
import { clientOf } from '../test/support/sandbox.ts';
import { moreOrders, startShop, troubledOrders } from '../test/support/troubled-orders.ts';

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));

/** A page, and the part of it to show. */
interface Screenshot {
  readonly name: string;
  readonly address: string;
  readonly width: number;
  readonly height: number;
  /** The text that is visible once the page has rendered. */
  readonly ready: string;
  /** The only part to show. Default: the window. */
  readonly part?: string;
}

async function openCheckout(sandbox: Sandbox): Promise<string> {
  const { checkoutSessions } = clientOf(sandbox);
  const session = await checkoutSessions.create(
    {
      mode: 'subscription',
      line_items: [{ name: 'Tea of the month', amount: 1200, currency: 'usd', quantity: 1 }],
      customer_email: 'ada@example.com',
      success_url: 'https://shop.example/thanks',
      cancel_url: 'https://shop.example/cart',
    },
    { operationId: 'order-1042' },
  );
  return checkoutSessions.pageUrl(session);
}

async function capture(browser: Browser, screenshot: Screenshot): Promise<void> {
  const { name, address, width, height, ready, part } = screenshot;
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    const page = await context.newPage();
    await page.goto(address);
    await page.getByText(ready).first().waitFor();
    const shown = part === undefined ? page : page.locator(part);
    await shown.screenshot({ path: `${folder}${name}-${colorScheme}.png` });
    await context.close();
  }
}

/** The orders of the README: charged twice, unknown to the app, charged once. */
const three = [...troubledOrders, ...moreOrders].filter(({ id }) =>
  ['order-100', 'order-107', 'order-219'].includes(id),
);

const sandbox = await startShop();
const shopOfThree = await startShop(three);
const browser = await launchChromium();
mkdirSync(folder, { recursive: true });
try {
  const checkout = await openCheckout(sandbox);
  const screenshots: readonly Screenshot[] = [
    {
      name: 'verdicts',
      address: `${shopOfThree.url}/#/?q=order-`,
      width: 900,
      height: 800,
      ready: 'is not charged again',
      part: '.operations',
    },
    { name: 'operations', address: `${sandbox.url}/`, width: 1280, height: 800, ready: 'order-108' },
    {
      name: 'story',
      address: `${sandbox.url}/#/stories/order-100`,
      width: 1280,
      height: 900,
      ready: 'Charged once',
    },
    { name: 'checkout', address: checkout, width: 1000, height: 760, ready: 'Tea of the month' },
  ];
  for (const screenshot of screenshots) await capture(browser, screenshot);
} finally {
  await browser.close();
  await sandbox.close();
  await shopOfThree.close();
}
