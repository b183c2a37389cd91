/** A call with the security code of a card, known by the name of its field: what its record keeps, and what its repeat gets. */

import {
  OperationMismatchError,
  OperationUnresolvedError,
  type PaymentsClient,
  PaymentsError,
  ServerError,
} from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { listOpen, options, recorded } from '../../journal/shop.ts';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { json } from '../../support/mock-service.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const service = useScriptedService();
const failed = () => json({}, { status: 500 });
const sale = { amount: '12.00', payment_token: 'tok_1', order_description: 'a' };
const code = '7391';
const token = (body: object, query = {}) => ({ method: 'POST', path: '/v1/tokens', body, query }) as const;

function start() {
  const store = memoryStore();
  const payments = service.createClient({
    repeats: 'recorded',
    extraParameters: { 'paymentIntents.confirm': ['cvv', 'card'], 'transact.sale': ['cvc'] },
    journal: createJournal({ store }),
  });
  const written = async () =>
    (await store.open({ space: 'operation', limit: 9 })).claims.map(({ data }) => data);
  return { payments, written };
}

type Sent = (payments: PaymentsClient, code: object) => PromiseLike<unknown>;
const confirm: Sent = (p, more) =>
  p.paymentIntents.confirm('pi_1', anything({ payment_method: 'pm_1', ...more }), options);
const request: Sent = (p, more) => p.request(token({ name: 'a', ...more }), options);
const ways: [what: string, send: Sent, code: object][] = [
  ['an extra parameter', confirm, { cvv: code }],
  ['an object of one', confirm, { card: { cvc: code, name: 'a' } }],
  ['a body', request, { cvv: code }],
  ['a body, as a number', request, { security_code: Number(code) }],
  ['a body, in a list', request, { cards: [{ cvc: [code] }] }],
  ['an expiry', request, { ccexp: code }],
  ['a query', (p, more) => p.request(token({ name: 'a' }, more), options), { a: 'b', 'card[cvv]': code }],
  ['a query of it alone', (p, more) => p.request(token({ name: 'a' }, more), options), { cvv: code }],
  ['an extra field of a sale', (p, more) => p.transact.sale({ ...sale, ...more }, options), { cvc: code }],
  [
    'a field of any type of transaction',
    (p, more) => p.transact.submit({ type: 'sale', ...sale, ...more }, options),
    { cvv2: code },
  ],
];

it.each(ways)('a code in %s is kept as a digest', async (_what, send, more) => {
  const { payments, written } = start();
  service.answers(failed());
  await failureOf(send(payments, more), ServerError);
  expect(await listOpen(payments)).toMatchObject([{ state: 'unknown', digestOnly: 'card_data' }]);
  const [data = expect.fail('nothing is recorded')] = await written();
  expect(data).not.toContain(code);
  expect(service.arrivals[0]?.url.search + String(service.arrivals[0]?.body)).toContain(code);
});

it.each(ways)('a code in %s is the same operation with another code', async (_what, send, more) => {
  const { payments } = start();
  service.answers(failed());
  await failureOf(send(payments, more), ServerError);
  const other = JSON.parse(JSON.stringify(more).replace(code, '4826'));
  const error = await failureOf(send(payments, other), PaymentsError);
  // A sale may have charged. Anything else is sent again.
  expect([ServerError, OperationUnresolvedError]).toContain(error.constructor);
});

it.each([
  ['a body', token({ a: 1, cvv: code, b: 2 }), token({ a: 1, b: 2 })],
  ['a query', token({}, { cvv: code }), token({})],
  ['a longer query', token({}, { cvv: code, a: '1', b: '2' }), token({}, { a: '1', b: '2' })],
])('a code in %s is the same operation without it', async (_what, first, repeat) => {
  const { payments } = start();
  service.answers(json({ id: 'tok_1' }));
  await payments.request(first, options);
  expect(await payments.request(repeat, options)).toEqual(recorded({ id: 'tok_1' }));
  const other = { ...repeat, body: { a: 2 } };
  await failureOf(payments.request(other, options), OperationMismatchError);
  expect(service.arrivals).toHaveLength(1);
});

it('a code is no difference to a call without one', async () => {
  const { payments } = start();
  service.answers(failed());
  await failureOf(confirm(payments, {}), ServerError);
  const other = confirm(payments, { payment_method: 'pm_2', cvv: code });
  const error = await failureOf(Promise.resolve(other), OperationMismatchError);
  expect(error.differences).toEqual(['payment_method']);
  expect(error.message).toContain('got another payment_method. ');
  const first = { operationId: 'order-7' };
  await failureOf(payments.request(token({ a: 1 }), first), ServerError);
  const asked = failureOf(payments.request(token({ a: 2 }, { cvv: code }), first), OperationMismatchError);
  expect((await asked).differences).toEqual([]);
});

it.each([
  ['a setting', token({ cvv: 'required' })],
  ['a result', token({ cvvresponse: '7391' })],
  ['a code of another kind', token({ gift_card_code: '7391' })],
  ['a query of other fields', token({}, { a: '7391', b: '' })],
])('a code is not %s, which is kept and resumed', async (_what, given) => {
  const { payments } = start();
  service.answers(failed(), json({ id: 'tok_1' }));
  await failureOf(payments.request(given, options), ServerError);
  const [open] = await listOpen(payments);
  expect(open).toMatchObject({ digestOnly: undefined });
  await open?.resume();
  const [first, second] = service.arrivals.map(({ url, body }) => url.search + body);
  expect(second).toBe(first);
});
