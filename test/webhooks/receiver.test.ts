/** What a receiver answers, and which handler gets an event. `receiver/suite-of-modes.ts` has its promises in each mode. */

import { PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type {
  DeliveryFailure,
  ReceiverOptions,
  WebhookStore,
  WebhooksOptions,
} from 'payments-client/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { delivery, envelope, eventOf, now, otherSecret, webhooksAt } from '../support/deliveries.ts';

const failed = eventOf('refund.failed');

/** A receiver that records failures, and the calls of its handler of `refund.failed`. */
function receiverOf(options: Partial<ReceiverOptions> = {}, settings: Partial<WebhooksOptions> = {}) {
  const failures: DeliveryFailure[] = [];
  const handle = vi.fn();
  const receiver = webhooksAt(settings).receiver({
    store: memoryStore(),
    on: { 'refund.failed': handle },
    onError: (failure) => failures.push(failure),
    ...options,
  });
  return { receiver, failures, handle };
}

const json = { 'content-type': 'application/json' };

describe('the response', () => {
  it.each<[outcome: string, status: number, retryAfter: string | undefined, Partial<ReceiverOptions>]>([
    ['handled', 200, undefined, {}],
    ['enqueued', 200, undefined, { enqueue: () => {} }],
    [
      'duplicate',
      200,
      undefined,
      { store: storeThat(async () => ({ status: 'completed', data: undefined })) },
    ],
    [
      'in_progress',
      409,
      '2',
      // In whole seconds, so that nobody asks again too early.
      { store: storeThat(async () => ({ status: 'in_progress', retryAfter: 1001, data: undefined })) },
    ],
    ['failed', 500, undefined, { store: storeThat(() => Promise.reject(new Error('hunter2'))) }],
    ['failed', 500, undefined, { on: { 'refund.failed': () => Promise.reject(new Error('hunter2')) } }],
    ['failed', 500, undefined, { enqueue: () => Promise.reject(new Error('hunter2')) }],
    [
      'failed',
      503,
      '3',
      {
        on: {
          'refund.failed': () => Promise.reject(new PaymentsError('late', { code: 'STORE_TIMEOUT' })),
        },
      },
    ],
  ])('to a delivery that is %s is a %i without details', async (outcome, status, retryAfter, options) => {
    const { receiver } = receiverOf(options);
    expect(await receiver.handle(await delivery(failed))).toEqual({
      outcome,
      status,
      headers: { ...json, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
      body: JSON.stringify({ outcome }),
    });
  });

  it.each<[what: string, status: number, reason: string, send: () => Promise<object>]>([
    [
      'signed with another secret',
      400,
      'no_match',
      () => delivery(failed, webhooksAt({ secret: otherSecret })),
    ],
    [
      'forged, with the fields of a verified one',
      400,
      'no_match',
      async () => {
        const forged = await delivery(failed, webhooksAt({ secret: otherSecret }));
        return { ...forged, rawBody: forged.body, dispatched: { rawBody: forged.body }, verified: true };
      },
    ],
    ['without headers', 400, 'missing_header', async () => ({ ...(await delivery(failed)), headers: {} })],
    [
      'whose body was parsed',
      400,
      'invalid_payload',
      async () => ({ ...(await delivery(failed)), body: {} }),
    ],
    // A clock that is wrong is not the sender's fault.
    ['signed too long ago', 503, 'clock', () => signedAt(now - 300_001)],
    ['signed in the future', 503, 'clock', () => signedAt(now + 301_000)],
    ['forged long ago', 400, 'no_match', () => signedAt(now - 400_000, otherSecret)],
  ])('to a delivery %s is a %i, and no handler gets it', async (_what, status, reason, send) => {
    const { receiver, handle, failures } = receiverOf();
    expect(await receiver.handle(anything(await send()))).toEqual({
      outcome: 'refused',
      status,
      headers: json,
      body: JSON.stringify({ outcome: 'refused', reason }),
    });
    expect(failures).toMatchObject([
      { error: { name: 'WebhookVerificationError' }, outcome: 'refused', event: undefined },
    ]);
    expect(handle).not.toHaveBeenCalled();
  });

  it.each<[what: string, Partial<ReceiverOptions>, Partial<WebhooksOptions>]>([
    [
      'its scheme throws',
      {},
      {
        scheme: {
          verify: () => {
            throw new Error('broken');
          },
          sign: () => ({}),
        },
      },
    ],
    ['its secrets cannot be looked up', {}, { secrets: () => Promise.reject(new Error('broken')) }],
    [
      'the receiver itself fails',
      {
        on: new Proxy(
          {},
          {
            get: () => {
              throw new Error('broken');
            },
          },
        ),
      },
      {},
    ],
  ])('is a 500 if %s, so that the service delivers again', async (_what, options, settings) => {
    const { receiver, failures } = receiverOf(options, settings);
    expect(await receiver.handle(await delivery(failed))).toMatchObject({ outcome: 'failed', status: 500 });
    expect(failures).toMatchObject([{ error: new Error('broken'), outcome: 'failed' }]);
  });
});

/** A store that answers each claim like this. */
function storeThat(claim: WebhookStore['claim']): WebhookStore {
  return { ...memoryStore(), claim };
}

async function signedAt(timestamp: number, secret?: string) {
  const body = JSON.stringify(failed);
  return { body, headers: await webhooksAt({ secret }).sign(body, { timestamp }) };
}

describe('an event', () => {
  it.each([
    ['a known type', eventOf('refund.created')],
    ['an unknown type', envelope('refund.escalated', {})],
    ['the name of a member of each object', envelope('constructor', {})],
  ])('of %s without a handler counts as handled, and the store is not asked', async (_what, event) => {
    const store = memoryStore();
    const claim = vi.spyOn(store, 'claim');
    const { receiver, failures } = receiverOf({ store });
    expect(await receiver.handle(await delivery(event))).toMatchObject({ outcome: 'handled', status: 200 });
    expect(claim).not.toHaveBeenCalled();
    expect(failures).toEqual([]);
  });

  it('has a lease of a minute, and is remembered for 30 days, unless other times are set', async () => {
    for (const [options, lease, retention] of [
      [{}, 60_000, 2_592_000_000],
      [{ lease: 50_000, retention: 7 }, 50_000, 7],
    ] as const) {
      const store = memoryStore();
      const claim = vi.spyOn(store, 'claim');
      const complete = vi.spyOn(store, 'complete');
      await receiverOf({ store, ...options }).receiver.handle(await delivery(failed));
      expect([claim.mock.calls[0]?.[1], complete.mock.calls[0]?.[2]]).toEqual([lease, retention]);
    }
  });

  it('goes to the handler of its type, else to onEvent', async () => {
    const onEvent = vi.fn();
    const { receiver, handle } = receiverOf({ onEvent });
    const others = [eventOf('refund.created', { id: 'evt_2' }), envelope('a.b', {}, { id: 'evt_3' })];
    for (const event of [failed, ...others]) await receiver.handle(await delivery(event));
    const inContext = expect.objectContaining({
      rawBody: JSON.stringify(failed),
      attempt: 1,
      signal: expect.any(AbortSignal),
      extend: expect.any(Function),
      completeIn: expect.any(Function),
    });
    expect(handle.mock.calls).toEqual([[failed, inContext]]);
    expect(onEvent.mock.calls.map(([event]) => event)).toEqual(others);
  });

  it('that differs from the interface is reported once it is handled, unless validation is off', async () => {
    const drifted = { ...failed, created: 7 };
    const { receiver, failures } = receiverOf();
    await receiver.handle(await delivery(drifted));
    expect(failures).toEqual([
      { error: expect.objectContaining({ reason: 'invalid_payload' }), outcome: 'handled', event: drifted },
    ]);
    expect(String(failures[0]?.error)).toMatch(
      /created: .+\. It was accepted unchanged: update payments-client\.$/,
    );
    const unchecked = receiverOf({}, { validation: 'off' });
    await unchecked.receiver.handle(await delivery(drifted));
    expect([unchecked.handle.mock.calls[0]?.[1].issues, unchecked.failures]).toEqual([[], []]);
    const failing = receiverOf({ on: { 'refund.failed': () => Promise.reject(new Error('no stock')) } });
    await failing.receiver.handle(await delivery(drifted));
    expect(failing.failures).toMatchObject([{ error: new Error('no stock'), outcome: 'failed' }]);
  });
});
