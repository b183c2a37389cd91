import { ConnectionError, ResponseValidationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { paymentIntent } from '../support/fixtures.ts';
import { brokenConnection, createClient, json, text, useMockService } from '../support/mock-service.ts';
import { listOpen, options, params } from './shop.ts';

const service = useMockService();
const start = () => createClient({ maxRetries: 0, journal: { store: memoryStore() } });
const payout = { method: 'POST', path: '/v1/payouts', body: { amount: 5 } } as const;
const noContent = () => new Response(null, { status: 204 });

it('records the empty body of a request as its result', async () => {
  const payments = start();
  service.answers(noContent());
  expect(await payments.request(payout, options)).toBeUndefined();
  expect(await listOpen(payments)).toEqual([]);
  const { data, response } = await payments.request(payout, options).withResponse();
  expect(data).toBeUndefined();
  expect(response).toMatchObject({ fromJournal: true, status: 204 });
  expect(service.arrivals).toHaveLength(1);
});

it('closes a resumed request that gets an empty body', async () => {
  const payments = start();
  service.answers(brokenConnection(), noContent());
  await failureOf(payments.request(payout, options), ConnectionError);
  const [operation] = await listOpen(payments);
  expect(await operation?.resume()).toBeUndefined();
  expect(await listOpen(payments)).toEqual([]);
});

it.each([
  ['an empty body', noContent],
  ['the JSON of a proxy', () => json({ status: 'ok', error: {} })],
])(
  'keeps a method open that gets %s in place of its object, also when it is resumed',
  async (_what, answer) => {
    const payments = start();
    service.answers(answer(), answer(), json({ data: paymentIntent }));
    await failureOf(payments.paymentIntents.create(params, options), ResponseValidationError);
    const [operation] = await listOpen(payments);
    expect(operation).toMatchObject({ state: 'unknown' });
    await failureOf(Promise.resolve(operation?.resume()), ResponseValidationError);
    expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
    expect(await operation?.resume()).toEqual({ data: paymentIntent });
    expect(await listOpen(payments)).toEqual([]);
  },
);

it('keeps a request open whose response is not UTF-8', async () => {
  const payments = start();
  service.answers(new Response(new Uint8Array([0x22, 0xff, 0x22])), json('paid'));
  await failureOf(payments.request(payout, options), ResponseValidationError);
  expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
  expect(await payments.request(payout, options)).toBe('paid');
});

it('keeps a sale open whose response ends early', async () => {
  const fetch = async () => text('response=1&responsetext=OK', { headers: { 'content-length': '99' } });
  const payments = createClient({ fetch, journal: { store: memoryStore() } });
  const sale = payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' }, options);
  expect((await failureOf(sale, ResponseValidationError)).outcome).toBe('unknown');
  expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
});
