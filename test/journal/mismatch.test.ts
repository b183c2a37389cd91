/** A second call with the id of another: what counts as another, and what the caller is told. */

import { OperationMismatchError, type PaymentsClient, PermissionError, ServerError } from 'payments-client';
import type { JournalOptions } from 'payments-client/journal';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { paymentIntent } from '../support/fixtures.ts';
import { json, text } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import { gate, listOpen, options, recorded, replacing } from './shop.ts';

const service = useScriptedService();
const { createClient } = service;
const start = (journal: Partial<JournalOptions> = {}) =>
  createClient({ repeats: 'recorded', journal: createJournal({ store: memoryStore(), ...journal }) });
const encryptionKey = Buffer.alloc(32, 7).toString('base64');

const sale = {
  amount: '12.00',
  payment_token: 'tok_1',
  orderid: '1042',
  ipaddress: '192.0.2.1',
  risk_session_id: 'r',
};
const approved = (more = '') => text(`response=1&responsetext=OK&transactionid=t1${more}`);
const declined = (more = '') => text(`response=2&responsetext=DECLINE&transactionid=t1${more}`);
const errored = () => text('response=3&responsetext=Duplicate+transaction&transactionid=');
const tooLong = `&memo=${'x'.repeat(950_000)}`;

const sell = (params: object) => (payments: PaymentsClient) =>
  payments.transact.sale({ ...sale, ...params }, options);
const payOut = (request: object) => (payments: PaymentsClient) =>
  payments.request({ method: 'POST', path: '/v1/payouts', body: { amount: 5 }, ...request }, options);
const confirm = (id: string) => (payments: PaymentsClient) =>
  payments.paymentIntents.confirm(id, { payment_method: 'pm_card' }, options);

type Call = (payments: PaymentsClient) => PromiseLike<unknown>;

it.each<[what: string, first: Call, second: Call, differences: string[]]>([
  ['another amount', sell({}), sell({ amount: '12.01' }), ['amount']],
  [
    'another token and orderid',
    sell({}),
    sell({ payment_token: 'tok_2', orderid: '7' }),
    ['orderid', 'payment_token'],
  ],
  ['a field more', sell({}), sell({ email: 'ada@shop.example' }), ['email']],
  ['another object', confirm('pi_1'), confirm('pi_2'), ['path']],
  ['another query', payOut({ query: { to: 'acct_A' } }), payOut({ query: { to: 'acct_B' } }), ['query']],
  ['no query', payOut({ query: { to: 'acct_A' } }), payOut({}), ['query']],
  ['an unknown field', payOut({}), payOut({ body: { amount: 5, x: 1 } }), []],
])(
  'refuses %s, and names what differs, also in an encrypted record',
  async (_what, first, second, differences) => {
    for (const journal of [{}, { encryptionKey }, { contents: 'digest' } as const]) {
      const payments = start(journal);
      service.answers(({ url }) => (url.pathname.endsWith('.php') ? approved() : json(paymentIntent)));
      const result = await first(payments);
      const sent = service.arrivals.length;
      const error = await failureOf(second(payments), OperationMismatchError);
      // A digest keeps no parameters, but the path is in plain.
      const named = 'contents' in journal ? differences.filter((name) => name === 'path') : differences;
      expect(error).toMatchObject({ outcome: 'executed', differences: named });
      expect(await first(payments)).toEqual(recorded(result));
      expect(service.arrivals).toHaveLength(sent);
    }
  },
);

it.each([
  ['its fields in another order', Object.fromEntries(Object.entries(sale).toReversed())],
  ['another address of the buyer', { ipaddress: '192.0.2.2' }],
  ['another risk session', { risk_session_id: 'other' }],
  ['no address and no risk session', { ipaddress: undefined, risk_session_id: undefined }],
])('returns the result of a sale with only %s', async (_what, params) => {
  const payments = start();
  service.answers(approved());
  const first = await sell({})(payments);
  expect(await sell(params)(payments)).toEqual(recorded(first));
  expect(service.arrivals).toHaveLength(1);
});

describe('the message', () => {
  it.each<[what: string, answer: () => Response, outcome: string, advice: RegExp]>([
    ['executed', approved, 'executed', /was executed\. Call again with its parameters to get its result/],
    [
      'declined',
      declined,
      'not_executed',
      /was declined\..+ an operationId of its own, such as order-1042-2/,
    ],
    [
      'rejected',
      () => text('', { status: 403 }),
      'not_executed',
      /moved no money\..+ an operationId of its own/,
    ],
    [
      'of unknown outcome',
      () => text('', { status: 500 }),
      'unknown',
      /look at what the first call did before/,
    ],
    ['not processed', errored, 'unknown', /look at what the first call did before/],
    // A decline is an end too, so a result that was too long to record tells nothing.
    ['too long to record', () => declined(tooLong), 'unknown', /look at what the first call did before/],
  ])('says what to do if the first call was %s', async (_how, answer, outcome, advice) => {
    const payments = start();
    service.answers(answer());
    await Promise.resolve(sell({})(payments)).catch(() => {});
    const error = await failureOf(sell({ amount: '13.00' })(payments), OperationMismatchError);
    expect(error.outcome).toBe(outcome);
    expect(error.message).toMatch(
      /^transact\.sale: .+ of the first call with this operationId, got another amount\. .*Nothing was sent/,
    );
    expect(error.message).toMatch(advice);
  });

  it.each(['4111111111111111', 'sk_v1_live_abcdefgh', '\u001b[2J', 'x'.repeat(40)])(
    'does not repeat the unknown name %j, nor any value',
    async (name) => {
      const payments = start();
      service.answers(json({ id: 'po_1' }));
      await payOut({})(payments);
      const other = payOut({ body: { amount: 5, [name]: 'a value' } })(payments);
      const error = await failureOf(other, OperationMismatchError);
      expect(error.message).toContain('got another field.');
      expect(JSON.stringify([error.message, error])).not.toContain(name);
      expect(error.message).not.toContain('a value');
    },
  );
});

it('does not plan other parameters under the id of a call that was refused', async () => {
  const payments = start();
  service.answers(json({}, { status: 403 }));
  const refund = (amount: number) => ({ charge_id: 'ch_1', amount });
  await failureOf(payments.refunds.create(refund(5), options), PermissionError);
  const other = payments.journal.plan().refunds.create(refund(6), options);
  const error = await failureOf(other, OperationMismatchError);
  expect(error).toMatchObject({ outcome: 'not_executed', differences: ['amount'] });
  expect(await listOpen(payments)).toEqual([]);
  await payments.journal.plan().refunds.create(refund(5), options);
  expect(await listOpen(payments)).toMatchObject([{ state: 'planned' }]);
});

it('says of an operation that was settled as executed that it was', async () => {
  const payments = start();
  service.answers(json({}, { status: 500 }));
  await failureOf(confirm('pi_1')(payments), ServerError);
  await payments.journal.settle('order-1042', { operation: 'paymentIntents.confirm', outcome: 'executed' });
  const error = await failureOf(confirm('pi_2')(payments), OperationMismatchError);
  expect(error).toMatchObject({ outcome: 'executed', differences: ['path'] });
});

it('says nothing of another method that was called with the same idempotencyKey', async () => {
  const payments = start();
  service.answers(json(paymentIntent));
  const byKey = { idempotencyKey: 'order-1042' };
  await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, byKey);
  const other = payments.refunds.create({ charge_id: 'ch_1' }, byKey);
  const error = await failureOf(other, OperationMismatchError);
  expect(error).toMatchObject({ outcome: 'unknown', differences: ['path', 'amount', 'charge_id'] });
  expect(error.message).toContain('look at what the first call did before');
  expect(service.arrivals).toHaveLength(1);
});

it('says nothing of a refused call while another process repeats it', async () => {
  const store = memoryStore();
  const [isRepeated, mayGoOn] = [gate(), gate()];
  const held = replacing(store, {
    renew: async (...args) => {
      isRepeated.open();
      await mayGoOn.opened;
      return store.renew(...args);
    },
  });
  const [one, other] = [held, store].map((its) =>
    createClient({ journal: createJournal({ store: its }), maxRetries: 0 }),
  );
  if (one === undefined || other === undefined) throw new Error('expected two clients');
  service.answers(json({}, { status: 403 }), json(paymentIntent));
  const intent = { amount: 1200, currency: 'usd' };
  await failureOf(one.paymentIntents.create(intent, options), PermissionError);
  const repeated = one.paymentIntents.create(intent, options);
  await isRepeated.opened;
  const error = await failureOf(
    other.paymentIntents.create({ ...intent, amount: 1300 }, options),
    OperationMismatchError,
  );
  expect(error.differences).toEqual(['amount']);
  mayGoOn.open();
  expect(await repeated).toMatchObject({ id: paymentIntent.id });
  expect(error.outcome).toBe('unknown');
  expect(error.message).not.toContain('no money');
});
