/** A merchant's page on its own port, with a policy that allows the sandbox and no inline code. */

import { type Sandbox, testCards } from 'payments-client-sandbox';
import type { Browser, BrowserContextOptions, Frame, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { connectToChromium, openPage } from '../../../../test/support/chromium.ts';
import { startSandbox } from '../../../../test/support/sandbox.ts';
import { serve } from '../../../../test/support/serve.ts';

function policyOf(sandbox: string): string {
  return [
    "default-src 'none'",
    `script-src ${sandbox}`,
    `connect-src ${sandbox}`,
    `frame-src ${sandbox}`,
    "style-src 'none'",
    'img-src data:',
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function documentOf(script: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Tea shop</title>
<link rel="icon" href="data:,"><script src="${script}" async></script></head>
<body><main><h1>Tea shop</h1>${body}</main></body></html>`;
}

/** Serves one page until the end of the test. */
async function servePage(html: string, policy: string): Promise<string> {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  const { url, close } = await serve((_, response) => response.writeHead(200, headers).end(html));
  onTestFinished(close);
  return url;
}

/** Starts a merchant's site with one page that loads a script of the sandbox. Returns its origin. */
export function startMerchant({ url }: Sandbox, script: string, body = ''): Promise<string> {
  return servePage(documentOf(`${url}/js/${script}`, body), policyOf(url));
}

/** The script's API by the interface. */
declare const Gateway: {
  create(options: unknown): {
    get3DSecure(): {
      configure(order: unknown): void;
      authenticate(token: unknown, callback: (result: unknown) => void): void;
    };
  };
};

/** The script's API: the callback is part of the interface, everything else is the sandbox's own. */
declare const CollectJS: { configure(options: unknown): { readonly ready: Promise<void> } };

/** What the page's callbacks received, in order. */
declare const heard: unknown[];

/** A page of a merchant that has loaded a script of the sandbox. */
export interface Visit {
  readonly sandbox: Sandbox;
  readonly page: Page;
  readonly shop: string;
  /** The errors that the page logged or threw. */
  readonly complaints: readonly string[];
}

/** Opens pages of a merchant in the Chromium that all tests share. */
export function useShop(
  script: 'Gateway.js' | 'CollectJS.js',
  usual: string,
): (body?: string, options?: BrowserContextOptions) => Promise<Visit> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectToChromium();
  }, 60_000);
  afterAll(() => browser?.close());
  return async (body = usual, options = {}) => {
    const sandbox = await startSandbox();
    const page = await openPage(browser, options);
    const shop = await startMerchant(sandbox, script, body);
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(shop);
    await page.waitForFunction((name) => name in window, script.replace('.js', ''));
    await page.evaluate(() => Object.assign(window, { heard: [] }));
    return { sandbox, page, shop, complaints };
  };
}

/** Returns all that the callbacks received, once it is as much as expected. */
export async function heardBy(page: Page, count: number): Promise<unknown[]> {
  await page.waitForFunction((expected) => heard.length >= expected, count);
  return page.evaluate(() => heard);
}

export const tokenOf = (sandbox: Sandbox, name: keyof typeof testCards): Promise<string> =>
  sandbox.tokenize({ ccnumber: testCards[name].number, ccexp: '1230', cvv: '123' });

const order = {
  amount: '24.00',
  currency: 'USD',
  billingAddress: { firstName: 'Ada', lastName: 'Lovelace', city: 'Springfield', country: 'US' },
};

/** Starts an authentication. The callback adds its result to what is heard, after the text `returned`. */
export async function authenticate({ page, sandbox }: Visit, token: string): Promise<void> {
  await page.evaluate(
    ([apiKey, paymentToken, paid]) => {
      heard.length = 0;
      const threeDSecure = Gateway.create({ apiKey, environment: 'sandbox' }).get3DSecure();
      threeDSecure.configure(paid);
      threeDSecure.authenticate(paymentToken, (result) => heard.push(result));
      heard.push('returned');
    },
    [sandbox.publicKey, token, order] as const,
  );
}

/** Lets the bank ask the buyer. Returns its page. */
export async function challenge(visit: Visit): Promise<FrameLocator> {
  const { page, sandbox } = visit;
  await page.getByRole('button', { name: 'Pay' }).focus();
  await authenticate(visit, await tokenOf(sandbox, 'challengeRequired'));
  const bank = page.frameLocator('iframe[title="Your bank\'s question"]');
  // The page's script focuses its heading last. Before that, its buttons do nothing.
  const heading = bank.getByRole('heading', { name: 'Your bank asks you to confirm' });
  await heading.and(bank.locator(':focus')).waitFor();
  return bank;
}

/** Shows the card fields; their callback adds the token to what is heard. Returns their page. */
export async function showFields({ page }: Visit, mark = ''): Promise<FrameLocator> {
  await page.evaluate(
    (before) => CollectJS.configure({ callback: (token: string) => heard.push(before + token) }).ready,
    mark,
  );
  return page.frameLocator('iframe[title="Card"]');
}

export async function typeCard(
  frame: FrameLocator,
  ccnumber: string = testCards.addressOnly.number,
  expiry = '1230',
  code = '123',
): Promise<void> {
  await frame.getByLabel('Card number').fill(ccnumber);
  await frame.getByLabel('Expiry').fill(expiry);
  await frame.getByLabel('Security code').fill(code);
}

export const useCard = (frame: FrameLocator): Promise<void> =>
  frame.getByRole('button', { name: 'Use this card' }).click();

/** Returns the frame of the sandbox in a page, to run code in it. */
export function innerOf(page: Page): Frame {
  const [, frame] = page.frames();
  if (frame === undefined) throw new Error('There is no frame.');
  return frame;
}
