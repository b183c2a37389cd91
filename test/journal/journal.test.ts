import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  isDecline,
  JournalError,
  OperationInProgressError,
  OperationMismatchError,
  OperationUnresolvedError,
  PaymentDeclinedError,
  ResponseValidationError,
  UnprocessableError,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import type { ClaimStore } from '../support/stores.ts';
import { listOpen, options, params, startShop } from './shop.ts';

const sale = { amount: '12.00', payment_token: 'tok_1', orderid: '1042' };

describe('a call that succeeded', () => {
  test('returns the recorded result without a request', async () => {
    const { sandbox, payments, restart } = await startShop();
    const first = await payments.paymentIntents.create(params, options).withResponse();
    const before = sandbox.requests.length;
    const second = await restart().paymentIntents.create(params, options).withResponse();
    expect(second.data).toEqual(first.data);
    expect(first.response.fromJournal).toBe(false);
    expect(second.response).toMatchObject({ fromJournal: true, attempts: 0, status: 200 });
    expect(sandbox.requests.length).toBe(before);
    expect(await listOpen(payments)).toEqual([]);
  });

  test('is recorded before it is sent', async () => {
    const { sandbox, payments } = await startShop();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await failureOf(payments.paymentIntents.create(params, options), ConnectionError);
    expect(await listOpen(payments)).toMatchObject([
      { operation: 'paymentIntents.create', operationId: 'order-1042', state: 'unknown' },
    ]);
  });

  test('refuses another body, and names the differences', async () => {
    const { sandbox, payments } = await startShop();
    await payments.paymentIntents.create(params, options);
    const before = sandbox.requests.length;
    const error = await failureOf(
      payments.paymentIntents.create({ ...params, amount: 1300 }, options),
      OperationMismatchError,
    );
    expect(error.differences).toEqual(['amount']);
    expect(error.message).toContain('another amount');
    expect(error.outcome).toBe('unknown');
    expect(sandbox.requests.length).toBe(before);
    // The same id of another method is another operation.
    await payments.checkoutSessions.create(
      { mode: 'payment', line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }] },
      options,
    );
  });

  test('refuses the same parameters for another object', async () => {
    const { sandbox, payments } = await startShop();
    const one = await payments.paymentIntents.create(params, { operationId: 'a' });
    const other = await payments.paymentIntents.create(params, { operationId: 'b' });
    await payments.paymentIntents.confirm(one.id, { payment_method: 'pm_card' }, options);
    const before = sandbox.requests.length;
    const again = payments.paymentIntents.confirm(other.id, { payment_method: 'pm_card' }, options);
    expect((await failureOf(again, OperationMismatchError)).differences).toEqual(['path']);
    expect(sandbox.requests.length).toBe(before);
  });

  test('does not record reads and calls that move no money', async () => {
    const { payments } = await startShop({ store: failingStore(rejecting) });
    await payments.customers.create({ first_name: 'Ada' }, options);
    expect((await payments.customers.list()).items).toHaveLength(1);
  });
});

const rejecting = () => Promise.reject(new Error('the store is down'));

function throwing(): never {
  throw new Error('the pool is closed');
}

/** A store that is down. */
function failingStore(fail: () => Promise<never>): ClaimStore {
  return { claim: fail, renew: fail, complete: fail, release: fail, open: fail };
}

describe.each([
  { way: 'rejects', fail: rejecting },
  { way: 'throws', fail: throwing },
])('a store that $way', ({ fail }) => {
  test('before the call prevents the request', async () => {
    const { sandbox, payments } = await startShop({ store: failingStore(fail) });
    const error = await failureOf(payments.paymentIntents.create(params, options), JournalError);
    expect(error).toMatchObject({ outcome: 'not_executed', retryable: true, code: 'JOURNAL_UNAVAILABLE' });
    expect(sandbox.requests).toEqual([]);
  });

  test('before the call is repeated prevents the second request', async () => {
    const store = memoryStore();
    const failing: ClaimStore = {
      claim: (...args) => store.claim(...args),
      renew: fail,
      complete: (...args) => store.complete(...args),
      release: (...args) => store.release(...args),
      open: (...args) => store.open(...args),
    };
    const { sandbox, payments, restart } = await startShop({ store });
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await failureOf(payments.paymentIntents.create(params, options), ConnectionError);
    const again = restart({ store: failing }).paymentIntents.create(params, options);
    await failureOf(again, JournalError);
    expect(sandbox.requests).toHaveLength(1);
  });

  test('after the call does not hide the outcome', async () => {
    const store = memoryStore();
    const failing: ClaimStore = {
      claim: (...args) => store.claim(...args),
      renew: (...args) => store.renew(...args),
      open: (...args) => store.open(...args),
      complete: fail,
      release: fail,
    };
    const { sandbox, payments } = await startShop({ store: failing });
    expect(await payments.transact.sale(sale, options)).toMatchObject({ approved: true });
    expect(await listOpen(payments)).toMatchObject([{ state: 'running' }]);
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
    const lost = payments.transact.sale(sale, { operationId: 'b' });
    expect(await failureOf(lost, ConnectionError)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a store that is slow', () => {
  test('times out, and a late claim is released', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryStore();
    const pendingClaims: (() => void)[] = [];
    const slow: ClaimStore = {
      renew: (...args) => store.renew(...args),
      complete: (...args) => store.complete(...args),
      release: (...args) => store.release(...args),
      open: (...args) => store.open(...args),
      async claim(...args) {
        const claim = await store.claim(...args);
        await new Promise<void>((resolve) => pendingClaims.push(resolve));
        return claim;
      },
    };
    const { sandbox, restart } = await startShop({ store: slow });
    const saleError = failureOf(restart().transact.sale(sale, options), JournalError);
    await vi.waitFor(() => expect(pendingClaims).toHaveLength(1));
    vi.advanceTimersByTime(5_000);
    expect(await saleError).toMatchObject({ outcome: 'not_executed', retryable: true });
    pendingClaims[0]?.();
    expect(sandbox.requests).toEqual([]);
    // Nothing was sent, so the sale needs no look-up.
    await vi.waitFor(async () =>
      expect(await restart({ store }).transact.sale(sale, options)).toMatchObject({ approved: true }),
    );
  });

  test('that never records an outcome does not hide the result', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryStore();
    const completing = vi.fn();
    const hanging: ClaimStore = {
      claim: (...args) => store.claim(...args),
      renew: (...args) => store.renew(...args),
      release: (...args) => store.release(...args),
      open: (...args) => store.open(...args),
      complete: () => new Promise(completing),
    };
    const { payments } = await startShop({ store: hanging });
    const pendingSale = payments.transact.sale(sale, options);
    await vi.waitFor(() => expect(completing).toHaveBeenCalled());
    vi.advanceTimersByTime(5_000);
    expect(await pendingSale).toMatchObject({ approved: true });
  });
});

describe('a refusal', () => {
  test('leaves the operation open for the same parameters', async () => {
    const { sandbox, payments } = await startShop();
    sandbox.faults.inject({ kind: 'unavailable', operation: 'paymentIntents.create' });
    const intent = await payments.paymentIntents.create(params, { operationId: 'a' }).catch(() => undefined);
    expect(intent).toBeUndefined();
    const { id } = await payments.paymentIntents.create(params, { operationId: 'b' });
    const declined = { payment_method: 'pm_card_declined' };
    await failureOf(payments.paymentIntents.confirm(id, declined, options), PaymentDeclinedError);
    const operations = await listOpen(payments);
    expect(operations.filter(({ operation }) => operation === 'paymentIntents.confirm')).toEqual([]);
    await failureOf(payments.paymentIntents.confirm(id, declined, options), PaymentDeclinedError);
    await failureOf(
      payments.paymentIntents.confirm(id, { payment_method: 'pm_card' }, options),
      OperationMismatchError,
    );
  });
});

describe('the record of a rejection', () => {
  /** A shop whose service declines the next intent. */
  const startDeclining = async () => {
    const clock = { time: 0 };
    const store = memoryStore({ now: () => clock.time });
    const shop = await startShop({ store, retention: 1000 });
    const body = { error: { code: 'CARD_DECLINED' } };
    shop.sandbox.faults.inject({ kind: 'respond', operation: 'paymentIntents.create', status: 402, body });
    const listed = async () => (await store.open({ space: 'operation', limit: 10 })).claims;
    return { ...shop, clock, listed };
  };
  const larger = { ...params, amount: 1300 };

  test('is not among the open claims, and refuses another amount', async () => {
    const { payments, restart, listed } = await startDeclining();
    await failureOf(payments.paymentIntents.create(params, options), PaymentDeclinedError);
    expect(await listed()).toEqual([]);
    const other = restart().paymentIntents.create(larger, options);
    expect((await failureOf(other, OperationMismatchError)).differences).toEqual(['amount']);
    expect(await listed()).toEqual([]);
    expect(await restart().paymentIntents.create(params, options)).toMatchObject({ amount: 1200 });
  });

  test('is forgotten after the retention', async () => {
    const { payments, clock } = await startDeclining();
    await failureOf(payments.paymentIntents.create(params, options), PaymentDeclinedError);
    clock.time += 999;
    await failureOf(payments.paymentIntents.create(larger, options), OperationMismatchError);
    clock.time += 1000;
    expect(await payments.paymentIntents.create(larger, options)).toMatchObject({ amount: 1300 });
  });

  test('is kept if it is sent again with an unknown outcome', async () => {
    const { sandbox, payments, clock, listed } = await startDeclining();
    await failureOf(payments.paymentIntents.create(params, options), PaymentDeclinedError);
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await failureOf(payments.paymentIntents.create(params, options), ConnectionError);
    clock.time += 1_000_000;
    expect(await listed()).toMatchObject([{ attempt: 2 }]);
    expect(await listOpen(payments)).toMatchObject([{ operationId: 'order-1042', state: 'unknown' }]);
  });

  test('is the same if a person settles it as not executed', async () => {
    const { sandbox, payments, clock, listed } = await startDeclining();
    await failureOf(payments.paymentIntents.create(params, options), PaymentDeclinedError);
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
    await failureOf(payments.transact.sale(sale, options), ConnectionError);
    expect(await listed()).toHaveLength(1);
    await payments.journal.settle('order-1042', { operation: 'transact.sale', outcome: 'not_executed' });
    expect(await listed()).toEqual([]);
    const other = payments.transact.sale({ ...sale, amount: '13.00' }, options);
    await failureOf(other, OperationMismatchError);
    clock.time += 1000;
    expect(await payments.transact.sale({ ...sale, amount: '13.00' }, options)).toMatchObject({
      approved: true,
    });
  });
});

describe('an unknown outcome', () => {
  test('is resumed with the same key', async () => {
    const { sandbox, payments, restart } = await startShop();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    const error = await failureOf(payments.paymentIntents.create(params, options), ConnectionError);
    const [operation] = await listOpen(restart());
    expect(await operation?.resume()).toMatchObject({ object: 'payment_intent', amount: 1200 });
    expect(error.idempotencyKey).toBe('pc1:paymentIntents.create:order-1042');
    // The sandbox replays only for the same key.
    expect(sandbox.requests.map(({ replayed }) => replayed)).toEqual([false, true]);
    expect(await listOpen(payments)).toEqual([]);
    expect(await payments.paymentIntents.create(params, options)).toMatchObject({ amount: 1200 });
    expect(sandbox.requests).toHaveLength(2);
  });

  test('keeps its id when it is resumed after another process closed it as refused', async () => {
    const { sandbox, payments } = await startShop();
    sandbox.faults.inject({ kind: 'drop_request', operation: 'paymentIntents.create' });
    await failureOf(payments.paymentIntents.create(params, options), ConnectionError);
    const [operation] = await listOpen(payments);
    await payments.journal.settle('order-1042', {
      operation: 'paymentIntents.create',
      outcome: 'not_executed',
    });
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await expect(operation?.resume()).rejects.toThrow(ConnectionError);
    expect(await listOpen(payments)).toMatchObject([{ operationId: 'order-1042', state: 'unknown' }]);
  });

  test('is retried after a body that is not the object', async () => {
    const { sandbox, payments, restart } = await startShop();
    const body = { error: null, request: 'accepted by a proxy' };
    sandbox.faults.inject({ kind: 'respond', operation: 'paymentIntents.create', status: 200, body });
    await failureOf(payments.paymentIntents.create(params, options), ResponseValidationError);
    expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
    expect(await restart().paymentIntents.create(params, options)).toMatchObject({ amount: 1200 });
  });

  test('ends with a decline', async () => {
    const { sandbox, payments, restart } = await startShop();
    const { id } = await payments.paymentIntents.create(params, options);
    const declined = { payment_method: 'pm_card_declined' };
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
    await failureOf(payments.paymentIntents.confirm(id, declined, options), ConnectionError);
    expect(await listOpen(payments)).toHaveLength(1);
    await failureOf(restart().paymentIntents.confirm(id, declined, options), PaymentDeclinedError);
    expect(await listOpen(payments)).toEqual([]);
  });

  test.each([402, 409])('stays unknown after a proxy’s page with the status %i', async (status) => {
    const { sandbox, payments, restart } = await startShop();
    const body = '<html><title>Payment Required</title></html>';
    const fault = { kind: 'respond', status, body, times: 1 } as const;
    sandbox.faults.inject({ ...fault, operation: 'transact.submit' });
    const error = await failureOf(payments.transact.sale(sale, options), ApiError);
    expect(error).toMatchObject({ status, outcome: 'unknown' });
    expect(isDecline(error)).toBe(false);
    expect(await listOpen(payments)).toMatchObject([{ operation: 'transact.sale', state: 'unknown' }]);
    await failureOf(restart().transact.sale(sale, options), OperationUnresolvedError);
    // A lost response, and then the page: neither proves that nothing moved.
    const { id } = await payments.paymentIntents.create(params, { operationId: 'b' });
    const card = { payment_method: 'pm_card' };
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
    sandbox.faults.inject({ ...fault, operation: 'paymentIntents.confirm' });
    await failureOf(payments.paymentIntents.confirm(id, card, options), ConnectionError);
    await failureOf(payments.paymentIntents.confirm(id, card, options), ApiError);
    const open = await listOpen(payments);
    expect(open.map(({ operation }) => operation).sort()).toEqual([
      'paymentIntents.confirm',
      'transact.sale',
    ]);
    expect((await restart().paymentIntents.confirm(id, card, options)).status).toBe('succeeded');
  });

  test('stays unknown after a rejection that may precede the key check', async () => {
    const { sandbox, payments, restart } = await startShop();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await failureOf(payments.paymentIntents.create(params, options), ConnectionError);
    sandbox.faults.inject({ kind: 'rate_limit', operation: 'paymentIntents.create' });
    await restart()
      .paymentIntents.create(params, options)
      .catch(() => undefined);
    expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
  });

  test('is looked up by its path, without a card number or a key in it', async () => {
    const { sandbox, payments, restart } = await startShop();
    const path = '/v1/cards/4111111111111111/sk_v1_test_abcdefghijklmnop';
    const send = (client: typeof payments) => client.request({ method: 'PUT', path, body: params }, options);
    sandbox.faults.inject({ kind: 'drop_reply' });
    await failureOf(send(payments), ConnectionError);
    const lookUp = { path: '/v1/cards/[redacted]/[redacted]' };
    expect(await failureOf(send(restart()), OperationUnresolvedError)).toMatchObject({ lookUp });
    expect(await listOpen(payments)).toMatchObject([{ lookUp }]);
  });

  test('is not sent again when the service may have forgotten the key', async () => {
    let now = Date.now();
    const { sandbox, payments, restart } = await startShop({ now: () => now });
    const { id } = sandbox.trigger('payment_intent.succeeded').data.object;
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.refund' });
    await failureOf(payments.paymentIntents.refund(id, { amount: 500 }, options), ConnectionError);
    now += 86_400_001;
    const repeated = restart().paymentIntents.refund(id, { amount: 500 }, options);
    const error = await failureOf(repeated, OperationUnresolvedError);
    expect(error).toMatchObject({
      outcome: 'unknown',
      retryable: false,
      lookUp: { path: `/v1/payment_intents/${id}/refund` },
    });
    expect(sandbox.requests).toHaveLength(1);
    const [operation] = await listOpen(payments);
    expect(operation?.lookUp).toEqual(error.lookUp);
    await expect(operation?.resume()).rejects.toThrow(OperationUnresolvedError);
    await operation?.settle({ outcome: 'not_executed' });
    expect(await restart().paymentIntents.refund(id, { amount: 500 }, options)).toMatchObject({
      amount: 500,
    });
  });

  test('is listed if the clock that recorded it is ahead', async () => {
    let now = Date.now();
    const { sandbox, payments } = await startShop({ now: () => now });
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await failureOf(payments.paymentIntents.create(params, options), ConnectionError);
    now -= 2000;
    expect(await listOpen(payments)).toMatchObject([{ operationId: 'order-1042', state: 'unknown' }]);
  });

  test('is closed by a rejection that the service replays', async () => {
    const { sandbox, payments } = await startShop();
    const unknown = { ...params, customer: 'cus_missing' };
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await failureOf(payments.paymentIntents.create(unknown, options), ConnectionError);
    expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
    await failureOf(payments.paymentIntents.create(unknown, options), UnprocessableError);
    expect(sandbox.requests.map(({ replayed }) => replayed)).toEqual([false, true]);
    expect(await listOpen(payments)).toEqual([]);
  });

  test('is not closed manually once its claim is lost', async () => {
    const store = memoryStore();
    const overtaken: ClaimStore = {
      claim: (...args) => store.claim(...args),
      renew: (...args) => store.renew(...args),
      open: (...args) => store.open(...args),
      complete: async () => false,
      release: async () => false,
    };
    const { sandbox, payments, restart } = await startShop({ store });
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await failureOf(payments.paymentIntents.create(params, options), ConnectionError);
    const slow = restart({ store: overtaken }).journal;
    const settled = slow.settle('order-1042', { operation: 'paymentIntents.create', outcome: 'executed' });
    expect(await failureOf(settled, InvalidRequestError)).toMatchObject({
      issues: [{ path: 'operationId', received: 'one that is still being sent' }],
    });
    expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
  });

  test('is not resumed while another process sends it', async () => {
    const { sandbox, payments, restart } = await startShop();
    sandbox.faults.inject({ kind: 'latency', ms: 100, operation: 'paymentIntents.create' });
    const both = await Promise.allSettled([
      payments.paymentIntents.create(params, options),
      restart().paymentIntents.create(params, options),
    ]);
    const refused = both.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toBeInstanceOf(OperationInProgressError);
    expect(refused[0]).toMatchObject({ outcome: 'unknown', retryable: true });
    expect(sandbox.requests).toHaveLength(1);
  });
});

describe('a sale', () => {
  test('is sent once per id, and returns its recorded result', async () => {
    const { sandbox, payments, restart } = await startShop();
    const first = await payments.transact.sale(sale, options);
    const second = await restart().transact.sale(sale, options).withResponse();
    expect(second.data).toEqual(first);
    expect(second.response.fromJournal).toBe(true);
    expect(sandbox.transactions).toHaveLength(1);
    const declined = await payments.transact.sale({ ...sale, amount: '0.50' }, { operationId: 'b' });
    expect(declined.approved).toBe(false);
    expect(await restart().transact.sale({ ...sale, amount: '0.50' }, { operationId: 'b' })).toEqual(
      declined,
    );
  });

  test('is never sent again after an unknown outcome', async () => {
    const { sandbox, payments, restart } = await startShop();
    const card = {
      amount: '12.00',
      ccnumber: '4111111111111111',
      ccexp: '1230',
      cvv: '123',
      orderid: '1042',
    };
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
    await failureOf(payments.transact.sale(card, options), ConnectionError);
    const error = await failureOf(restart().transact.sale(card, options), OperationUnresolvedError);
    expect(error.lookUp).toEqual({ amount: '12.00', ccnumber: '************1111', orderid: '1042' });
    expect(sandbox.transactions).toHaveLength(1);
    const [operation] = await listOpen(payments);
    expect(operation).toMatchObject({ operation: 'transact.sale', state: 'unknown', lookUp: error.lookUp });
    await expect(operation?.resume()).rejects.toThrow(OperationUnresolvedError);
    await payments.journal.settle('order-1042', { operation: 'transact.sale', outcome: 'executed' });
    await expect(restart().transact.sale(card, options)).rejects.toMatchObject({ code: 'OPERATION_SETTLED' });
    expect(await listOpen(payments)).toEqual([]);
  });

  test('with another token is another sale', async () => {
    const { sandbox, payments } = await startShop();
    await payments.transact.sale(sale, options);
    const other = payments.transact.sale({ ...sale, payment_token: 'tok_2' }, options);
    const error = await failureOf(other, OperationMismatchError);
    expect(error).toMatchObject({ outcome: 'unknown', differences: ['payment_token'] });
    expect(error.message).toContain('the first call was executed. Call again with its parameters');
    expect(sandbox.transactions).toHaveLength(1);
  });

  test('is in progress for resume too, while another process may still send it', async () => {
    const { sandbox, payments, restart } = await startShop();
    const hold = sandbox.faults.inject({ kind: 'hold', operation: 'transact.submit' });
    const first = payments.transact.sale(sale, options);
    await hold.reached;
    const [operation] = await listOpen(restart());
    await expect(operation?.resume()).rejects.toThrow(OperationInProgressError);
    hold.release();
    expect(await first).toMatchObject({ approved: true });
    await expect(operation?.resume()).rejects.toThrow(
      'expected an open operation with its parameters, got another. Nothing was sent: repeat the call itself.',
    );
  });

  test('is the same with its fields in another order', async () => {
    const { sandbox, payments } = await startShop();
    const first = await payments.transact.sale(sale, options);
    const reordered = { orderid: sale.orderid, payment_token: sale.payment_token, amount: sale.amount };
    expect(await payments.transact.sale(reordered, options)).toEqual(first);
    expect(sandbox.transactions).toHaveLength(1);
  });

  test('is refused without an id, as is every other transaction that may move money', async () => {
    const { sandbox, payments } = await startShop();
    const { transact } = payments;
    const refund = { transactionid: '316', amount: '1.00' };
    const calls = [
      () => transact.sale(sale),
      () => transact.auth(sale, {}),
      () => transact.capture(refund),
      () => transact.refund(refund),
      () => transact.void(refund),
      () => transact.credit(sale),
      () => transact.submit({ type: 'sale', ...sale }, { operationId: undefined }),
    ];
    for (const call of calls) {
      expect((await failureOf(call(), InvalidRequestError)).issues).toMatchObject([
        {
          path: 'options.operationId',
          expected: 'your own id of this sale, refund or other operation, since the client has a journal',
        },
      ]);
    }
    const { payment_token } = sale;
    expect(await transact.validate({ payment_token })).toMatchObject({ approved: true });
    expect(sandbox.transactions.filter(({ type }) => type !== 'validate')).toEqual([]);
  });

  test('accepts an operationId only with a journal', async () => {
    const sandbox = await startSandbox();
    await failureOf(clientOf(sandbox).transact.sale(sale, options), InvalidRequestError);
    expect(() => clientOf(sandbox).journal).toThrow(ConfigurationError);
  });
});

test('encrypts its records if there is a key', async () => {
  const store = memoryStore();
  const encryptionKey = Buffer.alloc(32, 7).toString('base64');
  const { sandbox, payments, restart } = await startShop({ store, encryptionKey });
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
  const described = { ...params, metadata: { note: 'for Ada' } };
  await failureOf(payments.paymentIntents.create(described, options), ConnectionError);
  const { claims } = await store.open({ space: 'operation', limit: 10 });
  const [{ data } = { data: '' }] = claims;
  expect(data).not.toContain('Ada');
  const [unreadable] = await listOpen(restart({ encryptionKey: Buffer.alloc(32, 8).toString('base64') }));
  await expect(unreadable?.resume()).rejects.toThrow(OperationUnresolvedError);
  const [operation] = await listOpen(restart());
  expect(await operation?.resume()).toMatchObject({ metadata: { note: 'for Ada' } });
});
