/** Whose record is it? Two merchants, test and live, and rotated keys, on one store. */

import {
  OperationAccountError,
  OperationUnresolvedError,
  type PaymentsClient,
  type PaymentsClientOptions,
  ServerError,
} from 'payments-client';
import type { JournalOptions } from 'payments-client/journal';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json, text } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import { listOpen, options, recorded } from './shop.ts';

const service = useScriptedService();
const { createClient } = service;

const one = { secretKey: 'sk_v1_test_merchant_one', securityKey: 'security-key-of-one' };
const other = { secretKey: 'sk_v1_test_merchant_two', securityKey: 'security-key-of-two' };
const live = { ...one, secretKey: 'sk_v1_live_merchant_one' };
const elsewhere = { ...one, baseUrl: 'https://payments.test/other' };
const refund = { charge_id: 'ch_1' };

/** Merchants who share a store. */
function shareStore() {
  const store = memoryStore();
  return (client: PaymentsClientOptions, journal: Partial<JournalOptions> = {}) =>
    createClient({ repeats: 'recorded', ...client, journal: createJournal({ store, ...journal }) });
}

type Call = (payments: PaymentsClient) => Promise<object>;
const create: Call = async (payments) => payments.refunds.create(refund, options);
const sell: Call = async (payments) =>
  payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' }, options);

/** Each answer has an id of its own. */
function answerBoth(): void {
  service.answers(({ url }) =>
    url.pathname.endsWith('/transact.php')
      ? text(`response=1&responsetext=OK&transactionid=t${service.arrivals.length}`)
      : json({ ...sampleRefund, id: `rf_${service.arrivals.length}` }),
  );
}
const failAll = () => service.answers(json({}, { status: 500 }));

describe('without an account', () => {
  it.each([
    ['a refund', 'another merchant', create, other, 'another key'],
    ['a refund', 'the live key', create, live, 'another mode, another key'],
    ['a refund', 'another base URL', create, elsewhere, 'another base URL'],
    ['a sale', 'another merchant', sell, other, 'another key'],
    ['a sale', 'another base URL', sell, elsewhere, 'another base URL'],
  ])('%s of %s gets no result, and sends nothing', async (_name, _whose, call, client, difference) => {
    answerBoth();
    const start = shareStore();
    const first = await call(start(one));
    const error = await failureOf(call(start(client)), OperationAccountError);
    expect(error).toMatchObject({ code: 'OPERATION_ACCOUNT', outcome: 'unknown', retryable: false });
    expect(error.message).toContain(`recorded with ${difference}. Nothing was sent`);
    expect(error.message).toContain('an account');
    expect(error.message).not.toMatch(/merchant_|security-key/);
    expect(await call(start(one))).toEqual(recorded(first));
    expect(service.arrivals).toHaveLength(1);
  });

  it('an open operation of another merchant is neither listed, resumed nor settled, and a warning counts it', async () => {
    failAll();
    const start = shareStore();
    await failureOf(create(start(one)), ServerError);
    await failureOf(start(other).refunds.create(refund, { operationId: 'own' }), ServerError);
    const warnings: unknown[][] = [];
    const logger = { warn: (...line: unknown[]) => warnings.push(line) };
    const open = await listOpen(start({ ...other, logger }));
    expect(open.map(({ operationId }) => operationId)).toEqual(['own']);
    expect(warnings).toMatchObject([[expect.any(String), { hidden: 1, unreadable: 0 }]]);
    const how = { operation: 'refunds.create', outcome: 'executed' } as const;
    await failureOf(start(other).journal.settle('order-1042', how), OperationAccountError);
    expect(await listOpen(start(one))).toMatchObject([{ operationId: 'order-1042', state: 'unknown' }]);
    // The backlog is that of all.
    expect(await start(other).journal.backlog()).toMatchObject({ count: 2 });
    expect(service.arrivals).toHaveLength(2);
  });

  it('a function is asked for the key of each call, and once per list', async () => {
    failAll();
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

  it('a client without a security key neither sees nor settles an open sale', async () => {
    failAll();
    const start = shareStore();
    await failureOf(sell(start(one)), ServerError);
    const without = start({ ...one, securityKey: undefined, logger: {} });
    expect(await listOpen(without)).toEqual([]);
    const how = { operation: 'transact.sale', outcome: 'executed' } as const;
    const error = await failureOf(without.journal.settle('order-1042', how), OperationAccountError);
    expect(error.message).toContain('recorded with another key. Nothing was sent or changed');
    expect(await listOpen(start(one))).toHaveLength(1);
  });
});

describe('with an account', () => {
  const account = { account: 'shop-1' };

  it.each([
    ['shop-1', 'shop-2'],
    ['a', 'a:'],
    ['1:a', '1'],
    ['a/b', 'a'],
    ['é', 'e\u0301'],
    ['Shop', 'shop'],
    ['shop', ' shop '],
    ['x'.repeat(200), 'x'.repeat(199)],
  ])('%j and %j are kept apart, though they send the same key', async (first, second) => {
    answerBoth();
    const start = shareStore();
    for (const call of [create, sell]) {
      const result = await call(start(one, { account: first }));
      // Nor is it the result with the mark of a recorded one.
      expect(await call(start(other, { account: second }))).not.toMatchObject(result);
      expect(await call(start(one, { account: first }))).toEqual(recorded(result));
    }
    expect(service.arrivals).toHaveLength(4);
    const keys = service.arrivals.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys.slice(0, 2)).toEqual(Array(2).fill('pc1:refunds.create:order-1042'));
  });

  it.each([
    ['a rotated key', other],
    ['another base URL', elsewhere],
  ])('a result is returned across %s, but no open operation is sent again', async (_what, client) => {
    answerBoth();
    const start = shareStore();
    for (const call of [create, sell]) {
      const first = await call(start(client, account));
      expect(await call(start(one, account))).toEqual(recorded(first));
    }
    expect(service.arrivals).toHaveLength(2);
    failAll();
    const open = (payments: PaymentsClient) => payments.refunds.create(refund, { operationId: 'open' });
    await failureOf(open(start(one, account)), ServerError);
    const error = await failureOf(open(start(client, account)), OperationUnresolvedError);
    expect(error.outcome).toBe('unknown');
    expect(error.message).toContain('repeat it with the former ones');
    const [operation] = await listOpen(start(client, account));
    await failureOf(operation?.resume() ?? Promise.resolve(), OperationUnresolvedError);
    expect(service.arrivals).toHaveLength(3);
    service.answers(json(sampleRefund));
    expect(await open(start(one, account))).toMatchObject({ id: sampleRefund.id });
  });

  it('a live key gets no test result, since an account is one environment', async () => {
    answerBoth();
    const start = shareStore();
    await create(start(one, account));
    const error = await failureOf(create(start(live, account)), OperationAccountError);
    expect(error.message).toMatch(/another mode\. .+ one merchant in one environment/);
    expect(service.arrivals).toHaveLength(1);
    const first = await create(start(live, { account: 'shop-1-live' }));
    expect(await create(start(live, { account: 'shop-1-live' }))).toEqual(recorded(first));
    expect(service.arrivals).toHaveLength(2);
  });

  it('records from before it had a name are adopted by the same key, and refused to another', async () => {
    answerBoth();
    const start = shareStore();
    for (const call of [create, sell]) {
      const first = await call(start(one));
      expect(await call(start(one, account))).toEqual(recorded(first));
      await failureOf(call(start(other, { account: 'shop-2' })), OperationAccountError);
    }
    expect(service.arrivals).toHaveLength(2);
  });

  it('lists and settles what was open before it had a name', async () => {
    failAll();
    const start = shareStore();
    await failureOf(create(start(one)), ServerError);
    const payments = start(one, account);
    expect(await listOpen(payments)).toMatchObject([{ operationId: 'order-1042' }]);
    const how = { operation: 'refunds.create', outcome: 'executed', result: sampleRefund } as const;
    await payments.journal.settle('order-1042', how);
    expect(await create(payments)).toEqual(recorded(sampleRefund));
    expect(service.arrivals).toHaveLength(1);
  });

  it.each(['', ' ', 'x'.repeat(201), 'a\0b', '\ud800', 5])('the name %j is refused', (name) => {
    expect(() => shareStore()(one, { account: anything(name) })).toThrow(
      /^createJournal\.account: expected 1 to 200/,
    );
  });
});
