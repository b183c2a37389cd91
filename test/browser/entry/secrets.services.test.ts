/**
 * Every browser function refuses a secret key before it does anything.
 *
 * @module-tag thorough
 */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectToChromium, hasChromium } from '../../support/chromium.ts';
import { always } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import { collectScript, gatewayScript, startSite } from './site.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/entry/secrets.services.test.ts',
);

const secret = 'sk_v1_test_51Habcdef';

/** Every parameter that accepts text, as a program with the text and the base URL. */
const places: Readonly<Record<string, string>> = {
  'loadGateway apiKey': 'sdk.loadGateway({ baseUrl, apiKey: text, environment: "sandbox" })',
  'loadGateway environment': 'sdk.loadGateway({ baseUrl, apiKey: "pk_1", environment: text })',
  'loadGateway baseUrl':
    'sdk.loadGateway({ baseUrl: baseUrl + "/" + text, apiKey: "pk_1", environment: "sandbox" })',
  'loadGateway nonce': 'sdk.loadGateway({ baseUrl, apiKey: "pk_1", environment: "sandbox", nonce: text })',
  'loadGateway integrity':
    'sdk.loadGateway({ baseUrl, apiKey: "pk_1", environment: "sandbox", integrity: text })',
  'loadCardFields src': 'sdk.loadCardFields({ src: "/fields.js?key=" + text })',
  'loadCardFields attributes': 'sdk.loadCardFields({ src: "/fields.js", attributes: { "data-key": text } })',
  'collectToken config': 'fields.collectToken({ config: { deep: [{ key: text }] } })',
  'configure amount': 'gateway.threeDSecure.configure({ amount: text, currency: "USD", billingAddress: {} })',
  'configure address':
    'gateway.threeDSecure.configure({ amount: "1", currency: "USD", billingAddress: { city: text } })',
  'authenticate token': 'gateway.threeDSecure.authenticate(text)',
};

describe.skipIf(isSkipped)(`a secret key${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());

  /** Returns the effect of a text in a parameter: the error's code and message, and the requests of the page. */
  async function tryIn(page: Page, place: string, text: string, baseUrl: string) {
    return page.evaluate(
      async ({ place, text, baseUrl }) => {
        notes.length = 0;
        const before = document.scripts.length;
        const run = new Function('text', 'baseUrl', `return ${place};`);
        const error = await (async () => run(text, baseUrl))().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        const known =
          error instanceof sdk.BrowserError
            ? { code: error.code, all: `${error.message} ${error.stack}` }
            : {};
        return { ...known, notes: notes.length, scripts: document.scripts.length - before };
      },
      { place, text, baseUrl },
    );
  }

  it.each(Object.entries(places))(
    'is refused in %s before anything happens, and not quoted',
    async (_what, place) => {
      const site = await startSite(browser);
      site.serve('/js/Gateway.js', gatewayScript);
      site.serve('/fields.js', collectScript);
      const page = await site.open();
      await page.evaluate(async (baseUrl) => {
        globalThis.gateway = await sdk.loadGateway({ baseUrl, apiKey: 'pk_1', environment: 'sandbox' });
        globalThis.fields = await sdk.loadCardFields({ src: '/fields.js' });
      }, site.url);
      for (const text of [
        secret,
        `Bearer ${secret}`,
        `${secret}\n`,
        secret.toUpperCase(),
        'sk_live_1',
        'whsec_MfKQ9r8G',
      ]) {
        const outcome = await tryIn(page, place, text, site.url);
        expect(outcome).toMatchObject({ code: 'secret_key', notes: 0, scripts: 0 });
        expect(outcome.all).not.toContain(text.trim());
        expect(outcome.all).toContain('public');
      }
    },
  );

  it('is not suspected in other text', async () => {
    const site = await startSite(browser);
    site.serve('/js/Gateway.js', gatewayScript);
    const page = await site.open();
    for (const text of ['pk_v1_test_1', 'task_1', 'desk_sk', '7sk_', 'tok_sk1']) {
      expect((await tryIn(page, places['loadGateway apiKey'] ?? '', text, site.url)).code).toBeUndefined();
    }
  });

  it('is not searched in DOM elements', always, async () => {
    const site = await startSite(browser);
    site.serve('/fields.js', collectScript);
    const page = await site.open();
    const token = await page.evaluate(async (secret) => {
      const target = Object.assign(document.body, { somebodyElse: { key: secret } });
      const fields = await sdk.loadCardFields({ src: '/fields.js' });
      const next = fields.collectToken({ config: { target } });
      dispatchEvent(new CustomEvent('card', { detail: 'tok_1' }));
      return next;
    }, secret);
    expect(token).toBe('tok_1');
  });
});
