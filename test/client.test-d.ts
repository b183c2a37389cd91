import {
  type ApiPromise,
  type ApprovedTransaction,
  type CheckoutSession,
  type DeclinedTransaction,
  type Page,
  type PaymentIntent,
  PaymentsClient,
  type Refund,
  type TransactionResult,
  type UntypedResource,
  unlisted,
  type WithResponse,
} from 'payments-client';
import { expectTypeOf, test } from 'vitest';

const payments = new PaymentsClient();
const by = { operationId: 'order-1' };
const intent = { amount: 1200, currency: 'usd' };
const session = {
  mode: 'payment' as const,
  line_items: [{ name: 'Tea', amount: 1, currency: 'usd', quantity: 1 }],
};
const sale = { amount: '1.00', payment_token: 'tok' };

test('a call that moves money without an operation id does not compile', () => {
  // @ts-expect-error no options
  payments.paymentIntents.create(intent);
  // @ts-expect-error options without an id
  payments.paymentIntents.create(intent, { timeout: 5 });
  // @ts-expect-error no options
  payments.checkoutSessions.create(session);
  // @ts-expect-error no options
  payments.refunds.create({ charge_id: 'ch_1' });
  // @ts-expect-error an id that is not there
  payments.refunds.create({ charge_id: 'ch_1' }, { operationId: undefined });
  // @ts-expect-error both ways to name it
  payments.refunds.create({ charge_id: 'ch_1' }, { operationId: 'a', idempotencyKey: 'b' });
  // @ts-expect-error a raw write may move money
  payments.request({ method: 'POST', path: '/v1/payouts' });
  payments.request({ method: 'POST', path: '/v1/notes', movesMoney: false });
  payments.request({ method: 'POST', path: '/v1/payouts' }, by);
  payments.refunds.create({ charge_id: 'ch_1' }, { idempotencyKey: 'b', timeout: 5 });
  payments.customers.create({ first_name: 'Ada' });
});

test('limit and offset with starting_after does not compile', () => {
  // @ts-expect-error both forms of pagination
  payments.products.list({ limit: 10, offset: 0, starting_after: 'prod_1' });
  payments.products.list({ limit: 10, offset: 0 });
  payments.products.list({ limit: 10, starting_after: 'prod_1' });
  payments.products.list();
});

test('a typo does not compile', () => {
  // @ts-expect-error ammount
  payments.paymentIntents.create({ ammount: 1200, currency: 'usd' }, by);
  // @ts-expect-error metadatas
  payments.paymentIntents.create({ ...intent, metadatas: {} }, by);
  // @ts-expect-error operationID
  payments.paymentIntents.create(intent, { operationID: 'order-1' });
  // @ts-expect-error succes_url
  payments.checkoutSessions.create({ ...session, succes_url: 'https://shop.example' }, by);
  // @ts-expect-error ip_address
  payments.transact.sale({ ...sale, ip_address: '127.0.0.1' });
  // @ts-expect-error secretkey
  new PaymentsClient({ secretkey: 'sk_v1_test_1' });
  // @ts-expect-error a route that does not exist
  new PaymentsClient({ routes: { 'refunds.undo': 'POST /v1/refunds/{id}/undo' } });
  // @ts-expect-error a route without a verb
  new PaymentsClient({ routes: { 'refunds.retrieve': '/v1/refunds/{id}' } });
  // @ts-expect-error a field that no refund has
  payments.refunds.retrieve('rf_1').then((refund) => refund.sttus);
});

test('what contradicts itself does not compile', () => {
  // @ts-expect-error a refund of a charge and of an intent
  payments.refunds.create({ charge_id: 'ch_1', payment_intent_id: 'pi_1' }, by);
  // @ts-expect-error a refund of nothing
  payments.refunds.create({ amount: 5 }, by);
  // @ts-expect-error a token and a card
  payments.transact.sale({ ...sale, ccnumber: '4111111111111111', ccexp: '1229' });
  // @ts-expect-error a card without its expiry
  payments.transact.sale({ amount: '1.00', ccnumber: '4111111111111111' });
  // @ts-expect-error an amount as a number
  payments.transact.sale({ ...sale, amount: 12 });
  // @ts-expect-error the form endpoint has no keys
  payments.transact.sale(sale, { idempotencyKey: 'k' });
  // @ts-expect-error max is mandatory
  payments.products.list().toArray();
});

test('the runtime’s own fetch and console fit', () => {
  new PaymentsClient({ fetch: globalThis.fetch, logger: console });
  new PaymentsClient({ fetch: async (request) => new Response(request.url) });
});

test('a call gives its resource, with or without the response', () => {
  expectTypeOf(payments.paymentIntents.create(intent, by)).resolves.toEqualTypeOf<PaymentIntent>();
  expectTypeOf(payments.checkoutSessions.create(session, by)).resolves.toEqualTypeOf<CheckoutSession>();
  expectTypeOf(payments.refunds.retrieve('rf_1').withResponse()).resolves.toEqualTypeOf<
    WithResponse<Refund>
  >();
  expectTypeOf(payments.request({ method: 'GET', path: '/v1/x' })).resolves.toBeUnknown();
  expectTypeOf(payments.request({ method: 'GET', path: '/v1/x', parse: Number })).resolves.toBeNumber();
});

test('a list gives items, pages and arrays', async () => {
  const list = payments.products.list();
  for await (const product of list) expectTypeOf(product).toEqualTypeOf<UntypedResource>();
  for await (const page of list.pages()) expectTypeOf(page).toEqualTypeOf<Page<UntypedResource>>();
  expectTypeOf(list).resolves.toEqualTypeOf<Page<UntypedResource>>();
  expectTypeOf(list.toArray({ max: 5 })).resolves.toEqualTypeOf<UntypedResource[]>();
});

test('a transaction is approved or declined', async () => {
  const result: TransactionResult = await payments.transact.sale(sale);
  if (result.approved) expectTypeOf(result).toEqualTypeOf<ApprovedTransaction>();
  else expectTypeOf(result).toEqualTypeOf<DeclinedTransaction>();
});

test('a misspelt code of AVS or CVV does not compile, and one that is not listed may be named', () => {
  type Result = Awaited<ReturnType<typeof payments.transact.sale>>;
  const results: Result[] = [];
  for (const { avs, cvv } of results) {
    // @ts-expect-error no such code
    if (avs?.code === 'YY') return;
    // @ts-expect-error no such code
    if (cvv?.code === 'MM') return;
    if (avs?.code === 'Y' || cvv?.code === 'N' || avs?.code === unlisted('B')) return;
  }
});

test('a fake of a module can be written by hand', () => {
  const answered = <T>(data: T): ApiPromise<T> =>
    Object.assign(Promise.resolve(data), {
      withResponse: () => Promise.reject(new Error('This fake has no response.')),
    });
  const make = (refund: Refund): Pick<PaymentsClient['refunds'], 'create' | 'retrieve'> => ({
    create: () => answered(refund),
    retrieve: () => answered(refund),
  });
  expectTypeOf(make).toBeFunction();
});
