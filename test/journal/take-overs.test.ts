/** Attempts of one operation that come between each other, and what each of them asks the store. */

import {
  OperationInProgressError,
  OperationUnresolvedError,
  PaymentsError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
} from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json, text } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import type { ClaimStore } from '../support/stores.ts';
import { gate, listOpen, options, recorded, replacing } from './shop.ts';

const service = useScriptedService();
const { createClient } = service;
const refund = { charge_id: 'ch_1' };
const sale = { amount: '12.00', payment_token: 'tok_1' };
const payout = { method: 'POST', path: '/v1/payouts', body: { amount: 5 } } as const;
const failed = () => json({}, { status: 500 });
const refused = () => json({ error: { code: 'RATE_LIMITED' } }, { status: 429 });

/** Starts a process, and collects its warnings. */
function start(store: ClaimStore, secretKey?: string) {
  const warn = vi.fn();
  const journal = createJournal({ store, account: 'shop-1' });
  const payments = createClient({
    repeats: 'recorded',
    logger: { warn },
    journal,
    ...(secretKey !== undefined && { secretKey }),
  });
  return { payments, warn };
}

/** A write that finds its claim lost each time. Fails in a loop without a bound. */
function losing() {
  let writes = 0;
  return vi.fn(async () => {
    writes += 1;
    if (writes > 10) throw new Error('the loop has no bound');
    return false;
  });
}

describe('an attempt that loses its claim before it sends', () => {
  const inProgress = { outcome: 'unknown', retryable: true, retryAfter: 120 + 15 };

  it('tries five times with a key, and sends nothing', async () => {
    const store = memoryStore();
    service.answers(failed());
    await failureOf(start(store).payments.refunds.create(refund, options), ServerError);
    const renew = losing();
    const call = start(replacing(store, { renew })).payments.refunds.create(refund, options);
    expect(await failureOf(call, OperationInProgressError)).toMatchObject(inProgress);
    expect(renew).toHaveBeenCalledTimes(5);
    expect(service.arrivals).toHaveLength(1);
  });

  it('sends with a key once it holds its claim', async () => {
    const store = memoryStore();
    service.answers(failed(), json(sampleRefund));
    await failureOf(start(store).payments.refunds.create(refund, options), ServerError);
    let renewals = 0;
    const renew: ClaimStore['renew'] = async (...args) => {
      renewals += 1;
      return renewals === 5 && store.renew(...args);
    };
    const { payments } = start(replacing(store, { renew }));
    expect(await payments.refunds.create(refund, options)).toEqual(sampleRefund);
    expect(service.arrivals).toHaveLength(2);
  });

  it('does not try again without a key, and sends nothing', async () => {
    const store = memoryStore();
    service.answers(refused());
    await failureOf(start(store).payments.transact.sale(sale, options), RateLimitError);
    const renew = losing();
    const call = start(replacing(store, { renew })).payments.transact.sale(sale, options);
    expect(await failureOf(call, OperationInProgressError)).toMatchObject(inProgress);
    expect(renew).toHaveBeenCalledOnce();
    expect(service.arrivals).toHaveLength(1);
  });
});

it.each(['and its process dies', 'and ends after its lease'])(
  'a sale that is sent again after a refusal, %s, is not sent a third time',
  async (how) => {
    const clock = { time: 0 };
    const store = memoryStore({ now: () => clock.time });
    const sell = () => start(store).payments.transact.sale(sale, options);
    const [reached, held] = [gate(), gate()];
    const approved = text('response=1&responsetext=OK&transactionid=t1');
    const hold = async () => {
      reached.open();
      await held.opened;
      return approved.clone();
    };
    service.answers(refused(), hold, approved);
    await failureOf(sell(), RateLimitError);
    const second = Promise.resolve(sell());
    await reached.opened;
    clock.time += (120 + 15) * 1000 + 1;
    await failureOf(sell(), OperationUnresolvedError);
    if (how.includes('ends')) {
      held.open();
      const result = await second;
      expect(await sell()).toEqual(recorded(result));
    }
    expect(service.arrivals).toHaveLength(2);
  },
);

it('asks the store for one claim per call', async () => {
  const store = memoryStore();
  const claim = vi.fn<ClaimStore['claim']>((...args) => store.claim(...args));
  const { payments } = start(replacing(store, { claim }));
  service.answers(failed(), json(sampleRefund));
  for (const count of [1, 2, 3]) {
    await payments.refunds.create(refund, options).catch(() => {});
    expect(claim).toHaveBeenCalledTimes(count);
  }
  expect(service.arrivals).toHaveLength(2);
});

describe('while a keyed call is being sent,', () => {
  /** Calls whose answers come one by one, as the test allows. */
  function answerInTurn(...answers: Response[]) {
    const turns = answers.map((answer) => ({ answer, reached: gate(), held: gate() }));
    service.answers(
      ...turns.map(({ answer, reached, held }) => async () => {
        reached.open();
        await held.opened;
        return answer;
      }),
    );
    /** Starts a call, and waits until the service has its request. */
    const at = async <Result>(turn: number, call: PromiseLike<Result>) => {
      const pending = Promise.resolve(call);
      pending.catch(() => {});
      await Promise.race([turns[turn]?.reached.opened, pending]);
      return {
        end: () => {
          turns[turn]?.held.open();
          return pending;
        },
      };
    };
    return at;
  }

  it('one success closes the operation at once, and a second is no news', async () => {
    const store = memoryStore();
    const at = answerInTurn(json(sampleRefund), json(sampleRefund));
    const [one, other] = [start(store), start(store)];
    const first = await at(0, one.payments.refunds.create(refund, options));
    const second = await at(1, other.payments.refunds.create(refund, options));
    expect(await first.end()).toEqual(sampleRefund);
    expect(await listOpen(one.payments)).toEqual([]);
    expect(await second.end()).toMatchObject({ id: sampleRefund.id });
    for (const { warn } of [one, other]) expect(warn).not.toHaveBeenCalled();
    expect(service.arrivals).toHaveLength(2);
  });

  it('an answer that says nothing leaves the claim to the attempt that took over', async () => {
    const store = memoryStore();
    const at = answerInTurn(new Response(new Uint8Array([0x22, 0xff, 0x22])), json({ id: 'po_1' }));
    const { payments } = start(store);
    const first = await at(0, payments.request(payout, options));
    const second = await at(1, start(store).payments.request(payout, options));
    expect(await failureOf(first.end(), ResponseValidationError)).toMatchObject({ outcome: 'unknown' });
    expect(await listOpen(payments)).toMatchObject([{ state: 'running' }]);
    expect(await second.end()).toMatchObject({ id: 'po_1' });
    expect(await listOpen(payments)).toEqual([]);
  });

  it('a claim whose answer is lost, and that the client of the store sends again, takes over too', async () => {
    const store = memoryStore();
    const at = answerInTurn(json(sampleRefund), json(sampleRefund));
    const [claimed, mayGoOn] = [gate(), gate()];
    const resending = replacing(store, {
      claim: async (...args) => {
        await store.claim(...args);
        claimed.open();
        await mayGoOn.opened;
        return store.claim(...args);
      },
    });
    const call = at(1, start(resending).payments.refunds.create(refund, options));
    await claimed.opened;
    const first = await at(0, start(store).payments.refunds.create(refund, options));
    mayGoOn.open();
    const second = await call;
    expect(await second.end()).toMatchObject({ id: sampleRefund.id });
    expect(await first.end()).toMatchObject({ id: sampleRefund.id });
    expect(service.arrivals).toHaveLength(2);
  });

  it('planning it changes nothing', async () => {
    const store = memoryStore();
    const at = answerInTurn(json(sampleRefund));
    const { payments } = start(store);
    const first = await at(0, payments.refunds.create(refund, options));
    await start(store).payments.journal.plan().refunds.create(refund, options);
    expect(await listOpen(payments)).toMatchObject([{ state: 'running' }]);
    expect(await first.end()).toEqual(sampleRefund);
    expect(await listOpen(payments)).toEqual([]);
  });

  it('a call with another key sends nothing and leaves its claim', async () => {
    const store = memoryStore();
    const at = answerInTurn(json(sampleRefund));
    const first = await at(0, start(store).payments.refunds.create(refund, options));
    const rotated = start(store, 'sk_v1_test_rotated').payments;
    const call = rotated.refunds.create(refund, options);
    expect(await failureOf(call, OperationInProgressError)).toMatchObject({ outcome: 'unknown' });
    expect(await listOpen(rotated)).toMatchObject([{ state: 'running' }]);
    expect(await first.end()).toEqual(sampleRefund);
    expect(await rotated.refunds.create(refund, options)).toEqual(recorded(sampleRefund));
    expect(service.arrivals).toHaveLength(1);
  });
});

describe('a success whose claim others take over each time', () => {
  it('takes it back five times, and then warns', async () => {
    const store = memoryStore();
    const complete = losing();
    const { payments, warn } = start(replacing(store, { complete }));
    service.answers(json(sampleRefund));
    expect(await payments.refunds.create(refund, options)).toEqual(sampleRefund);
    expect(complete).toHaveBeenCalledTimes(1 + 5);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('could not record'), {
      callId: expect.any(String),
      operation: 'refunds.create',
    });
  });

  it('warns if the store does not let it take the claim back', async () => {
    const store = memoryStore();
    const { payments, warn } = start(
      replacing(store, {
        complete: async () => false,
        claim: (key, lease, given) => store.claim(key, lease, { ...given, takeOver: false }),
      }),
    );
    service.answers(json(sampleRefund));
    expect(await payments.refunds.create(refund, options)).toEqual(sampleRefund);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('could not record'), {
      callId: expect.any(String),
      operation: 'refunds.create',
    });
  });
});

it('sends nothing while settle holds the key of an operation that is not recorded', async () => {
  const store = memoryStore();
  const [asked, mayGoOn] = [gate(), gate()];
  const slow = replacing(store, {
    complete: async (...args) => {
      asked.open();
      await mayGoOn.opened;
      return store.complete(...args);
    },
  });
  const settle = start(slow).payments.journal.settle('order-1042', {
    operation: 'refunds.create',
    outcome: 'executed',
  });
  const failure = failureOf(settle, PaymentsError);
  await asked.opened;
  const call = start(store).payments.refunds.create(refund, options);
  expect(await failureOf(call, OperationInProgressError)).toMatchObject({ retryAfter: 15 });
  mayGoOn.open();
  expect(await failure).toMatchObject({ issues: [{ path: 'operationId', received: 'none' }] });
  expect(service.arrivals).toEqual([]);
});
