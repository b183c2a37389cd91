/** The gateway: device sessions and 3-D Secure through the script's callbacks. */

import { loadGateway } from 'payments-client/browser';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf, openFakePage } from './fake-page.ts';

afterEach(() => void vi.useRealTimers());

const options = { baseUrl: 'https://payments.example', apiKey: 'pk_1', environment: 'sandbox' };
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

type Callback = (answer?: unknown) => void;

interface Services {
  readonly collectDeviceData?: (callback: Callback) => void;
  readonly configure?: (given: unknown) => void;
  readonly authenticate?: (token: string, callback: Callback) => void;
}

/** Loads a gateway of a script whose services do this, and returns what `create` got. */
async function load({ collectDeviceData, ...threeDSecure }: Services) {
  const created: unknown[] = [];
  const client = { getRisk: () => ({ collectDeviceData }), get3DSecure: () => threeDSecure };
  openFakePage(() => () => ({ Gateway: { create: (given: unknown) => (created.push(given), client) } }));
  return { gateway: await loadGateway(options), created };
}

/** Calls that wait for the script. */
const waits: readonly (readonly [
  name: string,
  wait: (
    gateway: Awaited<ReturnType<typeof loadGateway>>,
    more?: { timeout?: number; signal?: AbortSignal },
  ) => Promise<unknown>,
])[] = [
  ['collectDeviceData', (gateway, more) => gateway.risk.collectDeviceData(more)],
  ['authenticate', (gateway, more) => gateway.threeDSecure.authenticate('tok_1', more)],
];

it("returns the device session's id, created with the public key", async () => {
  const { gateway, created } = await load({
    collectDeviceData: (callback) => queueMicrotask(() => callback('rs_1')),
  });
  expect(await gateway.risk.collectDeviceData()).toBe('rs_1');
  expect(created).toEqual([{ apiKey: 'pk_1', environment: 'sandbox' }]);
});

it('passes any environment on', async () => {
  const created: unknown[] = [];
  openFakePage(() => () => ({ Gateway: { create: (given: unknown) => void created.push(given) } }));
  await loadGateway({ ...options, environment: 'live' });
  expect(created).toEqual([{ apiKey: 'pk_1', environment: 'live' }]);
});

it('authenticates with the service that it configured, though the script makes a new one each time', async () => {
  const make = () => {
    let configured: unknown;
    return {
      configure: (given: unknown) => void (configured = given),
      authenticate: (_token: string, callback: Callback) =>
        callback({ authenticated: configured !== undefined }),
    };
  };
  openFakePage(() => () => ({ Gateway: { create: () => ({ get3DSecure: make }) } }));
  const { threeDSecure } = await loadGateway(options);
  threeDSecure.configure(order);
  expect(await threeDSecure.authenticate('tok_1')).toMatchObject({ authenticated: true });
});

it('returns the whole result of 3-D Secure for the configured order', async () => {
  const calls: unknown[] = [];
  const result = { authenticated: true, cardholder_auth: 'Y', cavv: 'c', xid: 'x', eci: '05', more: 1 };
  const { gateway } = await load({
    configure: (given) => void calls.push(given),
    authenticate: (token, callback) => {
      calls.push(token);
      callback(result);
    },
  });
  gateway.threeDSecure.configure(order);
  gateway.threeDSecure.configure({ ...order, amount: 2400 });
  expect(await gateway.threeDSecure.authenticate('tok_1')).toEqual(result);
  expect(calls).toEqual([order, { ...order, amount: 2400 }, 'tok_1']);
});

it('returns a failed authentication as a result', async () => {
  const { gateway } = await load({ authenticate: (_, callback) => callback({ authenticated: false }) });
  expect(await gateway.threeDSecure.authenticate('tok_1')).toEqual({ authenticated: false });
});

it('uses the first callback only', async () => {
  const { gateway } = await load({
    collectDeviceData: (callback) => {
      for (const answer of ['rs_1', 'rs_2', undefined]) callback(answer);
    },
  });
  expect(await gateway.risk.collectDeviceData()).toBe('rs_1');
});

describe('is script_failed,', () => {
  it.each([undefined, null, '', 7, { sessionId: 'rs_1' }])('if the session id is %j', async (answer) => {
    const { gateway } = await load({ collectDeviceData: (callback) => callback(answer) });
    expect((await failureOf(() => gateway.risk.collectDeviceData())).code).toBe('script_failed');
  });

  it.each([undefined, null, 'Y', {}, { authenticated: 'true' }])('if the result is %j', async (answer) => {
    const { gateway } = await load({ authenticate: (_, callback) => callback(answer) });
    expect((await failureOf(() => gateway.threeDSecure.authenticate('tok_1'))).code).toBe('script_failed');
  });

  it('with its cause, if the script throws', async () => {
    const cause = new Error('no such thing');
    const fails = () => {
      throw cause;
    };
    const { gateway } = await load({ collectDeviceData: fails, configure: fails, authenticate: fails });
    const calls = [
      ...waits.map(
        ([, wait]) =>
          () =>
            wait(gateway),
      ),
      () => gateway.threeDSecure.configure(order),
    ];
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: 'script_failed', cause });
    openFakePage(() => () => ({ Gateway: { create: fails } }));
    expect(await failureOf(() => loadGateway(options))).toMatchObject({ code: 'script_failed', cause });
  });

  it.each(waits)('naming the method that a script lacks: %s', async (name, wait) => {
    const { gateway } = await load({});
    expect(await failureOf(() => wait(gateway))).toMatchObject({
      code: 'script_failed',
      message: expect.stringContaining(name),
    });
    openFakePage(() => () => ({ Gateway: { create: () => ({}) } }));
    const { message } = await failureOf(async () => wait(await loadGateway(options)));
    expect(message).toContain(name === 'authenticate' ? 'get3DSecure' : 'getRisk');
  });
});

describe.each(waits)('%s', (name, wait) => {
  const usual = name === 'authenticate' ? 600_000 : 10_000;

  it.each([undefined, 5])('times out with the timeout %s', async (timeout) => {
    vi.useFakeTimers();
    const { gateway } = await load({ collectDeviceData: () => {}, authenticate: () => {} });
    let failed: unknown;
    const outcome = failureOf(() => wait(gateway, anything({ timeout }))).then((failure) => {
      failed = failure;
    });
    const ms = timeout ?? usual;
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(failed).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
    expect(failed).toMatchObject({ code: 'timeout', message: expect.stringContaining(`within ${ms} ms`) });
  });

  it('is aborted by its signal, before the script is called or later', async () => {
    let calls = 0;
    const count = () => {
      calls += 1;
    };
    const { gateway } = await load({ collectDeviceData: count, authenticate: count });
    const reason = new Error('left');
    const before = await failureOf(() => wait(gateway, { signal: AbortSignal.abort(reason) }));
    expect([before.code, before.cause, calls]).toEqual(['aborted', reason, 0]);
    const controller = new AbortController();
    const later = failureOf(() => wait(gateway, { signal: controller.signal }));
    controller.abort(reason);
    expect([(await later).code, calls]).toEqual(['aborted', 1]);
  });

  it('leaves no listener at its signal, and refuses unknown options', async () => {
    const { gateway } = await load({
      collectDeviceData: (callback) => callback('rs_1'),
      authenticate: (_, callback) => callback({ authenticated: true }),
    });
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    await wait(gateway, { signal });
    expect(added.mock.calls.length).toBe(1);
    expect(removed.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      added.mock.calls.map(([type, listener]) => [type, listener]),
    );
    expect(await failureOf(() => wait(gateway, anything({ signl: signal })))).toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(`${name}.signl: expected one of timeout, signal`),
    });
  });
});

it('refuses an empty token before the bank is asked', async () => {
  const asked: unknown[] = [];
  const { gateway } = await load({ authenticate: (token) => void asked.push(token) });
  expect([(await failureOf(() => gateway.threeDSecure.authenticate(''))).code, asked]).toEqual([
    'invalid_option',
    [],
  ]);
});
