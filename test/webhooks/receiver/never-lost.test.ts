/** An authentic event reaches its handler or `onUnreadable`, or stays in the store. None gets the response of a forgery. */

import { createServer } from 'node:http';
import type { Issue } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type {
  DeliveryFailure,
  ReceiverOptions,
  WebhookEvent,
  WebhooksOptions,
} from 'payments-client/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { delivery, eventOf, otherSecret, secret, webhooksAt } from '../../support/deliveries.ts';
import { listen } from './running.ts';
import { send, summary } from './send.ts';

type UnreadableDelivery = Parameters<NonNullable<ReceiverOptions['onUnreadable']>>[0];

interface Recorded {
  readonly handled: WebhookEvent[];
  readonly issues: (readonly Issue[])[];
  readonly unreadable: UnreadableDelivery[];
  readonly failures: DeliveryFailure[];
}

/** A server with a receiver that records its calls. */
async function start(options: Partial<ReceiverOptions> = {}, settings: Partial<WebhooksOptions> = {}) {
  const recorded: Recorded = { handled: [], issues: [], unreadable: [], failures: [] };
  const webhooks = webhooksAt(settings);
  const receiver = webhooks.receiver({
    store: memoryStore(),
    on: {
      'refund.failed': (event, { issues }) => {
        recorded.handled.push(event);
        recorded.issues.push(issues);
      },
    },
    onUnreadable: (unreadable) => recorded.unreadable.push(unreadable),
    onError: (failure) => recorded.failures.push(failure),
    ...options,
  });
  const url = await listen(createServer(receiver.node));
  const deliver = async (value: unknown) => summary(await send(url, await delivery(value, webhooks)));
  const deliverBody = async (body: string | Uint8Array) =>
    summary(await send(url, { body, headers: await webhooks.sign(body) }));
  return { recorded, url, deliver, deliverBody };
}

const drifted = eventOf('refund.failed', { created: 1_790_000_000, livemode: 'false' });

describe('an event that differs from the interface', () => {
  it.each([undefined, 'warn'] as const)(
    'reaches its handler unchanged (validation %s)',
    async (validation) => {
      const { recorded, deliver } = await start({}, { validation });
      expect(await deliver(drifted)).toBe('200 handled');
      expect(await deliver(drifted)).toBe('200 duplicate');
      expect(recorded.handled).toEqual([drifted]);
      const issues = [
        { path: 'created', expected: 'an ISO 8601 time in UTC', received: expect.any(String) },
        { path: 'livemode', expected: 'true or false', received: "'false'" },
      ];
      expect(recorded.issues).toEqual([issues]);
      expect(recorded.failures).toEqual([
        {
          error: expect.objectContaining({
            reason: 'invalid_payload',
            message: expect.stringMatching(
              /^webhooks: the event differs from the interface: created: .+\. It was accepted unchanged: update payments-client\.$/,
            ),
          }),
          outcome: 'handled',
          event: drifted,
        },
      ]);
    },
  );

  it('reaches its handler with validation throw too', async () => {
    const { recorded, deliver } = await start({}, { validation: 'throw' });
    expect(await deliver(drifted)).toBe('200 handled');
    expect(recorded.unreadable).toEqual([]);
    expect(recorded.issues.map((issues) => issues.map(({ path }) => path))).toEqual([
      ['created', 'livemode'],
    ]);
  });

  it('passes unchecked with validation off', async () => {
    const { recorded, deliver } = await start({}, { validation: 'off' });
    expect(await deliver(drifted)).toBe('200 handled');
    expect(recorded).toMatchObject({ issues: [[]], failures: [] });
  });

  it('is returned by verify with its issues, which JSON does not contain', async () => {
    const { body, headers } = await delivery(drifted);
    const webhooks = webhooksAt();
    for (const event of [await webhooks.verify(body, headers), webhooks.verifySync(body, headers)]) {
      expect(event.issues.map(({ path }) => path)).toEqual(['created', 'livemode']);
      expect(event).toEqual(drifted);
      expect({ ...event }).not.toHaveProperty('issues');
    }
  });

  it('makes verify throw with validation throw', async () => {
    const { body, headers } = await delivery(drifted);
    const strict = webhooksAt({ validation: 'throw' });
    await expect(strict.verify(body, headers)).rejects.toThrow(/It was not handled/);
    expect(() => strict.verifySync(body, headers)).toThrow(/It was not handled/);
  });
});

const bodies: Readonly<Record<string, string | Uint8Array>> = {
  'not JSON': '{"id":',
  'not text': new Uint8Array([0xff, 0x00, 0x22]),
  empty: '',
  'a list': '[]',
  'an event without an id': '{"type":"refund.failed"}',
  'an event without a type': '{"id":"evt_1"}',
  'an event with a long id': JSON.stringify({ id: 'e'.repeat(256), type: 'refund.failed' }),
};

describe.each(Object.entries(bodies))('an authentic body that is %s', (_what, body) => {
  it('goes to onUnreadable each time, and gets a 500', async () => {
    const { recorded, deliverBody } = await start();
    for (let count = 1; count <= 2; count += 1) {
      expect(await deliverBody(body)).toBe('500 failed');
      expect(recorded.unreadable).toHaveLength(count);
    }
    const [unreadable] = recorded.unreadable;
    expect(Buffer.from(unreadable?.rawBody ?? 'x')).toEqual(Buffer.from(body));
    expect(unreadable?.headers.get('Webhook-Signature')).toMatch(/^v1,/);
    expect(unreadable?.headers.get('x-none')).toBeNull();
    expect(unreadable?.issues).toHaveLength(1);
    expect(recorded.failures).toMatchObject([
      { error: { reason: 'invalid_payload' }, outcome: 'failed', event: undefined },
      { outcome: 'failed' },
    ]);
  });

  it('gets a 500 without onUnreadable', async () => {
    const { recorded, deliverBody } = await start({ onUnreadable: undefined });
    expect(await deliverBody(body)).toBe('500 failed');
    expect(recorded.failures).toMatchObject([{ error: { reason: 'invalid_payload' }, outcome: 'failed' }]);
  });
});

describe('onUnreadable', () => {
  it.each([
    ['throws', () => Promise.reject(new Error('no disk'))],
    [
      'throws at once',
      () => {
        throw new Error('no disk');
      },
    ],
  ])('that %s is a failure', async (_how, onUnreadable) => {
    const { recorded, deliverBody } = await start({ onUnreadable });
    expect(await deliverBody('[]')).toBe('500 failed');
    expect(await deliverBody('[]')).toBe('500 failed');
    expect(recorded.failures[1]).toMatchObject({ error: new Error('no disk'), outcome: 'failed' });
  });

  it('receives the scope of the delivery', async () => {
    const scopes: unknown[] = [];
    const onUnreadable = ({ scope }: UnreadableDelivery) => scopes.push(scope);
    const { deliverBody } = await start({ onUnreadable }, { secrets: { acct_1: secret } });
    await deliverBody('[]');
    expect(scopes).toEqual(['acct_1']);
  });

  it('is not called for an unverified delivery', async () => {
    const { recorded, url } = await start();
    const forged = await delivery({}, webhooksAt({ secret: otherSecret }));
    expect(summary(await send(url, forged))).toBe('400 refused no_match');
    expect(recorded.unreadable).toEqual([]);
  });
});

describe('an authentic event of the other mode', () => {
  it.each([
    ['a test event', true, false, 'false'],
    ['a live event', false, true, 'true'],
    ['an event without a mode', true, undefined, 'nothing'],
  ])('(%s) reaches no handler, and gets a 500', async (_what, livemode, sent, received) => {
    const { recorded, deliver } = await start({}, { livemode });
    expect(await deliver(eventOf('refund.failed', { livemode: sent }))).toBe('500 failed');
    expect(recorded.handled).toEqual([]);
    expect(recorded.unreadable).toMatchObject([
      { issues: [{ path: 'livemode', expected: String(livemode), received }] },
    ]);
    expect(String(recorded.failures[0]?.error)).toMatch(/is this the endpoint of the other mode\?/);
  });
});

it('a delivery is redelivered if the receiver itself fails', async () => {
  const handle = vi.fn();
  let isBroken = false;
  const { recorded, deliver } = await start({
    on: {
      get 'refund.failed'() {
        if (isBroken) throw new Error('no handler');
        return handle;
      },
    },
  });
  isBroken = true;
  expect(await deliver(eventOf('refund.failed'))).toBe('500 failed');
  expect(recorded.failures).toMatchObject([{ error: new Error('no handler'), outcome: 'failed' }]);
  isBroken = false;
  expect(await deliver(eventOf('refund.failed'))).toBe('200 handled');
  expect(handle).toHaveBeenCalledOnce();
});
