/** A store that fails, hangs, loses an answer or is full: nothing is sent without a record, and no result is hidden. */

import {
  ConnectionError,
  JournalError,
  OperationUnresolvedError,
  RequestAbortedError,
  ServerError,
  TransactionDeclinedError,
} from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore, type Store } from 'payments-client/stores';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json, text } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import type { ClaimStore } from '../support/stores.ts';
import { gate, listOpen, options, recorded, replacing } from './shop.ts';

const service = useScriptedService();
const { createClient } = service;
const sale = { amount: '12.00', payment_token: 'tok_1' };
const approved = () => text('response=1&responsetext=OK&transactionid=t1');
const failed = () => json({}, { status: 500 });
/** A store whose methods all do one thing. */
const whoseMethods = (act: () => Promise<never>): ClaimStore => ({
  claim: act,
  renew: act,
  complete: act,
  release: act,
  find: act,
  open: act,
});
const clientWith = (store: ClaimStore) => createClient({ journal: createJournal({ store }) });
const notSent = { outcome: 'unknown', retryable: true, code: 'JOURNAL_UNAVAILABLE' };

describe.each<[way: string, fail: () => Promise<never>]>([
  ['rejects', () => Promise.reject(new Error('the store is down at redis://user:password@host'))],
  [
    'throws',
    () => {
      throw new Error('the pool is closed');
    },
  ],
])('a store that %s', (_way, fail) => {
  it('before a call prevents the request and the plan, and the error has no secret of its cause', async () => {
    const payments = clientWith(whoseMethods(fail));
    for (const call of [
      payments.refunds.create({ charge_id: 'ch_1' }, options),
      payments.transact.sale(sale, options),
      payments.journal.plan().refunds.create({ charge_id: 'ch_1' }, options),
    ]) {
      const error = await failureOf(call, JournalError);
      expect(error).toMatchObject({ ...notSent, cause: { name: 'Error' } });
      expect(String(error.cause)).not.toContain('password');
    }
    expect(service.arrivals).toEqual([]);
  });

  it('is not asked for reads and calls that move no money', async () => {
    const payments = clientWith(whoseMethods(fail));
    service.answers(json({ id: 'cus_1', object: 'customer' }), json({ data: [], has_more: false }));
    await payments.customers.create({ first_name: 'Ada' }, options).catch(() => {});
    expect((await payments.customers.list()).items).toEqual([]);
  });

  it('before a repeat prevents the second request', async () => {
    const store = memoryStore();
    service.answers(failed());
    await failureOf(clientWith(store).refunds.create({ charge_id: 'ch_1' }, options), ServerError);
    const again = clientWith(replacing(store, { renew: fail }));
    await failureOf(again.refunds.create({ charge_id: 'ch_1' }, options), JournalError);
    expect(service.arrivals).toHaveLength(1);
  });

  it('before a resume ends it alike, whatever was sent', async () => {
    const store = memoryStore();
    service.answers(failed());
    const first = clientWith(store);
    const request = { method: 'PUT', path: '/v1/payouts/po_1', body: { amount: 5 } } as const;
    for (const call of [
      first.transact.sale(sale, options),
      first.request(request, options),
      first.refunds.create({ charge_id: 'ch_1' }, options),
    ])
      await failureOf(call, ServerError);
    let isDown = false;
    const open: ClaimStore['open'] = (query) => (isDown ? fail() : store.open(query));
    const operations = await listOpen(clientWith(replacing(store, { claim: fail, open })));
    isDown = true;
    expect(operations).toHaveLength(3);
    for (const { operation, resume } of operations) {
      const error = await failureOf(resume(), JournalError);
      expect(error).toMatchObject({ ...notSent, cause: { name: 'Error' } });
      expect(error.message).toContain(`${operation}: expected the journal's store to answer`);
      expect(String(error.cause)).not.toContain('password');
    }
    expect(service.arrivals).toHaveLength(3);
  });

  it('after a call hides neither result nor outcome', async () => {
    const warn = vi.fn();
    const store = replacing(memoryStore(), { complete: fail, release: fail, find: fail });
    const payments = createClient({ logger: { warn }, journal: createJournal({ store }) });
    const declined = text('response=2&responsetext=DECLINE&transactionid=t3');
    service.answers(approved(), failed(), declined);
    expect(await payments.transact.sale(sale, options)).toMatchObject({ approved: true });
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('could not record'), {
      callId: expect.any(String),
      operation: 'transact.sale',
    });
    expect(await listOpen(payments)).toMatchObject([{ state: 'running' }]);
    const lost = payments.transact.sale(sale, { operationId: 'b' });
    expect(await failureOf(lost, ServerError)).toMatchObject({ outcome: 'unknown' });
    const decline = payments.transact.sale(sale, { operationId: 'c', throwOnDecline: true });
    expect(await failureOf(decline, TransactionDeclinedError)).toMatchObject({ outcome: 'not_executed' });
  });
});

describe('a store that hangs', () => {
  const timers = ['setTimeout', 'clearTimeout', 'performance'] as const;
  const useFakeTime = () => {
    vi.useFakeTimers({ toFake: [...timers] });
    onTestFinished(() => void vi.useRealTimers());
  };

  it('at a claim ends the call after 5 s, and gives the claim back when it is granted late', async () => {
    useFakeTime();
    const store = memoryStore();
    const [asked, granted, released] = [gate(), gate(), gate()];
    const slow = replacing(store, {
      claim: async (...args) => {
        const claim = await store.claim(...args);
        asked.open();
        await granted.opened;
        return claim;
      },
      release: async (...args) => {
        const isHeld = await store.release(...args);
        released.open();
        return isHeld;
      },
    });
    const error = failureOf(clientWith(slow).transact.sale(sale, options), JournalError);
    await asked.opened;
    await vi.advanceTimersByTimeAsync(5000);
    expect(await error).toMatchObject(notSent);
    expect(service.arrivals).toEqual([]);
    granted.open();
    await released.opened;
    service.answers(approved());
    // Nothing was sent, so the sale needs no look-up.
    expect(await clientWith(store).transact.sale(sale, options)).toMatchObject({ approved: true });
    expect(service.arrivals).toHaveLength(1);
  });

  it('at the claim of a repeat does not forget that the first call was sent', async () => {
    useFakeTime();
    const store = memoryStore();
    service.answers(failed());
    await failureOf(clientWith(store).transact.sale(sale, options), ServerError);
    const { payments, asked, granted, released } = slowToGrant(store);
    const error = failureOf(payments.transact.sale(sale, options), JournalError);
    await asked.opened;
    await vi.advanceTimersByTimeAsync(5000);
    await error;
    granted.open();
    await released.opened;
    await failureOf(clientWith(store).transact.sale(sale, options), OperationUnresolvedError);
    expect(service.arrivals).toHaveLength(1);
  });

  it('at the end of a call does not hide the result', async () => {
    useFakeTime();
    const asked = gate();
    const complete = () => {
      asked.open();
      return new Promise<never>(() => {});
    };
    service.answers(approved());
    const pending = clientWith(replacing(memoryStore(), { complete })).transact.sale(sale, options);
    await asked.opened;
    await vi.advanceTimersByTimeAsync(5000);
    expect(await pending).toMatchObject({ approved: true });
  });

  /** A store that grants a claim when it is told to, and says when it was asked and when the claim was given back. */
  function slowToGrant(store: Store) {
    const [asked, granted, released] = [gate(), gate(), gate()];
    const slow = replacing(store, {
      claim: async (...args) => {
        asked.open();
        await granted.opened;
        return store.claim(...args);
      },
      release: async (...args) => {
        const isHeld = await store.release(...args);
        released.open();
        return isHeld;
      },
    });
    return { payments: clientWith(slow), asked, granted, released };
  }

  it.each(['sale', 'plan'])('is left by a signal that aborts, and sends nothing: %s', async (what) => {
    const { payments, asked, granted, released } = slowToGrant(memoryStore());
    const controller = new AbortController();
    const given = { ...options, signal: controller.signal };
    const pending =
      what === 'sale'
        ? payments.transact.sale(sale, given)
        : payments.journal.plan().refunds.create({ charge_id: 'ch_1' }, given);
    const error = failureOf(pending, RequestAbortedError);
    await asked.opened;
    controller.abort(new Error('the buyer left'));
    // It did not wait for the record of its operation.
    expect(await error).toMatchObject({ outcome: 'unknown', cause: { message: 'the buyer left' } });
    // The late claim is given back.
    granted.open();
    await released.opened;
    service.answers(approved());
    expect(await payments.transact.sale(sale, options)).toMatchObject({ approved: true });
    expect(service.arrivals).toHaveLength(1);
  });

  it('is left by a repeat that aborts, and the operation stays open as it was', async () => {
    const store = memoryStore();
    service.answers(failed());
    await failureOf(clientWith(store).refunds.create({ charge_id: 'ch_1' }, options), ServerError);
    const { payments, asked, granted, released } = slowToGrant(store);
    const controller = new AbortController();
    const repeat = payments.refunds.create({ charge_id: 'ch_1' }, { ...options, signal: controller.signal });
    const error = failureOf(repeat, RequestAbortedError);
    await asked.opened;
    controller.abort();
    await error;
    granted.open();
    await released.opened;
    expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
  });
});

/** A store that works, but whose next answers of some methods are lost. */
function losing(store: Store, lost: { claim?: number; renew?: number; release?: number }): ClaimStore {
  const left = { claim: 0, renew: 0, release: 0, ...lost };
  const lose = async <Answer>(method: keyof typeof left, answer: Promise<Answer>) => {
    left[method] -= 1;
    const value = await answer;
    if (left[method] >= 0) throw new Error('the connection was lost');
    return value;
  };
  return replacing(store, {
    claim: (...args) => lose('claim', store.claim(...args)),
    renew: (...args) => lose('renew', store.renew(...args)),
    release: (...args) => lose('release', store.release(...args)),
  });
}

describe('an answer of the store that is lost', () => {
  it.each([
    ['', {}],
    [', and that of its release', { release: 1 }],
    [', and those of two releases', { release: 2 }],
  ])('to a claim%s leaves the sale as never sent, so the next call sends it once', async (_and, lost) => {
    const payments = clientWith(losing(memoryStore(), { claim: 1, ...lost }));
    service.answers(approved());
    expect(await failureOf(payments.transact.sale(sale, options), JournalError)).toMatchObject(notSent);
    for (const _attempt of [1, 2, 3]) await payments.transact.sale(sale, options).catch(() => {});
    expect(await payments.transact.sale(sale, options)).toMatchObject({ approved: true });
    expect(service.arrivals).toHaveLength(1);
  });

  it('to a claim keeps what is known of an operation that was sent before', async () => {
    const store = memoryStore();
    service.answers(failed(), approved());
    await failureOf(clientWith(store).transact.sale(sale, options), ServerError);
    await failureOf(clientWith(losing(store, { claim: 1 })).transact.sale(sale, options), JournalError);
    expect(await listOpen(clientWith(store))).toMatchObject([{ state: 'unknown' }]);
    expect(service.arrivals).toHaveLength(1);
  });

  it('before a second request leaves the operation open, and the next call repeats it', async () => {
    const payments = clientWith(losing(memoryStore(), { renew: 1 }));
    service.answers(failed(), json(sampleRefund));
    const refund = () => payments.refunds.create({ charge_id: 'ch_1' }, options);
    await failureOf(refund(), ServerError);
    await failureOf(refund(), JournalError);
    expect(await refund()).toEqual(sampleRefund);
    expect(service.arrivals).toHaveLength(2);
  });

  it('to the release of a sale whose connection was never made does not make it one that was sent', async () => {
    const store = memoryStore();
    let isBroken = true;
    const broken = replacing(store, {
      release: async (...args) => {
        if (isBroken) throw new Error('the store is down');
        return store.release(...args);
      },
    });
    const refusal = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const fetch = async () => {
      if (isBroken) throw new TypeError('fetch failed', { cause: refusal });
      return approved();
    };
    const payments = createClient({ fetch, maxRetries: 0, journal: createJournal({ store: broken }) });
    await failureOf(payments.transact.sale(sale, options), ConnectionError);
    await failureOf(payments.transact.sale(sale, options), JournalError);
    isBroken = false;
    expect(await payments.transact.sale(sale, options)).toMatchObject({ approved: true });
  });
});

it('records the result of a sale later if its store fails once', async () => {
  const store = memoryStore();
  let failures = 0;
  const complete: ClaimStore['complete'] = (...args) =>
    failures++ === 0 ? Promise.reject(new Error('down')) : store.complete(...args);
  const payments = clientWith(replacing(store, { complete }));
  service.answers(text('response=1&responsetext=OK&transactionid=t1'));
  const first = await payments.transact.sale(sale, options);
  expect(await payments.transact.sale(sale, options)).toEqual({ ...first, $recorded: true });
  expect(service.arrivals).toHaveLength(1);
});

describe('a full memory store', () => {
  it('refuses new operations, names durable stores, and still returns the results it has', async () => {
    const store = memoryStore({ maxEntries: 2, maxOperations: 2, logger: {} });
    const payments = clientWith(store);
    service.answers(approved());
    const first = await payments.transact.sale(sale, { operationId: 'a' });
    await payments.transact.sale(sale, { operationId: 'b' });
    for (const call of [
      payments.transact.sale(sale, { operationId: 'c' }),
      payments.journal.plan().refunds.create({ charge_id: 'ch_1' }, { operationId: 'd' }),
    ]) {
      const error = await failureOf(call, JournalError);
      expect(error).toMatchObject({ ...notSent, retryable: false, cause: { code: 'STORE_FULL' } });
      expect(error.message).toMatch(/sqliteStore, redisStore or postgresStore\. This call sent nothing\.$/);
    }
    // Deliveries have room of their own.
    for (let index = 0; index < 20; index += 1) await store.claim(`evt_${index}`, 1000);
    expect(await payments.transact.sale(sale, { operationId: 'a' })).toEqual(recorded(first));
    expect(service.arrivals).toHaveLength(2);
    expect(await listOpen(payments)).toEqual([]);
  });
});
