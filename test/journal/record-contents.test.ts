/** A call whose parameters look as if they held a card: what its record keeps, what its repeat gets, and that it is sent unchanged. */

import {
  OperationMismatchError,
  OperationUnresolvedError,
  PaymentsError,
  ServerError,
  type WithOperationId,
} from 'payments-client';
import { createJournal, type JournalOptions } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json, text } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import { listOpen, options, recorded } from './shop.ts';

const service = useScriptedService();
const start = (journal: Partial<JournalOptions> = {}) =>
  service.createClient({
    repeats: 'recorded',
    extraParameters: { 'refunds.create': ['metadata'] },
    journal: createJournal({ store: memoryStore(), ...journal }),
  });

const failed = () => json({}, { status: 500 });
/** The number of an order, which may be that of a card. */
const orderNumber = '4716083927506181';
const intent = { amount: 1200, currency: 'usd', metadata: { order: orderNumber } };
const refundOf = (metadata: object) => anything({ charge_id: 'ch_1', metadata });
const sale = { amount: '12.00', payment_token: 'tok_1', order_description: `for ${orderNumber}` };

describe('a call with such a number in its metadata', () => {
  it('is sent as it is, and its repeat gets the result', async () => {
    const payments = start();
    service.answers(json({ id: 'pi_1', metadata: intent.metadata }));
    const { data } = await payments
      .request({ method: 'POST', path: '/v1/payment_intents', body: intent }, options)
      .withResponse();
    expect(data).toEqual({ id: 'pi_1', metadata: intent.metadata });
    expect(service.arrivals[0]?.body).toContain(`"order":"${orderNumber}"`);
    const again = payments.request({ method: 'POST', path: '/v1/payment_intents', body: intent }, options);
    expect(await again).toEqual(recorded({ id: 'pi_1', metadata: { order: '[card-6181-masked]' } }));
    expect(service.arrivals).toHaveLength(1);
  });

  it('is masked if it is a number of which digits are lost', async () => {
    const store = memoryStore();
    const payments = start({ store });
    service.answers(failed());
    const params = refundOf({ order: Number('6304917082640395711') });
    await failureOf(payments.refunds.create(params, options), ServerError);
    expect(await listOpen(payments)).toMatchObject([{ digestOnly: 'card_data' }]);
    const { data = '' } = await store.claim('operation/pc1:refunds.create:order-1042', 1);
    expect(data).not.toContain('6304917');
  });

  it('is not resumed, says why, and is sent by the call itself', async () => {
    const payments = start();
    service.answers(failed(), json({ ...sampleRefund, id: 'rf_9' }));
    const params = refundOf({ order: orderNumber });
    await failureOf(payments.refunds.create(params, options), ServerError);
    const [open] = await listOpen(payments);
    expect(open).toMatchObject({ state: 'unknown', digestOnly: 'card_data' });
    const error = await failureOf(open?.resume() ?? Promise.resolve(), OperationUnresolvedError);
    expect(error.message).toMatch(
      /with their digest alone, since they hold card data\. Nothing was sent: repeat the call itself/,
    );
    expect(service.arrivals).toHaveLength(1);
    expect(await payments.refunds.create(params, options)).toMatchObject({ id: 'rf_9' });
    const [first, second] = service.arrivals.map(({ body, headers }) => [
      body,
      headers.get('idempotency-key'),
    ]);
    expect(second).toEqual(first);
    expect(await listOpen(payments)).toEqual([]);
  });

  it.each([
    ['another number', { order: '5555555555554444' }],
    ['no number', { order: '1042' }],
    ['another field', { order: orderNumber, more: '1' }],
  ])('is another operation with %s', async (_what, metadata) => {
    const payments = start();
    service.answers(json(sampleRefund));
    const params = refundOf({ order: orderNumber });
    await payments.refunds.create(params, options);
    const error = await failureOf(
      payments.refunds.create(refundOf(metadata), options),
      OperationMismatchError,
    );
    expect(error).toMatchObject({ outcome: 'executed', differences: [] });
    expect(service.arrivals).toHaveLength(1);
  });

  it('can be planned, and is sent by the call itself', async () => {
    const payments = start();
    const params = refundOf({ order: orderNumber });
    await payments.journal.plan().refunds.create(params, options);
    const [open] = await listOpen(payments);
    expect(open).toMatchObject({ state: 'planned', digestOnly: 'card_data' });
    await failureOf(open?.resume() ?? Promise.resolve(), OperationUnresolvedError);
    service.answers(json(sampleRefund));
    expect(await payments.refunds.create(params, options)).toEqual(sampleRefund);
    expect(await listOpen(payments)).toEqual([]);
  });
});

describe('a digest', () => {
  /** Returns the digest of a call. */
  async function digestOf(
    call: (payments: ReturnType<typeof start>, by: WithOperationId) => PromiseLike<unknown>,
  ) {
    const store = memoryStore();
    service.answers(failed());
    await failureOf(call(start({ store }), options), PaymentsError);
    const { claims } = await store.open({ space: 'operation', limit: 2 });
    return /"digest":"([\da-f]{64})"/.exec(claims[0]?.data ?? '')?.[1] ?? expect.fail('there is none');
  }

  // All are valid, and end alike.
  const numbers = [orderNumber, '4111111110086181', '4111111110166181'];

  it.each<[what: string, call: (number: string) => Parameters<typeof digestOf>[0]]>([
    ['metadata', (note) => (p, by) => p.refunds.create(refundOf({ note }), by)],
    ['a path', (n) => (p, by) => p.request({ method: 'POST', path: `/v1/cards/${n}/pay` }, by)],
    ['a query', (n) => (p, by) => p.request({ method: 'POST', path: '/v1/pay', query: { n } }, by)],
    ['a text of a sale', (n) => (p, by) => p.transact.sale({ ...sale, order_description: `card ${n}` }, by)],
    ['a payment token', (n) => (p, by) => p.transact.sale({ amount: '12.00', payment_token: n }, by)],
    ['a card', (n) => (p, by) => p.transact.sale({ amount: '12.00', ccnumber: n, ccexp: '1230' }, by)],
  ])(
    'of %s is the same for all numbers with the same last digits, so that none can be tried',
    async (_what, callWith) => {
      const digests: string[] = [];
      for (const number of numbers) digests.push(await digestOf(callWith(number)));
      expect(new Set(digests).size).toBe(1);
      expect(digests).not.toContain(await digestOf(callWith('5555555555554444')));
    },
  );
});

describe('a sale with card data beyond its card fields', () => {
  const byCard = { amount: '12.00', ccnumber: '4111111111111111', ccexp: '1230', orderid: orderNumber };

  it('is recorded by its digest, with an id that looks like a card', async () => {
    const payments = start();
    service.answers(failed());
    const track_1 = `%B${orderNumber}^DOE/JOHN^30121010000?`;
    await failureOf(payments.transact.submit({ type: 'sale', ...byCard, track_1 }, options), ServerError);
    const lookUp = { amount: '12.00', ccnumber: '************1111', orderid: orderNumber };
    expect(await listOpen(payments)).toMatchObject([{ digestOnly: 'card_data', lookUp }]);
  });

  it('keeps its other fields, if it has none', async () => {
    const payments = start();
    service.answers(failed());
    await failureOf(payments.transact.sale(byCard, options), ServerError);
    expect(await listOpen(payments)).toMatchObject([{ digestOnly: undefined }]);
    const again = payments.transact.sale({ ...byCard, ccnumber: '5555555555554444' }, options);
    expect(await failureOf(again, OperationMismatchError)).toMatchObject({ differences: ['ccnumber'] });
  });

  it('gets its result again, with the ids of the service', async () => {
    const payments = start();
    service.answers(
      text(`response=1&transactionid=${orderNumber}&orderid=${orderNumber}&note=a+${orderNumber}+b`),
    );
    const first = await payments.transact.sale(sale, options);
    expect(first).toMatchObject({ transactionid: orderNumber, fields: { note: `a ${orderNumber} b` } });
    const again = await payments.transact.sale(sale, options);
    const fields = { orderid: orderNumber, note: 'a [card-6181-masked] b' };
    expect(again).toMatchObject({ approved: true, transactionid: orderNumber, fields });
  });

  it('has no number of the call in its result, whatever the brand', async () => {
    const store = memoryStore();
    const payments = start({ store });
    const ccnumber = '990000000000000002';
    service.answers(text(`{"response":1,"transactionid":7,"card":"9900-0000-0000-0000-02","n":${ccnumber}}`));
    await payments.transact.sale({ ...byCard, ccnumber }, options);
    const { data = '' } = await store.claim('operation/pc1:transact.sale:order-1042', 1);
    expect(data.match(/\[card-0002-masked\]/g)).toHaveLength(2);
    expect(data.replace(/\D/g, '')).not.toContain(ccnumber);
  });
});

it('an operation whose record is a digest by the option says so', async () => {
  const payments = start({ contents: 'digest' });
  service.answers(failed());
  await failureOf(payments.refunds.create(refundOf({ order: orderNumber }), options), ServerError);
  expect(await listOpen(payments)).toMatchObject([{ digestOnly: 'contents' }]);
});

it.each(['1042', '9', ''])(
  'the own card of a sale is kept by no field, behind %j and before it',
  async (other) => {
    const store = memoryStore();
    const payments = start({ store });
    service.answers(text('response=1&transactionid=7'));
    const [ccnumber, twice] = ['4111111111111111', `${other}4111111111111111${other}4111111111111111`];
    const card = { amount: '12.00', ccnumber, ccexp: '1230' };
    await payments.transact.sale({ ...card, ponumber: `${other}${ccnumber}`, company: twice }, options);
    const { data = '' } = await store.claim('operation/pc1:transact.sale:order-1042', 1);
    expect(data).toContain('"withheld":"card_data"');
    expect(data).not.toContain(ccnumber);
    expect(service.arrivals[0]?.body).toContain(`ponumber=${other}${ccnumber}`);
  },
);

it('two requests of one id to two paths are two operations', async () => {
  const payments = start();
  service.answers(json({ id: 'po_1' }), json({ id: 'po_2' }));
  for (const path of ['/v1/payouts', '/v1/topups'])
    await payments.request({ method: 'POST', path, body: {} }, options);
  expect(service.arrivals).toHaveLength(2);
});

it('a request with a card in its path is listed by its masked path, and settled by what is listed', async () => {
  const payments = start();
  service.answers(failed(), json({ id: 'po_2' }));
  const request = { method: 'POST', path: `/v1/cards/${orderNumber}/pay` } as const;
  await failureOf(payments.request(request, options), ServerError);
  const [open] = await listOpen(payments);
  expect(open).toMatchObject({ operation: 'POST /v1/cards/[redacted]/pay', digestOnly: 'card_data' });
  await payments.journal.settle(options.operationId, {
    operation: open?.operation ?? '',
    outcome: 'executed',
    result: { id: 'po_1' },
  });
  expect(await payments.request(request, options)).toEqual(recorded({ id: 'po_1' }));
  const other = { ...request, path: '/v1/cards/5555555555554444/pay' };
  await failureOf(payments.request(other, options), OperationMismatchError);
  expect(service.arrivals).toHaveLength(1);
});
