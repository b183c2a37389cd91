import { type Sandbox, type SandboxObjects, testCards } from 'payments-client-sandbox';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { connectToChromium, openPage } from '../../../../test/support/chromium.ts';
import { startSandbox } from '../../../../test/support/sandbox.ts';
import { serve } from '../../../../test/support/serve.ts';

type Session = SandboxObjects['checkout_session'];

/** Starts a shop with two pages. */
export async function startShop(): Promise<string> {
  const { url, close } = await serve((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>Shop</title><h1>${request.url === '/thanks' ? 'Thanks' : 'Cart'}</h1>`,
    );
  });
  onTestFinished(close);
  return url;
}

/** Starts a sandbox and a shop, and creates a session. */
export async function startSession(
  fields: Partial<Session> = {},
): Promise<{ readonly sandbox: Sandbox; readonly shop: string; readonly session: Session }> {
  const sandbox = await startSandbox();
  const shop = await startShop();
  const urls = { success_url: `${shop}/thanks`, cancel_url: `${shop}/cart` };
  return { sandbox, shop, session: sandbox.add('checkout_session', { ...urls, ...fields }) };
}

/** Opens pages in the Chromium that all tests share. */
export function useChromium(): (address: string, options?: BrowserContextOptions) => Promise<Page> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());
  return async (address, options) => {
    const page = await openPage(browser, options);
    await page.goto(address);
    return page;
  };
}

export const buyer = { name: 'Ada Lovelace', email: 'ada@example.com' };
export const card = { ccnumber: testCards.fullMatch.number, ccexp: '12/30', cvv: '123' };

/** A value for every field that a page can collect. */
export const everything = {
  address: 'required',
  email: 'required',
  name: 'required',
  phone: 'required',
  require_full_billing_address: true,
  require_phone: true,
  require_shipping_address: false,
  wallet_billing_mode: 'min',
} as const;

/** Fills in fields by name. */
export async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(value);
}

/** Common screen widths. */
export const widths = {
  phone: { width: 390, height: 844 },
  laptop: { width: 1280, height: 800 },
} as const;
