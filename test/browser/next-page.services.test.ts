/**
 * The page and the route of docs/browser.md in a browser beside a sandbox: from the card fields to the paid order. Next.js itself is
 * left out.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { testCards } from 'payments-client/sandbox';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectToChromium, hasChromium, openPage } from '../support/chromium.ts';
import { startSandbox } from '../support/sandbox.ts';
import { serve } from '../support/serve.ts';
import { skipWithout } from '../support/skip.ts';
import { bundle } from './entry/site.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'test/browser/next-page.services.test.ts');

const folder = new URL('../.tmp/next-page/', import.meta.url);
const at = (path: string) => fileURLToPath(new URL(path, folder));

const entry = `
import { createRoot } from 'react-dom/client';
import Page from './app/checkout/page.jsx';
createRoot(document.querySelector('main')).render(<Page />);
`;

/** Writes the files of the guide, and returns their paths. */
async function writeFiles(): Promise<readonly string[]> {
  const guide = await readFile(new URL('../../docs/browser.md', import.meta.url), 'utf8');
  const shown = [...guide.matchAll(/```jsx?\n\/\/ (app\/\S+)\n(.*?)```/gs)];
  const files = [...shown.map(([, path = '', code = '']) => [path, code] as const), ['entry.jsx', entry]];
  for (const [path = '', code = ''] of files) {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), path.endsWith('.jsx') ? `/** @jsxRuntime automatic */\n${code}` : code);
  }
  return shown.map(([, path = '']) => path);
}

describe.skipIf(isSkipped)(`the page of the guide${why}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());

  it('is paid after a decline, a failed and a passed challenge', async () => {
    expect(await writeFiles()).toEqual([
      'app/checkout/page.jsx',
      'app/checkout/checkout.jsx',
      'app/pay/route.js',
    ]);
    const sandbox = await startSandbox();
    const { url: PAYMENTS_BASE_URL, publicKey: PAYMENTS_PUBLIC_KEY } = sandbox;
    vi.stubEnv('PAYMENTS_BASE_URL', PAYMENTS_BASE_URL);
    vi.stubEnv('PAYMENTS_SECRET_KEY', sandbox.secretKey);
    vi.stubEnv('PAYMENTS_SECURITY_KEY', sandbox.securityKey);
    const { POST } = await import(/* @vite-ignore */ at('app/pay/route.js'));
    const script = await bundle(at('entry.jsx'));
    const env = JSON.stringify({ PAYMENTS_BASE_URL, PAYMENTS_PUBLIC_KEY });
    const shop = await serve(async (request, response) => {
      if (request.method === 'POST') {
        const answer: Response = await POST(
          new Request('http://shop.example/pay', { method: 'POST', body: await text(request) }),
        );
        response.end(await answer.text());
      } else if (request.url === '/app.js') response.setHeader('content-type', 'text/javascript').end(script);
      else {
        const html = `<main></main><script>globalThis.process = { env: ${env} }</script><script type="module" src="/app.js"></script>`;
        response.setHeader('content-type', 'text/html').end(html);
      }
    });
    onTestFinished(shop.close);
    const page = await openPage(browser);
    await page.goto(shop.url);

    async function payWith(name: keyof typeof testCards, choice?: string): Promise<void> {
      const fields = page.frameLocator('main iframe');
      await fields.getByLabel('Card number').fill(testCards[name].number);
      await fields.getByLabel('Expiry').fill('12/30');
      await fields.getByLabel('Security code').fill('123');
      await fields.getByRole('button', { name: 'Use this card' }).click();
      if (choice !== undefined)
        await page.frameLocator('dialog iframe').getByRole('button', { name: choice }).click();
    }

    await payWith('doNotHonor');
    await page.getByText('Please use another card.').waitFor();
    expect(sandbox.transactions).toHaveLength(1);
    await payWith('challengeRequired', 'Fail the verification');
    await payWith('challengeRequired', 'Confirm payment');
    await page.getByText('Thank you.').waitFor();
    expect(sandbox.transactions).toMatchObject([
      { approved: false },
      { approved: true, orderid: 'order-1042' },
    ]);
    expect(await page.locator('main iframe').count()).toBe(0);
  });
});
