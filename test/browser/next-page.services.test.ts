/**
 * The page and the route of docs/browser.md in a browser beside a sandbox: from the card fields to the paid order. Next.js itself is
 * left out.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Sandbox, testCards } from 'payments-client-sandbox';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { nextPage, nextServer } from '../docs/next-page.ts';
import { connectToChromium, hasChromium, openPage } from '../support/chromium.ts';
import { startSandbox } from '../support/sandbox.ts';
import { serve } from '../support/serve.ts';
import { skipWithout } from '../support/skip.ts';
import { bundle } from './entry/site.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'test/browser/next-page.services.test.ts');

const folder = new URL('../.tmp/next-page/', import.meta.url);
const at = (path: string) => fileURLToPath(new URL(path, folder));

/** In the browser, React gets the properties that the page on the server gave to the component. */
const entry = `/** @jsxRuntime automatic */
import { createRoot } from 'react-dom/client';
import { Checkout } from './app/checkout/checkout';
createRoot(document.querySelector('main')).render(<Checkout {...globalThis.given} />);
`;

/** Imports a module of the guide. */
const load = (path: string) => import(/* @vite-ignore */ at(path));

/** Renders the part of the page that waits for the request, as Next.js does. Returns the properties of the component in the browser. */
async function renderPage() {
  const { default: CheckoutPage } = await load('app/checkout/page.tsx');
  const { children } = CheckoutPage().props;
  return (await children.type()).props;
}

/** Configures the app for a sandbox, with new orders. */
function configure(sandbox: Sandbox): void {
  vi.resetModules();
  vi.stubEnv('SHOP_FILE', ':memory:');
  vi.stubEnv('PAYMENTS_BASE_URL', sandbox.url);
  vi.stubEnv('PAYMENTS_PUBLIC_KEY', sandbox.publicKey);
  vi.stubEnv('PAYMENTS_SECRET_KEY', sandbox.secretKey);
  vi.stubEnv('PAYMENTS_SECURITY_KEY', sandbox.securityKey);
}

beforeAll(async () => {
  for (const [path, code] of [...nextPage, ...nextServer, ['entry.tsx', entry] as const]) {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), path.endsWith('.tsx') ? `/** @jsxRuntime automatic */\n${code}` : code);
  }
});

it('the page refuses to start without a public key', async () => {
  vi.stubEnv('PAYMENTS_BASE_URL', 'https://payments.example.com');
  vi.stubEnv('PAYMENTS_PUBLIC_KEY', undefined);
  await expect(renderPage()).rejects.toThrow('Set PAYMENTS_BASE_URL and PAYMENTS_PUBLIC_KEY.');
});

it('the route takes no payment without 3-D Secure, or of another amount than the buyer confirmed', async () => {
  const sandbox = await startSandbox();
  configure(sandbox);
  const { POST } = await load('app/pay/route.ts');
  const payment = {
    id: 'order-1042',
    amount: '24.00',
    payment_token: 'tok_1',
    threeDSecure: { authenticated: true, cardholder_auth: 'Y' },
  };
  const pay = async (changes: object) => {
    const body = JSON.stringify({ ...payment, ...changes });
    return (await POST(new Request('http://shop.example/pay', { method: 'POST', body }))).json();
  };
  const refused = { state: 'unpaid', problem: 'Please reload the page.' };
  for (const changes of [{ threeDSecure: undefined }, { threeDSecure: null }, { amount: '12.00' }])
    expect(await pay(changes)).toEqual(refused);
  expect(sandbox.transactions).toEqual([]);
  expect(await pay({})).toMatchObject({ state: 'paid' });
  expect(sandbox.transactions).toHaveLength(1);
});

describe.skipIf(isSkipped)(`the page of the guide${why}`, () => {
  let browser: Browser;
  let script: string;
  beforeAll(async () => {
    browser = await connectToChromium();
    script = await bundle(at('entry.tsx'));
  });
  afterAll(() => browser?.close());

  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox();
    configure(sandbox);
  });

  /** Opens the page, and returns what it writes to the console too. */
  async function openCheckout() {
    const { POST } = await load('app/pay/route.ts');
    const shop = await serve(async (request, response) => {
      if (request.method === 'POST') {
        const body = await text(request);
        const answer: Response = await POST(new Request('http://shop.example/pay', { method: 'POST', body }));
        response.end(await answer.text());
      } else if (request.url === '/app.js') response.setHeader('content-type', 'text/javascript').end(script);
      else {
        const given = JSON.stringify(await renderPage());
        const html = `<main></main><script>globalThis.given = ${given}</script><script type="module" src="/app.js"></script>`;
        response.setHeader('content-type', 'text/html').end(html);
      }
    });
    onTestFinished(shop.close);
    const page = await openPage(browser);
    const written: string[] = [];
    page.on('console', (message) => message.type() === 'error' && written.push(message.text()));
    await page.goto(shop.url);
    return { page, written };
  }

  async function payWith(page: Page, name: keyof typeof testCards, choice?: string): Promise<void> {
    const fields = page.frameLocator('main iframe');
    await fields.getByLabel('Card number').fill(testCards[name].number);
    await fields.getByLabel('Expiry').fill('12/30');
    await fields.getByLabel('Security code').fill('123');
    await fields.getByRole('button', { name: 'Use this card' }).click();
    if (choice !== undefined)
      await page.frameLocator('dialog iframe').getByRole('button', { name: choice }).click();
  }

  it('is paid after a decline, a failed and a passed challenge, and says so after a reload', async () => {
    const logged = vi.spyOn(console, 'error');
    const { page } = await openCheckout();
    await payWith(page, 'doNotHonor');
    await page.getByText('Your bank declined it, or you did not confirm it.').waitFor();
    expect(sandbox.transactions).toHaveLength(1);
    await payWith(page, 'challengeRequired', 'Fail the verification');
    await payWith(page, 'challengeRequired', 'Confirm payment');
    await page.getByText('Thank you: it is paid.').waitFor();
    expect(sandbox.transactions).toMatchObject([
      { approved: false },
      { approved: true, orderid: 'order-1042' },
    ]);
    await page.reload();
    await page.getByText('Thank you: it is paid.').waitFor();
    expect(await page.locator('main iframe').count()).toBe(0);
    expect(logged).not.toHaveBeenCalled();
  });

  it('asks again after a canceled challenge, or without a result', async () => {
    const { page } = await openCheckout();
    await payWith(page, 'challengeRequired', 'Cancel');
    await page.getByText('Your bank declined it, or you did not confirm it.').waitFor();
    await page.route('**/browser/authentications', (route) => route.fulfill({ body: '{}' }));
    await payWith(page, 'frictionless');
    await page.getByText('You have not paid. Please try again.').waitFor();
    expect(sandbox.transactions).toEqual([]);
    await page.unroute('**/browser/authentications');
    await payWith(page, 'frictionless');
    await page.getByText('Thank you: it is paid.').waitFor();
  });

  it('logs an error that is no decline, and asks for no other card', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.stubEnv('PAYMENTS_SECURITY_KEY', 'wrong');
    const { page } = await openCheckout();
    await payWith(page, 'frictionless');
    await page.getByText('The payment is not possible at the moment.').waitFor();
    expect(logged.mock.lastCall).toEqual([expect.objectContaining({ name: 'AuthenticationError' })]);
  });

  it('takes no second payment after a lost response, and says so after a reload', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { page } = await openCheckout();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
    await payWith(page, 'frictionless');
    await page.getByText('We do not know yet whether you have paid. Do not pay again.').waitFor();
    await page.reload();
    await page.getByText('We do not know yet whether you have paid. Do not pay again.').waitFor();
    expect(await page.locator('main iframe').count()).toBe(0);
  });

  it('writes to the console why it could not start', async () => {
    vi.stubEnv('PAYMENTS_PUBLIC_KEY', sandbox.secretKey);
    const { page, written } = await openCheckout();
    await page.getByText('The payment could not start. Please reload the page.').waitFor();
    expect(written.join('\n')).toMatch(/loadGateway\.apiKey: expected no secret, got one/);
  });
});
