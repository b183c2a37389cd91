/** Events without a handler, while an old version of a program and a new one share a store. */

import { ConfigurationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type { FailedDelivery, ReceiverOptions } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { delivery, envelope, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { memoryBackend } from './modes.ts';

const failure = (id: string) => eventOf('refund.failed', { id });
const keyOf = (id: string) => `webhook.default/test//${id}`;

/** Starts pods of two versions: only the new one has a handler. */
function pods(options: Partial<ReceiverOptions> = {}) {
  const common = { store: memoryStore(), onError: () => {}, unhandled: 'keep', ...options } as const;
  const handled: string[] = [];
  const work = { throws: false };
  const old = webhooksAt().receiver({ ...common, on: {} });
  const next = webhooksAt().receiver({
    ...common,
    on: {
      'refund.failed': ({ id }, { masked }) => {
        if (work.throws) throw new Error('no stock');
        handled.push(masked ? `${id} masked` : id);
      },
    },
  });
  return { common, old, next, handled, work };
}

async function listOf(list: AsyncIterable<FailedDelivery>): Promise<FailedDelivery[]> {
  const all: FailedDelivery[] = [];
  for await (const one of list) all.push(one);
  return all;
}

/** The loop of the guide. Returns the outcomes. */
async function repeatAll(receiver: ReturnType<typeof pods>['old']): Promise<string[]> {
  const outcomes: string[] = [];
  for await (const one of receiver.failed())
    outcomes.push(await receiver.dispatch(one).catch(() => 'failed'));
  return outcomes;
}

describe("with unhandled: 'keep'", () => {
  it('an event is answered 200 and kept until a version with a handler dispatches it', async () => {
    const { old, next, handled } = pods();
    const reply = await old.handle(await delivery(failure('evt_1')));
    expect([reply.outcome, reply.status]).toEqual(['kept', 200]);
    expect(await listOf(next.failed())).toMatchObject([
      { id: keyOf('evt_1'), error: 'unhandled', attempt: 1 },
    ]);
    expect(await old.backlog()).toMatchObject({ count: 1 });
    expect(await next.dispatch(anything((await listOf(old.failed()))[0]))).toBe('handled');
    expect([handled, await listOf(next.failed())]).toEqual([['evt_1'], []]);
    expect((await old.handle(await delivery(failure('evt_1')))).outcome).toBe('duplicate');
  });

  it('no loop of an old version ends it', async () => {
    const { old, next, handled } = pods();
    for (const id of ['evt_1', 'evt_2']) await old.handle(await delivery(failure(id)));
    for (const _round of [1, 2]) expect(await repeatAll(old)).toEqual(['kept', 'kept']);
    expect(await repeatAll(next)).toEqual(['handled', 'handled']);
    expect(handled).toEqual(['evt_1', 'evt_2']);
    expect(await old.backlog()).toMatchObject({ count: 0 });
  });

  it('is not claimed again by a version without a handler, and keeps the error of one with it', async () => {
    const { old, next, work } = pods();
    await old.handle(await delivery(failure('evt_1')));
    work.throws = true;
    expect(await repeatAll(next)).toEqual(['failed']);
    const [failedNow] = await listOf(next.failed());
    for (const _round of [1, 2, 3]) expect(await repeatAll(old)).toEqual(['kept']);
    expect((await old.handle(await delivery(failure('evt_1')))).outcome).toBe('kept');
    expect(await listOf(next.failed())).toEqual([
      expect.objectContaining({ attempt: 2, error: failedNow?.error }),
    ]);
    expect(failedNow?.error).not.toBe('unhandled');
  });

  it('the next delivery of it is handled by a version with a handler', async () => {
    const { old, next, handled } = pods();
    await old.handle(await delivery(failure('evt_1')));
    expect((await next.handle(await delivery(failure('evt_1')))).outcome).toBe('handled');
    expect([handled, await listOf(next.failed())]).toEqual([['evt_1'], []]);
  });

  it('one that failed elsewhere stays kept, whichever version gets it next', async () => {
    const { old, next, handled, work } = pods();
    work.throws = true;
    expect((await next.handle(await delivery(failure('evt_1')))).outcome).toBe('failed');
    expect((await old.handle(await delivery(failure('evt_1')))).outcome).toBe('kept');
    expect(await repeatAll(next)).toEqual(['failed']);
    work.throws = false;
    expect([await repeatAll(old), await repeatAll(next), handled]).toEqual([
      ['kept'],
      ['handled'],
      ['evt_1'],
    ]);
  });

  it('a type that no version knows is kept too, and card data masked', async () => {
    const { old } = pods();
    const event = envelope('refund.renamed', { id: 'rf_1', note: '4111111111111111' });
    expect((await old.handle(await delivery(event))).outcome).toBe('kept');
    const [kept] = await listOf(old.failed());
    expect([kept?.masked, kept?.body.includes('4111111111111111')]).toEqual([true, false]);
  });

  it('a worker keeps the job of an event without a handler, so that the queue may forget it', async () => {
    const { common, old, next, handled } = pods();
    const jobs: unknown[] = [];
    const endpoint = webhooksAt().receiver({ ...common, enqueue: (job) => jobs.push(job) });
    await endpoint.handle(await delivery(failure('evt_1')));
    expect(await old.dispatch(anything(jobs[0]))).toBe('kept');
    expect([await repeatAll(next), handled]).toEqual([['handled'], ['evt_1']]);
  });

  it('a receiver with a transaction keeps it, and handles it in the transaction of the next version', async () => {
    const { store, transaction, effects, add } = memoryBackend();
    const common = { store, transaction, onError: () => {}, unhandled: 'keep' } as const;
    const old = webhooksAt().receiver({ ...common, on: {} });
    expect((await old.handle(await delivery(failure('evt_1')))).outcome).toBe('kept');
    const next = webhooksAt().receiver({
      ...common,
      on: { 'refund.failed': ({ id }, { client }) => add(id, client) },
    });
    const [kept] = await listOf(next.failed());
    expect(await next.dispatch(anything(kept))).toBe('handled');
    expect([await effects(), await listOf(old.failed())]).toEqual([['evt_1'], []]);
  });

  it('an event that cannot be kept fails, so that the service delivers it again', async () => {
    const store = memoryStore();
    const release = () => Promise.reject(new Error('no disk'));
    const { old } = pods({ store: { ...store, release } });
    const { outcome, status } = await old.handle(await delivery(failure('evt_1')));
    expect([outcome, status]).toEqual(['failed', 500]);
  });
});

it.each([undefined, 'acknowledge'] as const)(
  'with unhandled: %j an event counts as handled, and is not kept',
  async (unhandled) => {
    const { old } = pods({ unhandled });
    expect((await old.handle(await delivery(failure('evt_1')))).outcome).toBe('handled');
    expect(await listOf(old.failed())).toEqual([]);
  },
);

it.each([
  { unhandled: 'drop', on: {} },
  { unhandled: 'keep', onEvent: () => {} },
])('refuses %j', (wrong) => {
  const options = anything({ store: memoryStore(), ...wrong });
  expect(() => webhooksAt().receiver(options)).toThrow(ConfigurationError);
  expect(() => webhooksAt().receiver(options)).toThrow(/^(?:webhooks\.)?receiver.unhandled|^unhandled/);
});
