import { expect, test } from 'vitest';
import { start } from './support.ts';

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly href: string;
}

async function world() {
  // The tests look for digits that no id may contain, so the ids are always the same.
  const service = start({ seed: 'search' });
  const { sandbox, payments, call } = service;
  const ada = sandbox.add('customer', { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' });
  const intent = await payments.paymentIntents.create(
    { amount: 5500, currency: 'usd', customer: ada.id },
    { operationId: 'order 100' },
  );
  sandbox.pay(intent.id);
  sandbox.webhooks.deliverTo('http://localhost:1/hooks', { events: ['refund.created'] });
  const refund = sandbox.add('refund', { amount: 550 });
  const sale = await payments.transact.sale({ amount: '55.00', payment_token: 'tok_1', orderid: 'order 7' });
  const find = async (q: string, limit = 10): Promise<readonly Found[]> =>
    (await call(`search?limit=${limit}&q=${encodeURIComponent(q)}`)).body.data;
  const kinds = async (q: string) => (await find(q)).map(({ kind }) => kind);
  return { ...service, ada, intent, refund, sale, find, kinds };
}

test('finds objects by id, id prefix, operation id, e-mail address and name', async () => {
  const { ada, intent, sale, find, kinds } = await world();
  expect(await find(ada.id)).toMatchObject([
    { kind: 'customer', id: ada.id, title: 'Ada Lovelace', href: `#/objects/customer/${ada.id}` },
  ]);
  expect((await find(intent.id.slice(0, 12)))[0]).toMatchObject({
    kind: 'payment_intent',
    id: intent.id,
    title: '$55.00 payment intent',
    detail: expect.stringContaining('succeeded'),
  });
  expect(await find('order 100')).toMatchObject([
    { id: intent.id, detail: expect.stringMatching(/^order 100 · pi_/) },
  ]);
  expect(await find('order 7')).toMatchObject([{ kind: 'transaction', id: sale.transactionid }]);
  expect((await find('ADA@example'))[0]).toMatchObject({ id: ada.id, detail: `${ada.id} · ada@example.com` });
  expect((await find('lovelace'))[0]).toMatchObject({ id: ada.id });
  expect(await kinds('nobody')).toEqual([]);
});

test.each(['55', '55.00', '$55', '55.0', ' $55.00 '])('finds the amount %s', async (amount) => {
  const { kinds } = await world();
  const found = await kinds(amount);
  expect(found).toEqual(expect.arrayContaining(['payment_intent', 'charge', 'transaction']));
  expect(found).not.toContain('refund');
});

test('finds events and deliveries', async () => {
  const { sandbox, refund, find, kinds } = await world();
  const [delivery] = sandbox.webhooks.deliveries();
  if (delivery === undefined) throw new Error('expected a delivery');
  const event = delivery.eventId;
  expect(await find(event)).toMatchObject([
    { kind: 'event', title: 'refund.created', href: `#/activity/${event}` },
  ]);
  expect(await find(delivery.id)).toMatchObject([{ kind: 'delivery', href: `#/activity/${event}` }]);
  expect(await kinds('refund.created')).toEqual(['event']);
  expect(await kinds('localhost:1/hooks')).toEqual(['webhook_endpoint', 'delivery']);
  expect((await find(refund.id))[0]).toMatchObject({ kind: 'refund', title: '$5.50 refund' });
});

test('finds nothing without a text, and at most the limit', async () => {
  const { call, find } = await world();
  expect((await call('search')).body).toEqual({ data: [] });
  expect((await call('search?q=%20')).body).toEqual({ data: [] });
  expect(await find('_', 3)).toHaveLength(3);
  expect((await call('search?q=a&limit=1000')).body.error.param).toBe('limit');
});
