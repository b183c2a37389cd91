/** The receiver handles each event once, even after failures. */

import { deriveIdempotencyKey } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type {
  DeliveryFailure,
  ReceiverContext,
  ReceiverOptions,
  WebhookEvent,
  WebhookStore,
} from 'payments-client/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { delivery, envelope, eventOf, now, otherSecret, webhooksAt } from '../support/deliveries.ts';

const failed = eventOf('refund.failed');

interface Recorded {
  readonly handled: WebhookEvent[];
  readonly contexts: ReceiverContext[];
  readonly failures: DeliveryFailure[];
}

/** A receiver whose handler of `refund.failed` records its arguments, and then runs the given function. */
function recordingReceiver(
  act: (context: ReceiverContext) => unknown = () => undefined,
  options: Partial<ReceiverOptions> = {},
) {
  const recorded: Recorded = { handled: [], contexts: [], failures: [] };
  const receiver = webhooksAt().receiver({
    store: memoryStore(),
    on: {
      'refund.failed': (event, context) => {
        recorded.handled.push(event);
        recorded.contexts.push(context);
        return act(context);
      },
    },
    onError: (failure) => recorded.failures.push(failure),
    ...options,
  });
  return { receiver, recorded };
}

/** A promise that the test resolves. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A store in which one operation fails. */
const brokenStore = (step: keyof WebhookStore): WebhookStore => ({
  ...memoryStore(),
  [step]: () => Promise.reject(new Error(`no ${step} today`)),
});

describe('a delivery', () => {
  it('is handled once, and its duplicates are acknowledged', async () => {
    const { receiver, recorded } = recordingReceiver();
    const first = await receiver.handle(await delivery(failed));
    expect(first).toEqual({
      outcome: 'handled',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"outcome":"handled"}',
    });
    for (const again of [await delivery(failed), await delivery(failed)]) {
      expect(await receiver.handle(again)).toMatchObject({ outcome: 'duplicate', status: 200 });
    }
    expect(recorded.handled).toEqual([failed]);
    expect(recorded.failures).toEqual([]);
  });

  it('passes its context to the handler', async () => {
    const { receiver, recorded } = recordingReceiver();
    const sent = await delivery(failed);
    await receiver.handle(sent);
    expect(recorded.contexts).toEqual([
      {
        rawBody: sent.body,
        attempt: 1,
        operationId: 'webhook.default/test//evt_1',
        scope: undefined,
        issues: [],
        signal: expect.any(AbortSignal),
        extend: expect.any(Function),
        completeIn: expect.any(Function),
      },
    ]);
  });

  it('has an operation id that the calls of this package accept', () => {
    expect(deriveIdempotencyKey('refunds.retry', 'webhook.default/test//evt_1')).toBe(
      'pc1:refunds.retry:webhook.default~002ftest~002f~002fevt_1',
    );
  });

  it.each([
    ['another type', eventOf('refund.created')],
    ['an unknown type', envelope('account.updated', {})],
  ])('of %s, without a handler, counts as handled and is not recorded', async (_name, event) => {
    const store = memoryStore();
    const claim = vi.spyOn(store, 'claim');
    const { receiver, recorded } = recordingReceiver(undefined, { store });
    expect(await receiver.handle(await delivery(event))).toMatchObject({ outcome: 'handled', status: 200 });
    expect(claim).not.toHaveBeenCalled();
    expect(recorded.failures).toEqual([]);
  });

  it('of an unknown type is handled once by onEvent', async () => {
    const types: string[] = [];
    const { receiver } = recordingReceiver(undefined, { onEvent: ({ type }) => types.push(type) });
    for (const id of ['evt_1', 'evt_1', 'evt_2']) {
      await receiver.handle(await delivery(envelope('account.updated', {}, { id })));
    }
    await receiver.handle(await delivery(eventOf('refund.created')));
    expect(types).toEqual(['account.updated', 'account.updated']);
  });
});

describe('a handler that throws', () => {
  it('gets the next delivery, with a higher attempt and the same operation id', async () => {
    const { receiver, recorded } = recordingReceiver(({ attempt }) => {
      if (attempt < 3) throw new Error(`not on attempt ${attempt}`);
    });
    const outcomes: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const { outcome, status } = await receiver.handle(await delivery(failed));
      outcomes.push(`${outcome} ${status}`);
    }
    expect(outcomes).toEqual(['failed 500', 'failed 500', 'handled 200', 'duplicate 200']);
    expect(recorded.contexts.map(({ attempt, operationId }) => `${attempt} ${operationId}`)).toEqual([
      '1 webhook.default/test//evt_1',
      '2 webhook.default/test//evt_1',
      '3 webhook.default/test//evt_1',
    ]);
    expect(recorded.failures).toEqual([
      { error: new Error('not on attempt 1'), outcome: 'failed', event: failed },
      { error: new Error('not on attempt 2'), outcome: 'failed', event: failed },
    ]);
  });

  it('does not expose its error to the service', async () => {
    const { receiver } = recordingReceiver(() => {
      throw new Error('the password is hunter2');
    });
    expect((await receiver.handle(await delivery(failed))).body).toBe('{"outcome":"failed"}');
  });
});

describe('concurrent deliveries', () => {
  it('are handled by one; the others must be redelivered', async () => {
    const { opened, open } = gate();
    const { receiver, recorded } = recordingReceiver(() => opened);
    const sent = await delivery(failed);
    const first = receiver.handle(sent);
    const others = await Promise.all(Array.from({ length: 9 }, () => receiver.handle(sent)));
    for (const reply of others) {
      expect(reply).toMatchObject({ outcome: 'in_progress', status: 409 });
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    open();
    expect(await first).toMatchObject({ outcome: 'handled' });
    expect(recorded.handled).toHaveLength(1);
    expect(await receiver.handle(sent)).toMatchObject({ outcome: 'duplicate' });
  });
});

describe('a store that fails', () => {
  it('to claim leaves the event unhandled, so that it is redelivered', async () => {
    const { receiver, recorded } = recordingReceiver(undefined, { store: brokenStore('claim') });
    expect(await receiver.handle(await delivery(failed))).toMatchObject({ outcome: 'failed', status: 500 });
    expect(recorded.handled).toEqual([]);
    expect(String(recorded.failures[0]?.error)).toBe('Error: no claim today');
  });

  it('to complete makes the service redeliver the event', async () => {
    const { receiver, recorded } = recordingReceiver(undefined, { store: brokenStore('complete') });
    expect(await receiver.handle(await delivery(failed))).toMatchObject({ outcome: 'failed', status: 500 });
    expect(String(recorded.failures[0]?.error)).toBe('Error: no complete today');
  });

  it('to release does not hide the error of the handler', async () => {
    const act = () => {
      throw new Error('the cause');
    };
    const { receiver, recorded } = recordingReceiver(act, { store: brokenStore('release') });
    expect(await receiver.handle(await delivery(failed))).toMatchObject({ outcome: 'failed' });
    expect(recorded.failures.map(({ error, outcome }) => `${outcome} ${error}`)).toEqual([
      // With the body, and then without it.
      'failed Error: no release today',
      'failed Error: no release today',
      'failed Error: the cause',
    ]);
  });
});

describe('a store with transactions', () => {
  /** Builds a store that records its calls: the claim's owner, the retention, and the connection. */
  function transactional(isMine: boolean) {
    const store = memoryStore();
    const completed: unknown[] = [];
    const withClients: WebhookStore<'connection'> = {
      ...store,
      complete: (key, token, retention, { client } = {}) => {
        completed.push([key, retention, client]);
        return client === undefined ? store.complete(key, token, retention) : Promise.resolve(isMine);
      },
    };
    return { store: withClients, completed };
  }

  it.each([
    [true, 'handled', []],
    [
      false,
      'failed',
      [
        expect.objectContaining({
          code: 'WEBHOOK_LEASE_LOST',
          message: expect.stringContaining('its lease of 60000 ms'),
        }),
      ],
    ],
  ])(
    'completes the event on the connection of the handler (claim held: %s)',
    async (isMine, outcome, errors) => {
      const { store, completed } = transactional(isMine);
      const failures: unknown[] = [];
      const receiver = webhooksAt().receiver<'connection'>({
        store,
        retention: 7000,
        on: { 'refund.failed': (_event, { completeIn }) => completeIn('connection') },
        onError: ({ error }) => failures.push(error),
      });
      expect(await receiver.handle(await delivery(failed))).toMatchObject({ outcome });
      expect(completed[0]).toEqual(['webhook.default/test//evt_1', 7000, 'connection']);
      expect(failures).toEqual(errors);
    },
  );
});

describe('a delivery that is refused', () => {
  it.each([
    ['another secret', async () => delivery(failed, webhooksAt({ secret: otherSecret })), 'no_match'],
    ['no headers', async () => ({ ...(await delivery(failed)), headers: {} }), 'missing_header'],
    [
      'a body that was parsed',
      async () => ({ ...(await delivery(failed)), body: anything({}) }),
      'invalid_payload',
    ],
  ])('(%s) is reported with its reason', async (_name, send, reason) => {
    const { receiver, recorded } = recordingReceiver();
    expect(await receiver.handle(await send())).toEqual({
      outcome: 'refused',
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome: 'refused', reason }),
    });
    expect(recorded.failures).toMatchObject([{ error: { reason }, outcome: 'refused', event: undefined }]);
    expect(recorded.handled).toEqual([]);
  });

  it.each([
    ['fast', -400_000],
    ['slow', 400_000],
  ])('because a clock is %s gets a 503, since its signature is right', async (_name, ahead) => {
    const { receiver, recorded } = recordingReceiver();
    const webhooks = webhooksAt();
    const body = JSON.stringify(failed);
    const reply = await receiver.handle({
      body,
      headers: await webhooks.sign(body, { timestamp: now + ahead }),
    });
    expect(reply).toMatchObject({
      outcome: 'refused',
      status: 503,
      body: '{"outcome":"refused","reason":"clock"}',
    });
    expect(recorded.failures).toMatchObject([{ error: { reason: ahead < 0 ? 'too_old' : 'too_new' } }]);
    expect(recorded.handled).toEqual([]);
  });

  it('because a clock is wrong and its signature too gets a 400', async () => {
    const { receiver } = recordingReceiver();
    const forged = webhooksAt({ secret: otherSecret });
    const body = JSON.stringify(failed);
    const headers = await forged.sign(body, { timestamp: now - 400_000 });
    expect(await receiver.handle({ body, headers })).toMatchObject({
      status: 400,
      body: '{"outcome":"refused","reason":"no_match"}',
    });
  });

  it('because its scheme throws is a failure', async () => {
    const scheme = {
      verify: () => {
        throw new Error('broken');
      },
      sign: () => ({}),
    };
    const failures: DeliveryFailure[] = [];
    const receiver = webhooksAt({ scheme }).receiver({
      store: memoryStore(),
      on: {},
      onError: (failure) => failures.push(failure),
    });
    expect(await receiver.handle({ body: '{}', headers: {} })).toMatchObject({
      outcome: 'failed',
      status: 500,
    });
    expect(failures).toMatchObject([{ error: new Error('broken'), outcome: 'failed' }]);
  });
});

describe('a callback that fails', () => {
  const fail = () => {
    throw new Error('a full disk');
  };
  const reject = () => Promise.reject(new Error('a full disk'));
  it.each<Partial<ReceiverOptions>>([
    { onError: fail },
    { onError: reject },
    { onDelivery: fail },
    { onDelivery: reject },
  ])('does not change the result: %o', async (options) => {
    const { receiver } = recordingReceiver(({ attempt }) => attempt === 1 && reject(), options);
    expect(await receiver.handle(await delivery(failed))).toMatchObject({ outcome: 'failed', status: 500 });
    expect(await receiver.handle(await delivery(failed))).toMatchObject({ outcome: 'handled', status: 200 });
  });
});
