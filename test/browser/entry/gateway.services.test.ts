/**
 * The browser entry's gateway: device sessions and 3-D Secure through the script's callbacks.
 *
 * @module-tag thorough
 */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectToChromium, hasChromium } from '../../support/chromium.ts';
import { skipWithout } from '../../support/skip.ts';
import { gatewayScript, type Outcome, type Site, startSite } from './site.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/entry/gateway.services.test.ts',
);

declare global {
  var gateway: Awaited<ReturnType<typeof sdk.loadGateway>>;
  /** Awaits a call in the page, and returns its outcome as plain values. */
  var outcomeOf: (work: () => unknown) => Promise<Outcome>;
}

const order = {
  amount: '24.00',
  currency: 'USD',
  billingAddress: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    address1: '1 Tea Street',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
    country: 'US',
  },
};

describe.skipIf(isSkipped)(`the gateway${why}`, { timeout: 30_000 }, () => {
  let browser: Browser;
  let site: Site;

  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    site = await startSite(browser);
  });

  /** Opens a page with a loaded gateway of a script. */
  async function open(script = gatewayScript): Promise<Page> {
    site.serve('/js/Gateway.js', script);
    const page = await site.open();
    await page.evaluate(async (baseUrl) => {
      globalThis.outcomeOf = async (work) => {
        try {
          return { value: await work() };
        } catch (error) {
          if (!(error instanceof sdk.BrowserError)) return { isBrowserError: false, message: String(error) };
          return { code: error.code, message: error.message };
        }
      };
      globalThis.gateway = await sdk.loadGateway({ baseUrl, apiKey: 'pk_1', environment: 'sandbox' });
    }, site.url);
    return page;
  }

  /** Returns a script whose services run the given code. */
  const scriptWith = (services: { risk?: string; threeDSecure?: string }) =>
    `globalThis.Gateway = { create: () => ({
      getRisk: () => (${services.risk ?? '{}'}),
      get3DSecure: () => (${services.threeDSecure ?? '{}'}),
    }) };`;

  it("returns the device session's id, created with the public key", async () => {
    const page = await open();
    expect(await page.evaluate(() => gateway.risk.collectDeviceData())).toBe('rs_1');
    expect(await page.evaluate(() => notes)).toEqual([
      ['create', { apiKey: 'pk_1', environment: 'sandbox' }],
    ]);
  });

  it('returns the whole result of 3-D Secure for the configured order', async () => {
    const page = await open();
    const result = await page.evaluate((order) => {
      gateway.threeDSecure.configure(order);
      return gateway.threeDSecure.authenticate('tok_1');
    }, order);
    expect(result).toEqual({
      authenticated: true,
      cardholder_auth: 'Y',
      cavv: 'c',
      xid: 'x',
      eci: '05',
      more: 1,
    });
    expect((await page.evaluate(() => notes)).at(-1)).toEqual(['authenticate', order, 'tok_1']);
  });

  it('returns a failed authentication as a result', async () => {
    const page = await open(
      scriptWith({ threeDSecure: '{ authenticate: (_, callback) => callback({ authenticated: false }) }' }),
    );
    expect(await page.evaluate(() => gateway.threeDSecure.authenticate('tok_1'))).toEqual({
      authenticated: false,
    });
  });

  it('uses the first callback only', async () => {
    const twice = '{ collectDeviceData: (callback) => { callback("rs_1"); callback("rs_2"); callback(); } }';
    const page = await open(scriptWith({ risk: twice }));
    expect(await page.evaluate(() => gateway.risk.collectDeviceData())).toBe('rs_1');
  });

  it.each(['undefined', 'null', '""', '7', '{ sessionId: "rs_1" }'])(
    'rejects %s as a session id',
    async (answer) => {
      const page = await open(
        scriptWith({ risk: `{ collectDeviceData: (callback) => callback(${answer}) }` }),
      );
      expect(await page.evaluate(() => outcomeOf(() => gateway.risk.collectDeviceData()))).toMatchObject({
        code: 'script_failed',
      });
    },
  );

  it.each(['undefined', 'null', '"Y"', '{}', '{ authenticated: "true" }'])(
    'rejects %s as a result',
    async (answer) => {
      const page = await open(
        scriptWith({ threeDSecure: `{ authenticate: (_, callback) => callback(${answer}) }` }),
      );
      expect(
        await page.evaluate(() => outcomeOf(() => gateway.threeDSecure.authenticate('tok_1'))),
      ).toMatchObject({
        code: 'script_failed',
      });
    },
  );

  it('wraps an error of the script with its cause', async () => {
    const throws = '() => { throw new Error("no such thing"); }';
    const page = await open(
      scriptWith({
        risk: `{ collectDeviceData: ${throws} }`,
        threeDSecure: `{ configure: ${throws}, authenticate: ${throws} }`,
      }),
    );
    const codes = await page.evaluate(async (order) => {
      const works = [
        () => gateway.risk.collectDeviceData(),
        () => gateway.threeDSecure.configure(order),
        () => gateway.threeDSecure.authenticate('tok_1'),
      ];
      return Promise.all(works.map(async (work) => (await outcomeOf(work)).code));
    }, order);
    expect(codes).toEqual(['script_failed', 'script_failed', 'script_failed']);
    const cause = await page.evaluate(() =>
      gateway.risk.collectDeviceData().catch(({ cause }) => String(cause)),
    );
    expect(cause).toBe('Error: no such thing');
  });

  it('names the missing method', async () => {
    const page = await open('globalThis.Gateway = { create: () => ({}) };');
    const outcome = await page.evaluate(() => outcomeOf(() => gateway.threeDSecure.authenticate('tok_1')));
    expect(outcome.code).toBe('script_failed');
    expect(outcome.message).toContain('get3DSecure');
  });

  it('is an error if the script creates no client', async () => {
    site.serve('/js/Gateway.js', 'globalThis.Gateway = { create: () => { throw new Error("bad key"); } };');
    const page = await site.open();
    const code = await page.evaluate(
      (baseUrl) =>
        sdk.loadGateway({ baseUrl, apiKey: 'pk_1', environment: 'sandbox' }).catch(({ code }) => code),
      site.url,
    );
    expect(code).toBe('script_failed');
  });

  it('stops waiting after the timeout or an abort', async () => {
    const never = scriptWith({ risk: '{ collectDeviceData() {} }', threeDSecure: '{ authenticate() {} }' });
    const page = await open(never);
    const codes = await page.evaluate(async () => {
      const waits = [{ timeout: 5 }, { signal: AbortSignal.abort() }, { signal: AbortSignal.timeout(5) }];
      const outcomes = waits.flatMap((options) => [
        outcomeOf(() => gateway.risk.collectDeviceData(options)),
        outcomeOf(() => gateway.threeDSecure.authenticate('tok_1', options)),
      ]);
      return (await Promise.all(outcomes)).map(({ code }) => code);
    });
    expect(codes).toEqual(['timeout', 'timeout', 'aborted', 'aborted', 'aborted', 'aborted']);
  });

  it('removes its listener from the signal', async () => {
    const page = await open();
    const listeners = await page.evaluate(async () => {
      const { signal } = new AbortController();
      let count = 0;
      const { addEventListener, removeEventListener } = signal;
      signal.addEventListener = (...given: [string, never]) => {
        count += 1;
        addEventListener.apply(signal, given);
      };
      signal.removeEventListener = (...given: [string, never]) => {
        count -= 1;
        removeEventListener.apply(signal, given);
      };
      await gateway.risk.collectDeviceData({ signal });
      await gateway.threeDSecure.authenticate('tok_1', { signal });
      return count;
    });
    expect(listeners).toBe(0);
  });
});
