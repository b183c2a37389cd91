/** What came of each request of an order, in a word or two. */

import { expect, it, onTestFinished } from 'vitest';
import { makeOrder, moreOrders, troubledOrders } from '../../../test/support/troubled-orders.ts';
import { dashboardOf, record } from './support.ts';

const orders = [...troubledOrders, ...moreOrders];

/** Returns the requests of the log, each as a text. */
async function linesOf({ call }: Pick<ReturnType<typeof dashboardOf>, 'call'>) {
  const { body } = await call('requests?limit=50');
  const { data } = Object(body);
  return data.map(({ what, money, result }: Record<string, Record<string, unknown>>) =>
    [
      what,
      money === null ? '-' : `${money?.['amount']} ${money?.['currency']}`,
      result?.['mark'],
      result?.['text'],
    ].join(' '),
  );
}

it.each(['nested', 'flat', 'list', 'problem'] as const)(
  'has the code of a refusal in the shape %s',
  async (errorShape) => {
    const { sandbox, call } = await record({ interface: { errorShape } });
    await fetch(`${sandbox.url}/v1/refunds`, {
      headers: { authorization: `Bearer ${sandbox.secretKey}` },
      method: 'POST',
      body: '{}',
    });
    expect(await linesOf({ call })).toEqual(['refund - ✗ 415 UNSUPPORTED_MEDIA_TYPE']);
  },
);

it.each([
  [
    'order-100',
    'create 5500 USD ✓ created',
    'confirm 5500 USD ✗ reply lost (charged)',
    'create 5500 USD ↻ replayed',
    'confirm 5500 USD ↻ replayed',
  ],
  [
    'order-101',
    'create 2300 USD ✓ created',
    'confirm 2300 USD ✗ declined: insufficient funds',
    'retry 2300 USD ✓ charged',
  ],
  [
    'order-102',
    'create 8000 USD ✓ created',
    'confirm 8000 USD ✓ charged',
    'refund 3000 USD ✓ pending',
    'retry refund 3000 USD ✓ pending',
  ],
  [
    'order-236',
    'session 1200 USD ✓ created',
    'checkout 1200 USD ✗ 3-D Secure failed',
    'checkout 1200 USD ✓ charged',
  ],
  [
    'order-204',
    'create 4300 USD ✓ created',
    'confirm 4300 USD ✓ charged',
    'refund 4300 USD ✗ reply lost (pending)',
  ],
  ['order-219', 'sale 4999 USD ✗ reply lost (charged)', 'sale 4999 USD ✓ charged'],
  ['order-221', 'sale 4999 USD ✗ declined: insufficient funds'],
  ['order-222', 'sale 4999 USD ✓ charged', 'void 4999 USD ✓ canceled'],
  [
    'order-227',
    'session 1200 USD ✓ created',
    'GET /v1/subscriptions - ✓ 200',
    'cancel subscription 1200 USD ✓ canceled',
  ],
  ['order-231', 'create 3100 USD ✓ created', 'confirm 3100 USD ✓ authorized', 'capture 3100 USD ✓ charged'],
  ['order-232', 'create 3100 USD ✗ request lost'],
  ['order-233', 'create 3100 USD ✗ 502 (created)'],
  ['order-235', 'create 3100 JPY ✓ created', 'confirm 3100 JPY ✓ charged'],
])('%s', async (id, ...lines) => {
  const order = orders.find((one) => one.id === id);
  if (order === undefined) throw new Error(`Expected a known order, got '${id}'.`);
  const sandbox = await makeOrder(order);
  onTestFinished(() => sandbox.close());
  expect(await linesOf(dashboardOf(sandbox))).toEqual(lines);
});

it('names a refusal by its status and code, and a refused form by its text', async () => {
  const { payments, sandbox, call } = await record();
  const order = { operationId: 'order-1' };
  await payments.paymentIntents.create({ amount: 3100, currency: 'USD' }, order);
  await payments.paymentIntents.create({ amount: 4100, currency: 'USD' }, order).catch(() => undefined);
  sandbox.faults.inject({ kind: 'unavailable' });
  await payments.paymentIntents.create({ amount: 3100, currency: 'USD' }, order).catch(() => undefined);
  await payments.transact.void({ transactionid: '1' });
  await payments.paymentIntents.retrieve('pi_none').catch(() => undefined);
  expect(await linesOf({ call })).toEqual([
    'create 3100 USD ✓ created',
    'create 4100 USD ✗ 422 IDEMPOTENCY_BODY_MISMATCH',
    'create 3100 USD ✗ 503 SERVICE_UNAVAILABLE',
    expect.stringMatching(/^void - ✗ refused: .*transaction/),
    'GET /v1/payment_intents/pi_none - ✗ 404 OBJECT_NOT_FOUND',
  ]);
});
