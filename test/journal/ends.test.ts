/** How often the end of a call is written, and what becomes of it if the store fails or hangs. */

import { RateLimitError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { json, text } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import type { ClaimStore } from '../support/stores.ts';
import { gate, options, recorded, replacing } from './shop.ts';

const service = useScriptedService();
const sale = { amount: '12.00', payment_token: 'tok_1' };
const approved = () => text('response=1&responsetext=OK&transactionid=t1');
const refused = () => json({ error: { code: 'RATE_LIMITED' } }, { status: 429 });

/** Starts a process, and collects its warnings. */
function start(store: ClaimStore) {
  const warn = vi.fn();
  const payments = service.createClient({ logger: { warn }, journal: createJournal({ store }) });
  return { payments, warn };
}

/** Waits until all that waits for no time has happened. */
const settled = () => new Promise(setImmediate);

describe('the end of a call is written', () => {
  /** Fails a number of writes, and counts all. */
  function failing(count: number) {
    const store = memoryStore();
    let writes = 0;
    const write = async (end: () => Promise<boolean>) => {
      writes += 1;
      if (writes <= count) throw new Error('the store is down');
      return end();
    };
    const complete = vi.fn<ClaimStore['complete']>((...args) => write(() => store.complete(...args)));
    const release = vi.fn<ClaimStore['release']>((...args) => write(() => store.release(...args)));
    return { complete, release, ...start(replacing(store, { complete, release })) };
  }

  it.each([
    ['once, if the store works', 1, 0],
    ['twice, if the store fails once', 2, 1],
  ])('%s', async (_how, writes, failures) => {
    const ended = failing(failures);
    service.answers(approved());
    expect(await ended.payments.transact.sale(sale, options)).toMatchObject({ approved: true });
    await settled();
    expect(ended.complete).toHaveBeenCalledTimes(writes);
    expect(ended.warn).toHaveBeenCalledTimes(failures);
    const refusing = failing(failures);
    service.answers(refused());
    await failureOf(refusing.payments.transact.sale(sale, options), RateLimitError);
    await settled();
    expect(refusing.release).toHaveBeenCalledTimes(writes);
  });
});

describe('an end that the store fails to write late, after its caller has aborted,', () => {
  /** A store that hangs at its first write, and then fails it. */
  function hanging(method: 'complete' | 'release') {
    const store = memoryStore();
    const [asked, mayFail] = [gate(), gate()];
    let isFirst = true;
    const hang = async () => {
      isFirst = false;
      asked.open();
      await mayFail.opened;
      throw new Error('the connection was lost');
    };
    const replaced: Partial<ClaimStore> =
      method === 'complete'
        ? { complete: (...args) => (isFirst ? hang() : store.complete(...args)) }
        : { release: (...args) => (isFirst ? hang() : store.release(...args)) };
    return { asked, mayFail, ...start(replacing(store, replaced)) };
  }

  it('hides no result, and is written again', async () => {
    const { asked, mayFail, payments, warn } = hanging('complete');
    const controller = new AbortController();
    service.answers(approved());
    const call = Promise.resolve(payments.transact.sale(sale, { ...options, signal: controller.signal }));
    await asked.opened;
    controller.abort();
    const first = await call;
    expect(first).toMatchObject({ approved: true });
    mayFail.open();
    await settled();
    expect(await payments.transact.sale(sale, options)).toEqual(recorded(first));
    expect(warn).not.toHaveBeenCalled();
    expect(service.arrivals).toHaveLength(1);
  });

  it('leaves a sale that was refused as one that was never sent', async () => {
    const { asked, mayFail, payments } = hanging('release');
    const controller = new AbortController();
    service.answers(refused(), approved());
    const call = payments.transact.sale(sale, { ...options, signal: controller.signal });
    const failure = failureOf(call, RateLimitError);
    await asked.opened;
    controller.abort();
    expect(await failure).toMatchObject({ outcome: 'not_executed' });
    mayFail.open();
    await settled();
    expect(await payments.transact.sale(sale, options)).toMatchObject({ approved: true });
    expect(service.arrivals).toHaveLength(2);
  });
});
