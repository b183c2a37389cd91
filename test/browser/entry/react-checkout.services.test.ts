/**
 * A React checkout with a sandbox: rendered on a server, hydrated in strict mode, under a policy that allows nothing
 * inline.
 *
 * @module-tag thorough
 */

import { testCards } from 'payments-client-sandbox';
import type { Browser, Locator, Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { violationsOf } from '../../support/axe.ts';
import { connectToChromium, hasChromium, openPage, viewports } from '../../support/chromium.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/serve.ts';
import { skipWithout } from '../../support/skip.ts';
import { pollTimeout } from '../poll-timeout.ts';
import { App } from './react-checkout.ts';
import { bundle } from './site.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/entry/react-checkout.services.test.ts',
);

declare global {
  var hydrate: (root: Element | null, baseUrl: string, apiKey: string) => void;
}

const aToken = expect.stringMatching(/^tok_[0-9a-z]{16}$/);

describe.skipIf(isSkipped)(`a checkout in React${why}`, { timeout: 300_000 }, () => {
  let browser: Browser;
  let app: string;

  beforeAll(async () => {
    browser = await connectToChromium();
    app = await bundle('test/browser/entry/react-checkout.ts');
  });
  afterAll(() => browser?.close());

  async function open(
    options?: Parameters<typeof openPage>[1],
    prepare: (page: Page) => Promise<void> = async () => {},
  ) {
    const sandbox = await startSandbox();
    const { url: baseUrl, publicKey: apiKey } = sandbox;
    const html = renderToString(createElement(App, { baseUrl, apiKey }));
    const policy = `default-src 'none'; script-src 'self' ${baseUrl}; connect-src ${baseUrl}; frame-src ${baseUrl}; style-src 'none'; img-src data:`;
    const head =
      '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tea shop</title><link rel="icon" href="data:,">';
    const shop = await serve((request, response) => {
      const isScript = request.url === '/app.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.setHeader('content-security-policy', policy);
      response.end(
        isScript
          ? app
          : `<!doctype html><html lang="en"><head>${head}</head><body><main>${html}</main><script type="module" src="/app.js"></script></body></html>`,
      );
    });
    onTestFinished(shop.close);
    const page = await openPage(browser, options);
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await prepare(page);
    await page.goto(shop.url);
    await page.waitForFunction('globalThis.hydrate !== undefined');
    await page.evaluate(
      ([url, key]) => {
        globalThis.notes = [];
        globalThis.hydrate(document.querySelector('main'), url, key);
      },
      [baseUrl, apiKey] as const,
    );
    const partOf = (name: string) => {
      const part = page.getByRole('region', { name });
      return { part, frame: part.frameLocator('iframe'), pay: part.getByRole('button', { name: 'Pay' }) };
    };
    const made = () => sandbox.requests.filter(({ operation }) => operation === 'cardFields.tokenize').length;
    return { sandbox, page, complaints, made, mine: partOf('mine'), gift: partOf('gift') };
  }

  type Fields = Awaited<ReturnType<typeof open>>['mine'];

  async function type({ frame }: Fields, number = testCards.frictionless.number): Promise<void> {
    await frame.getByLabel('Card number').fill(number);
    await frame.getByLabel('Expiry').fill('12/30');
    await frame.getByLabel('Security code').fill('123');
  }

  const state = (part: Locator, text: string) => part.getByText(text, { exact: true }).waitFor();

  it("creates one token for a double click on the shop's button, and accepts the next card after the payment", async () => {
    const { page, mine, made, complaints } = await open();
    await state(mine.part, 'ready incomplete no brand');
    await type(mine);
    await state(mine.part, 'ready complete no brand');
    await mine.pay.dblclick();
    await state(mine.part, 'busy incomplete no brand');
    expect(await mine.pay.isDisabled()).toBe(true);
    expect(await mine.frame.getByLabel('Card number').isEditable()).toBe(false);
    await mine.frame.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit());
    await page.evaluate('finish()');
    await state(mine.part, 'ready incomplete no brand');
    await type(mine, '4111111111111111');
    await state(mine.part, 'ready complete visa');
    await mine.pay.click();
    await state(mine.part, 'busy incomplete no brand');
    expect(await page.evaluate(() => notes)).toEqual([
      ['mine', aToken],
      ['mine', aToken],
    ]);
    expect([made(), complaints]).toEqual([2, []]);
  });

  it('supports several card fields on a page, each with its own card', async () => {
    const { page, mine, gift, complaints } = await open();
    await type(mine);
    await type(gift);
    expect(await mine.frame.getByRole('button', { name: 'Use this card' }).count()).toBe(0);
    await gift.frame.getByRole('button', { name: 'Use this card' }).click();
    await state(gift.part, 'busy incomplete no brand');
    await state(mine.part, 'ready complete no brand');
    await mine.pay.click();
    await state(mine.part, 'busy incomplete no brand');
    expect(await page.evaluate(() => notes)).toEqual([
      ['gift', aToken],
      ['mine', aToken],
    ]);
    expect(complaints).toEqual([]);
  });

  it('clears and focuses the fields on request', async () => {
    const { page, mine } = await open();
    await type(mine);
    await mine.part.getByRole('button', { name: 'Clear' }).click();
    await state(mine.part, 'ready incomplete no brand');
    expect(await mine.frame.getByLabel('Security code').inputValue()).toBe('');
    await mine.part.getByRole('button', { name: 'Focus' }).click();
    await mine.frame.locator('#ccnumber:focus').waitFor();
    await page.keyboard.type('4');
    await state(mine.part, 'ready incomplete visa');
  });

  it('cannot be clicked before the gateway and the fields are ready', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { mine } = await open({}, async (page) => {
      await page.route('**/js/Gateway.js', async (route) => {
        await released;
        await route.continue();
      });
    });
    await state(mine.part, 'ready incomplete no brand');
    expect(await mine.pay.isDisabled()).toBe(true);
    release();
    await expect.poll(() => mine.pay.isDisabled(), pollTimeout).toBe(false);
  });

  it.each([
    ['light', viewports.phone],
    ['dark', viewports.desktop],
  ] as const)('has no accessibility violations, %s at %j', async (colorScheme, viewport) => {
    const { page, mine, gift } = await open({ colorScheme, viewport });
    await state(mine.part, 'ready incomplete no brand');
    await state(gift.part, 'ready incomplete no brand');
    for (const place of page.frames()) expect(await violationsOf(place)).toEqual([]);
  });
});
