import {
  ConfigurationError,
  InvalidRequestError,
  OperationInProgressError,
  type PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
  ServerError,
} from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { make } from 'payments-client-sandbox/testing';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { json } from '../support/mock-service.ts';
import { plannedMethods, resultKinds } from '../support/planned-methods.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import type { ClaimStore } from '../support/stores.ts';
import { listOpen, options, params, recorded, replacing } from './shop.ts';

const service = useScriptedService();
const { createClient } = service;
const operation = 'paymentIntents.create';
const executed = { outcome: 'executed' } as const;

/** A client whose calls all have an unknown outcome. */
function start(client: PaymentsClientOptions = {}, store: ClaimStore = memoryStore()): PaymentsClient {
  service.answers(json({}, { status: 500 }));
  return createClient({ repeats: 'recorded', ...client, journal: createJournal({ store }) });
}

/** A client with one open operation. */
async function startOpen(client: PaymentsClientOptions = {}) {
  const payments = start(client);
  await failureOf(payments.paymentIntents.create(params, options), ServerError);
  const [open = expect.fail('no operation is open')] = await listOpen(payments);
  return { payments, open };
}

describe('settle by id', () => {
  const byKey = { idempotencyKey: 'order-1042' };
  const settle = ({ journal }: PaymentsClient, id: string, method = operation) =>
    journal.settle(id, { operation: method, ...executed });

  it('closes an operation that is named by its idempotencyKey, of that method alone', async () => {
    const payments = start();
    await failureOf(payments.paymentIntents.create(params, byKey), ServerError);
    for (const [id, method] of [
      ['order-1042', 'refunds.create'],
      ['order-10', operation],
      ['o'.repeat(600), operation],
    ] as const) {
      const error = await failureOf(settle(payments, id, method), InvalidRequestError);
      expect(error).toMatchObject({ issues: [{ path: 'operationId', received: 'none' }] });
    }
    expect(await listOpen(payments)).toMatchObject([{ operation, operationId: 'order-1042' }]);
    await settle(payments, 'order-1042');
    expect(await listOpen(payments)).toEqual([]);
    const repeated = payments.paymentIntents.create(params, byKey);
    const closed = await failureOf(repeated, PaymentsError);
    expect(closed).toMatchObject({ code: 'OPERATION_SETTLED', outcome: 'executed' });
    expect(closed.message).toContain('closed manually as executed. This call sent nothing.');
    expect(service.arrivals).toHaveLength(1);
  });

  it('refuses to choose between an operationId and an equal idempotencyKey', async () => {
    const payments = start();
    await failureOf(payments.paymentIntents.create(params, byKey), ServerError);
    await failureOf(payments.paymentIntents.create(params, options), ServerError);
    const { issues } = await failureOf(settle(payments, 'order-1042'), InvalidRequestError);
    expect(issues).toMatchObject([{ received: 'two: one by operationId, one by idempotencyKey' }]);
    const [first] = await listOpen(payments);
    await first?.settle(executed);
    await settle(payments, 'order-1042');
    expect(await listOpen(payments)).toEqual([]);
  });

  it('leaves the id free if there is no such operation', async () => {
    const clock = { time: 0 };
    const payments = start({}, memoryStore({ now: () => clock.time }));
    for (const _time of [1, 2]) await failureOf(settle(payments, 'order-1042'), InvalidRequestError);
    // The clock stands still, so the store still remembers the key.
    const plan = payments.journal.plan().paymentIntents;
    for (const call of [payments.paymentIntents.create(params, options), plan.create(params, options)]) {
      const error = await failureOf(call, OperationInProgressError);
      expect(error).toMatchObject({ retryable: true, retryAfter: 1 });
    }
    clock.time += 1;
    await plan.create(params, options);
    expect(await listOpen(payments)).toMatchObject([{ state: 'planned' }]);
  });

  it('does not close an operation whose claim it loses meanwhile', async () => {
    const store = memoryStore();
    await failureOf(start({}, store).paymentIntents.create(params, options), ServerError);
    const lost = { complete: async () => false, release: async () => false };
    const { issues } = await failureOf(
      settle(start({}, replacing(store, lost)), 'order-1042'),
      InvalidRequestError,
    );
    expect(issues).toMatchObject([{ path: 'operationId', received: 'one that is still being sent' }]);
    expect(await listOpen(start({}, store))).toMatchObject([{ state: 'unknown' }]);
  });

  it.each([undefined, null, 5, '', ' ', {}])('refuses the id %j', async (id) => {
    const { issues } = await failureOf(settle(start(), anything(id)), ConfigurationError);
    expect(issues).toMatchObject([{ path: 'journal.settle.operationId' }]);
  });
});

it('settle refuses wrong options, says how to write them, and changes nothing', async () => {
  const { payments, open } = await startOpen();
  const { journal } = payments;
  const nameless = journal.settle('order-1042', { operation: '', ...executed });
  const named = { issues: [{ path: 'journal.settle.operation' }] };
  expect(await failureOf(nameless, ConfigurationError)).toMatchObject(named);
  for (const wrong of [{ outcome: 'not executed' }, {}, undefined, { ...executed, more: 1 }]) {
    const listed = await failureOf(open.settle(anything(wrong)), ConfigurationError);
    expect(listed.message).toMatch(/^settle\W/);
    expect(listed.message).toContain("Write settle({ outcome: 'executed' }).");
    const byId = await failureOf(journal.settle('order-1042', anything(wrong)), ConfigurationError);
    expect(byId.message).toMatch(
      /Write journal\.settle\(operationId, \{ operation: .+, outcome: 'executed' \}\)\./,
    );
  }
  expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
});

describe('a result given by hand', () => {
  const intent = make('payment_intent');
  const { amount: _, ...withoutAmount } = intent;
  const cycle: unknown[] = [];
  cycle.push(cycle);

  const notReturned = { path: 'result', expected: `what ${operation} returns` };
  const wrongResults = [
    5,
    null,
    'pi_1',
    [],
    {},
    { id: 'pi_1' },
    withoutAmount,
    make('refund'),
    { data: withoutAmount },
  ];

  type Row = [what: string, result: unknown, issue: object, outcome?: 'executed' | 'not_executed'];
  it.each<Row>([
    ...wrongResults.map((result): Row => [JSON.stringify(result).slice(0, 60), result, notReturned]),
    ['a cycle', cycle, { path: 'result[0]', received: 'a cycle' }],
    ['a bigint', { amount: 1200n }, { path: 'result.amount', received: 'a bigint' }],
    ['undefined', { id: 'pi_1', amount: undefined }, { path: 'result.amount', received: 'undefined' }],
    ['a date', { created: new Date() }, { path: 'result.created', received: 'a date' }],
    ['a function', () => ({}), { path: 'result', received: 'a function' }],
    ['an object, but was not executed', intent, { path: 'result' }, 'not_executed'],
  ])(
    'is refused if it is %s, and does not lock the operation',
    async (_what, result, issue, outcome = 'executed') => {
      const { payments, open } = await startOpen();
      const byId = payments.journal.settle('order-1042', { operation, outcome, result });
      const error = await failureOf(byId, InvalidRequestError);
      expect(error).toMatchObject({ issues: [issue] });
      expect(error.message).toContain('Nothing was changed');
      await expect(open.settle({ outcome, result })).rejects.toMatchObject({ issues: [issue] });
      await open.settle({ ...executed, result: intent });
      expect(await payments.paymentIntents.create(params, options)).toEqual(recorded(intent));
    },
  );

  it('may be the object in an envelope', async () => {
    const { payments, open } = await startOpen();
    await open.settle({ ...executed, result: { data: intent } });
    expect(await payments.paymentIntents.create(params, options)).toEqual(recorded(intent));
  });

  it('needs an id even for a client that checks no response', async () => {
    const { payments, open } = await startOpen({ validation: 'off' });
    const refused = await failureOf(open.settle({ ...executed, result: { amount: 5 } }), InvalidRequestError);
    expect(refused).toMatchObject({ issues: [{ path: 'result' }] });
    await open.settle({ ...executed, result: withoutAmount });
    expect(await payments.paymentIntents.create(params, options)).toEqual(recorded(withoutAmount));
  });

  it('of each method that moves money must be what it returns', async () => {
    const payments = start();
    expect(plannedMethods(payments)).toEqual(Object.keys(resultKinds));
    for (const [method, kind] of Object.entries(resultKinds)) {
      const settle = (result: unknown) =>
        failureOf(
          payments.journal.settle('order-1042', { operation: method, ...executed, result }),
          InvalidRequestError,
        );
      expect(await settle(make('customer'))).toMatchObject({ issues: [{ path: 'result' }] });
      expect(await settle(make(kind))).toMatchObject({ issues: [{ path: 'operationId', received: 'none' }] });
    }
  });

  it.each([
    [
      { response: '1', transactionid: '77' },
      { approved: true, transactionid: '77' },
    ],
    [
      { response: '2', responsetext: 'DECLINE' },
      { approved: false, errored: false },
    ],
  ])('of a sale must be the fields of a transaction, such as %j', async (result, expected) => {
    const payments = start();
    const sell = () => payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' }, options);
    await failureOf(sell(), ServerError);
    const [open] = await listOpen(payments);
    const authentication = { response: '3', responsetext: 'Authentication Failed' };
    for (const wrong of [
      5,
      'response=1',
      {},
      { response: '' },
      { response: { code: 1 } },
      { transactionid: '1' },
      authentication,
    ])
      await expect(open?.settle({ ...executed, result: wrong })).rejects.toMatchObject({
        issues: [{ path: 'result', expected: 'what transact.sale returns' }],
      });
    await open?.settle({ ...executed, result });
    expect(await sell()).toMatchObject(expected);
    expect(service.arrivals).toHaveLength(1);
  });

  it('of payments.request may be any JSON', async () => {
    const payments = start();
    const request = { method: 'POST', path: '/v1/payouts', body: { amount: 500 } } as const;
    await failureOf(payments.request(request, options), ServerError);
    const [open] = await listOpen(payments);
    await open?.settle({ ...executed, result: 5 });
    expect(await payments.request(request, options)).toBe(5);
  });
});
