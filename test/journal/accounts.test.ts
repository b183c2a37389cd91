/** Whose record is it? Two merchants, test and live, and rotated keys, on one store. */

import {
  type JournalOptions,
  OperationAccountError,
  OperationUnresolvedError,
  type PaymentsClient,
  type PaymentsClientOptions,
  ServerError,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { createClient, json, text, useMockService } from '../support/mock-service.ts';
import { listOpen, options } from './shop.ts';

const service = useMockService();

const one = { secretKey: 'sk_v1_test_merchant_one', securityKey: 'security-key-of-one' };
const other = { secretKey: 'sk_v1_test_merchant_two', securityKey: 'security-key-of-two' };
const live = { ...one, secretKey: 'sk_v1_live_merchant_one' };
const elsewhere = { ...one, baseUrl: 'https://payments.test/other' };
const refund = { charge_id: 'ch_1' };
const sale = { amount: '12.00', payment_token: 'tok_1' };

/** Merchants who share a store. */
function shareStore() {
  const store = memoryStore();
  return (client: PaymentsClientOptions, journal: Partial<JournalOptions> = {}) =>
    createClient({ maxRetries: 0, ...client, journal: { store, ...journal } });
}

const calls: Readonly<Record<string, (payments: PaymentsClient) => PromiseLike<object>>> = {
  'refunds.create': (payments) => payments.refunds.create(refund, options),
  'transact.sale': (payments) => payments.transact.sale(sale, options),
};

function answerBoth(): void {
  service.answers(({ url }) =>
    url.pathname.endsWith('/transact.php')
      ? text(`response=1&responsetext=OK&transactionid=t${service.arrivals.length}`)
      : json({ ...sampleRefund, id: `rf_${service.arrivals.length}` }),
  );
}

describe('without an account', () => {
  it.each([
    ['refunds.create', 'another merchant', other, 'another key'],
    ['refunds.create', 'the live key', live, 'another mode, another key'],
    ['refunds.create', 'another base URL', elsewhere, 'another base URL'],
    ['transact.sale', 'another merchant', other, 'another key'],
    ['transact.sale', 'another base URL', elsewhere, 'another base URL'],
  ])('%s of %s gets no result, and sends nothing', async (name, _whose, client, difference) => {
    answerBoth();
    const start = shareStore();
    const call = calls[name] ?? expect.fail();
    const first = await call(start(one));
    const error = await failureOf(Promise.resolve(call(start(client))), OperationAccountError);
    expect(error).toMatchObject({ code: 'OPERATION_ACCOUNT', outcome: 'unknown', retryable: false });
    expect(error.message).toContain(`one that was recorded with ${difference}. Nothing was sent`);
    expect(error.message).toContain('journal.account');
    expect(error.message).not.toMatch(/merchant_|security-key/);
    expect(service.arrivals).toHaveLength(1);
    expect(await call(start(one))).toEqual(first);
  });

  it('does not resume, settle or list the open operations of another merchant', async () => {
    service.answers(json({}, { status: 500 }));
    const start = shareStore();
    await failureOf(start(one).refunds.create(refund, options), ServerError);
    await failureOf(start(other).refunds.create(refund, { operationId: 'own' }), ServerError);
    const warnings: string[] = [];
    const logger = { warn: (message: string) => warnings.push(message) };
    const open = await listOpen(start({ ...other, logger }));
    expect(open.map(({ operationId }) => operationId)).toEqual(['own']);
    expect(warnings).toEqual([expect.stringContaining('hides 1 open operations')]);
    const settled = start(other).journal.settle('order-1042', {
      operation: 'refunds.create',
      outcome: 'executed',
    });
    await failureOf(settled, OperationAccountError);
    const [kept] = await listOpen(start(one));
    expect(kept).toMatchObject({ operationId: 'order-1042', state: 'unknown' });
    expect(service.arrivals).toHaveLength(2);
  });

  it('asks a function for the key of each call, and once per list', async () => {
    service.answers(json({}, { status: 500 }));
    const start = shareStore();
    let asked = 0;
    const secretKey = () => {
      asked += 1;
      return one.secretKey;
    };
    for (const operationId of ['a', 'b', 'c'])
      await failureOf(start(one).refunds.create(refund, { operationId }), ServerError);
    expect(await listOpen(start({ ...one, secretKey }))).toHaveLength(3);
    expect(asked).toBe(1);
  });
});

describe('with an account', () => {
  const account = { account: 'shop-1' };

  it('keeps two merchants apart, and sends the same idempotency key', async () => {
    answerBoth();
    const start = shareStore();
    for (const call of Object.values(calls)) {
      const first = await call(start(one, account));
      expect(await call(start(other, { account: 'shop-2' }))).not.toEqual(first);
      expect(await call(start(one, account))).toEqual(first);
    }
    expect(service.arrivals).toHaveLength(4);
    const keys = service.arrivals.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys.slice(0, 2)).toEqual(Array(2).fill('pc1:refunds.create:order-1042'));
  });

  it.each([
    ['a rotated key', other],
    ['another base URL', elsewhere],
  ])('returns a result across %s', async (_what, client) => {
    answerBoth();
    const start = shareStore();
    for (const call of Object.values(calls)) {
      expect(await call(start(client, account))).toEqual(await call(start(one, account)));
    }
    expect(service.arrivals).toHaveLength(2);
  });

  it.each([
    ['a rotated key', other],
    ['another base URL', elsewhere],
  ])('sends no open operation again with %s', async (_what, client) => {
    service.answers(json({}, { status: 500 }));
    const start = shareStore();
    await failureOf(start(one, account).refunds.create(refund, options), ServerError);
    const again = start(client, account).refunds.create(refund, options);
    expect((await failureOf(again, OperationUnresolvedError)).outcome).toBe('unknown');
    const [operation] = await listOpen(start(client, account));
    await failureOf(operation?.resume() ?? Promise.resolve(), OperationUnresolvedError);
    expect(service.arrivals).toHaveLength(1);
    service.answers(json(sampleRefund));
    expect(await start(one, account).refunds.create(refund, options)).toMatchObject({ id: sampleRefund.id });
  });

  it('gives a live key no test result, since it names one environment', async () => {
    answerBoth();
    const start = shareStore();
    await start(one, account).refunds.create(refund, options);
    const error = await failureOf(
      start(live, account).refunds.create(refund, options),
      OperationAccountError,
    );
    expect(error.message).toContain('names one merchant in one environment');
    expect(service.arrivals).toHaveLength(1);
  });

  it('adopts the records of equal identity, and refuses others', async () => {
    answerBoth();
    const start = shareStore();
    for (const call of Object.values(calls)) {
      const first = await call(start(one));
      expect(await call(start(one, account))).toEqual(first);
      await failureOf(Promise.resolve(call(start(other, { account: 'shop-2' }))), OperationAccountError);
    }
    expect(service.arrivals).toHaveLength(2);
  });

  it('lists and settles what was open before the account was set', async () => {
    service.answers(json({}, { status: 500 }));
    const start = shareStore();
    await failureOf(start(one).refunds.create(refund, options), ServerError);
    const payments = start(one, account);
    expect(await listOpen(payments)).toMatchObject([{ operationId: 'order-1042' }]);
    const result = { outcome: 'executed', result: sampleRefund } as const;
    await payments.journal.settle('order-1042', { operation: 'refunds.create', ...result });
    expect(await payments.refunds.create(refund, options)).toEqual(sampleRefund);
    expect(service.arrivals).toHaveLength(1);
  });

  it.each(['', ' ', 'x'.repeat(201), 'a\0b', '\ud800', 5])('refuses the name %j', (name) => {
    expect(() => shareStore()(one, { account: name as string })).toThrow(
      /^journal\.account: expected 1 to 200/,
    );
  });

  it.each([
    ['a', 'a:'],
    ['1:a', '1'],
    ['é', 'e\u0301'],
    ['x'.repeat(200), 'x'.repeat(199)],
  ])('keeps the accounts %j and %j apart', async (first, second) => {
    answerBoth();
    const start = shareStore();
    const ids = [];
    for (const name of [first, second]) {
      ids.push((await start(one, { account: name }).refunds.create(refund, options)).id);
    }
    expect(new Set(ids).size).toBe(2);
  });
});
