/** What `payments.close` does with calls that come later, that are under way, and that take too long. */

import { ConfigurationError, InvalidRequestError, PaymentsError, RequestAbortedError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, vi } from 'vitest';
import { gate, replacing } from '../journal/shop.ts';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { paymentIntent, refund } from '../support/fixtures.ts';
import { json, text } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import type { ClaimStore } from '../support/stores.ts';

const service = useScriptedService();
const sale = { amount: '12.00', payment_token: 'tok_1' };
const approved = () => text('response=1&responsetext=OK&transactionid=t1');
const ofIntent = { payment_intent_id: 'pi_1' } as const;
const named = { operationId: 'order-1042' };

/** A client with a journal. */
function start(store: ClaimStore = memoryStore()) {
  const warn = vi.fn();
  const journal = createJournal({ store });
  return { store, warn, payments: service.createClient({ logger: { warn }, journal }) };
}

/** The states of the open operations, as another process reads them. */
async function statesIn(store: ClaimStore): Promise<string[]> {
  const states: string[] = [];
  for await (const { state } of start(store).payments.journal.open()) states.push(state);
  return states;
}

/** A store that pauses in one method until the test lets it go on. */
function pausing(method: 'claim' | 'complete' | 'release') {
  const memory = memoryStore();
  const [asked, mayAnswer] = [gate(), gate()];
  const pause = async () => {
    asked.open();
    await mayAnswer.opened;
  };
  const store = replacing(memory, {
    claim: async (...args) => {
      if (method === 'claim') await pause();
      return memory.claim(...args);
    },
    complete: async (...args) => {
      if (method === 'complete') await pause();
      return memory.complete(...args);
    },
    release: async (...args) => {
      if (method === 'release') await pause();
      return memory.release(...args);
    },
  });
  return { memory, store, asked: asked.opened, answer: mayAnswer.open };
}

/** Lets the service wait with its answer. */
function waiting(answer: Response) {
  const [asked, mayAnswer] = [gate(), gate()];
  service.answers(async () => {
    asked.open();
    await mayAnswer.opened;
    return answer;
  });
  return { asked: asked.opened, answer: mayAnswer.open };
}

/** Whether a promise has settled, once all that waits for no time has happened. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let is = false;
  const note = () => {
    is = true;
  };
  promise.then(note, note);
  await new Promise(setImmediate);
  return is;
}

describe('a call after the end', () => {
  it.each([
    ['a write', 'not_executed', (own) => own.refunds.create(ofIntent, named)],
    ['a sale', 'not_executed', (own) => own.transact.sale(sale, named)],
    ['a read', 'not_an_operation', (own) => own.paymentIntents.retrieve('pi_1')],
    ['a list', 'not_an_operation', (own) => own.refunds.list().toArray({ max: 1 })],
    ['a plan', 'not_executed', (own) => own.journal.plan().refunds.create(ofIntent, named)],
  ] satisfies readonly (readonly [
    string,
    PaymentsError['outcome'],
    (own: ReturnType<typeof start>['payments']) => Promise<unknown>,
  ])[])('is refused: %s', async (_what, outcome, call) => {
    const { payments, store } = start();
    await payments.close();
    const error = await failureOf(call(payments), RequestAbortedError);
    expect(error).toMatchObject({ code: 'CLIENT_CLOSED', outcome, retryable: true });
    expect(error).not.toHaveProperty('cause');
    expect(error.message).toMatch(/The client was closed.*Call from a process that goes on\./);
    expect(service.arrivals).toEqual([]);
    expect((await store.open({ key: 'x' })).claims).toEqual([]);
    expect(await statesIn(store)).toEqual([]);
  });

  it('is refused for its parameters first', async () => {
    const { payments } = start();
    await payments.close();
    await failureOf(payments.refunds.create(anything({ amount: 'x' }), named), InvalidRequestError);
  });
});

describe('the end waits', () => {
  it('for the answer of a call, and for what the journal writes of it', async () => {
    const paused = pausing('complete');
    const { payments } = start(paused.store);
    const service = waiting(approved());
    const result = payments.transact.sale(sale, named);
    await service.asked;
    const end = payments.close();
    expect(await hasSettled(end)).toBe(false);
    service.answer();
    await paused.asked;
    expect(await hasSettled(end)).toBe(false);
    paused.answer();
    await end;
    expect(await result).toMatchObject({ approved: true });
    expect(await statesIn(paused.store)).toEqual([]);
  });

  it('for the record of a call whose caller has aborted', async () => {
    const paused = pausing('release');
    const { payments } = start(paused.store);
    const { asked } = waiting(approved());
    const controller = new AbortController();
    const result = payments.transact.sale(sale, { ...named, signal: controller.signal });
    await asked;
    controller.abort();
    await failureOf(result, RequestAbortedError);
    await paused.asked;
    const end = payments.close();
    expect(await hasSettled(end)).toBe(false);
    paused.answer();
    await end;
    expect(await statesIn(paused.store)).toEqual(['unknown']);
  });

  it('for both of two calls', async () => {
    const { payments } = start();
    const { asked, answer } = waiting(json(paymentIntent));
    const result = payments.paymentIntents.retrieve('pi_1');
    await asked;
    const ends = Promise.all([payments.close(), payments.close()]);
    expect(await hasSettled(ends)).toBe(false);
    answer();
    await ends;
    expect(await result).toEqual(paymentIntent);
    await payments.close();
  });
});

describe('after its timeout', () => {
  it('a sale that may have left is recorded as unknown, and not sent again', async () => {
    const { payments, store, warn } = start();
    const { asked } = waiting(approved());
    const failure = failureOf(payments.transact.sale(sale, named), RequestAbortedError);
    await asked;
    await payments.close({ timeout: 0 });
    expect(await failure).toMatchObject({ code: 'CLIENT_CLOSED', outcome: 'unknown' });
    expect(warn).toHaveBeenCalledWith('close: aborted 1 calls that took longer', { aborted: 1, timeout: 0 });
    expect(await statesIn(store)).toEqual(['unknown']);
    const next = start(store).payments;
    expect(await failureOf(next.transact.sale(sale, named), PaymentsError)).toMatchObject({
      code: 'OPERATION_UNRESOLVED',
    });
    expect(service.arrivals).toHaveLength(1);
  });

  it('a call with a key may be repeated at once', async () => {
    const { payments, store } = start();
    const { asked } = waiting(json(refund));
    const failure = failureOf(payments.refunds.create(ofIntent, named), RequestAbortedError);
    await asked;
    await payments.close({ timeout: 0 });
    expect(await failure).toMatchObject({ outcome: 'unknown', retryable: true });
    service.answers(json(refund));
    expect(await start(store).payments.refunds.create(ofIntent, named)).toEqual(refund);
    const [first, second] = service.arrivals.map(({ headers }) => headers.get('idempotency-key'));
    expect(second).toBe(first);
  });

  it('what waits for its next attempt, and was never taken, is free at once', async () => {
    const store = memoryStore();
    const client = { journal: createJournal({ store }), maxRetries: 2 };
    const payments = service.createClient(client);
    const refusing = gate();
    service.answers(() => {
      refusing.open();
      return json({ error: { code: 'RATE_LIMITED' } }, { status: 429, headers: { 'retry-after': '10' } });
    });
    const failure = failureOf(payments.refunds.create(ofIntent, named), RequestAbortedError);
    await refusing.opened;
    await payments.close({ timeout: 0 });
    expect(await failure).toMatchObject({ outcome: 'not_executed' });
    service.answers(json(refund));
    expect(await start(store).payments.refunds.create(ofIntent, named)).toEqual(refund);
  });

  it('a call in the journal is not sent any more', async () => {
    const paused = pausing('claim');
    const { payments } = start(paused.store);
    const failure = failureOf(payments.transact.sale(sale, named), RequestAbortedError);
    await paused.asked;
    const end = payments.close({ timeout: 0 });
    // A timer that starts later ends later.
    await new Promise((resolve) => setTimeout(resolve, 0));
    paused.answer();
    await end;
    expect(await failure).toMatchObject({ outcome: 'not_executed' });
    expect(service.arrivals).toEqual([]);
    service.answers(approved());
    expect(await start(paused.memory).payments.transact.sale(sale, named)).toMatchObject({ approved: true });
  });

  it.each([true, false])(
    'a call is ended whatever it waits for, and was not sent; with a journal: %s',
    async (has) => {
      const never = () => new Promise<never>(() => {});
      const sales = has ? [{ securityKey: never }] : [];
      for (const options of [{ beforeCall: never }, { secretKey: never }, ...sales]) {
        const journal = has ? { journal: createJournal({ store: memoryStore(), account: 'shop' }) } : {};
        const payments = service.createClient({ ...options, ...journal });
        const isSale = 'securityKey' in options;
        const call = isSale ? payments.transact.sale(sale, named) : payments.refunds.create(ofIntent, named);
        const failure = failureOf(call, RequestAbortedError);
        await payments.close({ timeout: 0 });
        expect(await failure).toMatchObject({ code: 'CLIENT_CLOSED', outcome: 'not_executed' });
      }
    },
  );

  it('a plan is recorded before the end, or not at all', async () => {
    const paused = pausing('claim');
    const { payments } = start(paused.store);
    const planned = payments.journal.plan().refunds.create(ofIntent, named);
    await paused.asked;
    const end = payments.close({ timeout: 0 });
    expect(await hasSettled(end)).toBe(false);
    paused.answer();
    await end;
    await planned;
    expect(await statesIn(paused.memory)).toEqual(['planned']);
  });

  it('a wait for an object ends', async () => {
    const { payments } = start();
    service.answers(json({ ...refund, status: 'pending' }));
    const failure = failureOf(
      payments.refunds.waitFor('rf_1', { interval: 60_000, timeout: 600_000 }),
      RequestAbortedError,
    );
    while (service.arrivals.length === 0) await new Promise(setImmediate);
    await payments.close();
    expect(await failure).toMatchObject({ code: 'CLIENT_CLOSED' });
    expect(service.arrivals).toHaveLength(1);
  });

  it("a caller's own signal still ends its call", async () => {
    const { payments } = start();
    const { asked } = waiting(json(refund));
    const { signal } = new AbortController();
    const listeners = vi.spyOn(signal, 'removeEventListener');
    const failure = failureOf(payments.refunds.create(ofIntent, { ...named, signal }), RequestAbortedError);
    await asked;
    await payments.close({ timeout: 0 });
    expect(await failure).toMatchObject({ code: 'CLIENT_CLOSED', outcome: 'unknown' });
    expect(listeners).toHaveBeenCalled();
  });
});

it("leaves the retrieval after a repeat to its caller's signal", async () => {
  const { payments } = start();
  service.answers(json(refund));
  await payments.refunds.create(ofIntent, named);
  const retrieval = waiting(json(refund));
  const controller = new AbortController();
  const repeated = payments.refunds.create(ofIntent, { ...named, signal: controller.signal });
  const settled = Promise.resolve(repeated);
  await retrieval.asked;
  controller.abort();
  expect(await settled).toMatchObject({ id: refund.id });
});

it('waits for 10 s by default', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { payments, warn } = start();
    const { asked } = waiting(json(paymentIntent));
    const failure = failureOf(payments.paymentIntents.retrieve('pi_1'), RequestAbortedError);
    await asked;
    const end = payments.close();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(warn).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await end;
    expect(await failure).toMatchObject({ code: 'CLIENT_CLOSED' });
  } finally {
    vi.useRealTimers();
  }
});

it('refuses wrong options, and stays open', async () => {
  const { payments } = start();
  for (const options of [{ timeout: -1 }, { timeout: 1.5 }, { timout: 5 }, 5, null]) {
    await failureOf(payments.close(anything(options)), ConfigurationError);
  }
  service.answers(json(paymentIntent));
  expect(await payments.paymentIntents.retrieve('pi_1')).toEqual(paymentIntent);
});
