/** What all collections promise: objects are stored as they are shown, listed newest first, and found by their ids alone. */

import type { SandboxKind, SandboxOptions } from 'payments-client-sandbox';
import { describe, expect, test } from 'vitest';
import { everyCollection } from '../../../test/support/every-collection.ts';
import { parse } from '../../../test/support/parse.ts';
import {
  idOf,
  read,
  readPage,
  refusal,
  sessionParams,
  start,
} from '../../../test/support/sandbox-requests.ts';

const second = 1_767_225_600; // 2026-01-01T00:00:00Z

const pathOf = ({ plural }: { readonly plural: string }) =>
  `/v1/${plural === 'sessions' ? 'checkout/sessions' : plural}`;
const pathOfKind = (kind: SandboxKind) =>
  everyCollection.flatMap((one) => (one.object === kind ? [pathOf(one)] : []))[0] ?? '';

describe.each(everyCollection)('$name', (collection) => {
  const { object: kind } = collection;
  const path = pathOf(collection);

  test('retrieve and list an added object, with defaults for all fields, newest first', async () => {
    const { sandbox, request } = start();
    const [first, newest] = [sandbox.add(kind), sandbox.add(kind)];
    expect(parse(kind, first)).toMatchObject({ object: kind, livemode: false });
    expect(sandbox.get(kind, first.id)).toEqual(first);
    expect(await read(await request(`${path}/${first.id}`))).toEqual(first);
    const page = await readPage(await request(`${path}?limit=1`));
    expect(page).toEqual({ data: [newest], has_more: true, next_cursor: newest.id });
    const last = await readPage(await request(`${path}?limit=1&starting_after=${newest.id}`));
    expect(last).toEqual({ data: [first], has_more: false });
  });

  test('find no unknown object, and none of another kind', async () => {
    const { sandbox, request } = start();
    const other = sandbox.add(kind === 'product' ? 'price' : 'product').id;
    for (const id of ['nowhere', other])
      expect(await refusal(await request(`${path}/${id}`))).toEqual([404, 'OBJECT_NOT_FOUND']);
    expect((await request(`${path}?starting_after=${other}`)).status).toBe(400);
    expect(await read(await request(path))).toEqual({ data: [], has_more: false });
  });

  test('refuse an object of another type', () => {
    const { sandbox } = start();
    // `object` is any string for open kinds, so this needs a wider type.
    const wrong: object = { object: 'teapot' };
    expect(() => sandbox.add(kind, wrong)).toThrow(new RegExp(`^${kind}\\.object: `));
  });
});

/** What each creation needs. Its body is refused without it. */
const creations: Partial<Record<SandboxKind, (service: ReturnType<typeof start>) => object>> = {
  checkout_session: () => sessionParams(),
  payment_intent: () => ({ amount: 1200, currency: 'usd' }),
  refund: ({ sandbox }) => ({ payment_intent_id: sandbox.pay(sandbox.add('payment_intent').id).id }),
  customer: () => ({ email: 'ada@example.com' }),
  subscription: ({ sandbox }) => ({
    customer: sandbox.add('customer').id,
    items: [{ price: sandbox.add('price').id }],
  }),
  credit_note: ({ sandbox }) => ({ invoice: sandbox.add('invoice').id }),
  product: () => ({ name: 'Tea' }),
  price: () => ({ unit_amount: 900 }),
  payment_method: () => ({ type: 'card' }),
  terminal: () => ({ label: 'Bar' }),
  api_key: () => ({ name: 'CI' }),
  webhook_endpoint: () => ({ url: 'http://localhost:3000/hook' }),
  account_link: () => ({ external_reference: 'shop-7' }),
};

describe.each(Object.entries(creations))('the creation of a %s', (name, paramsOf) => {
  const kind = name as SandboxKind;
  const path = pathOfKind(kind);

  test('stores what it returns, once for a key, and its event is delivered', async () => {
    const service = start();
    const body = paramsOf(service);
    const told = service.sandbox.events.length;
    const created = await service.request(path, { body, key: 'order-1' });
    expect(created.status).toBe(200);
    const object = parse(kind, await created.clone().json());
    expect(await read(await service.request(`${path}/${object.id}`))).toEqual(object);
    const again = await service.request(path, { body, key: 'order-1' });
    expect([again.headers.get('idempotent-replayed'), await again.text()]).toEqual([
      'true',
      await created.text(),
    ]);
    const { data } = await readPage(await service.request(path));
    expect(data).toEqual([object]);
    const own = service.sandbox.events
      .slice(told)
      .filter(({ data: { object: one } }) => idOf({ ...one }) === object.id);
    expect(own.map(({ data: { object: one } }) => one)).toEqual(hasEvent(kind) ? [object] : []);
  });

  test.each([
    ['a list', '[]', 400, 'INVALID_PARAMETER'],
    ['no JSON', '{', 400, 'INVALID_JSON'],
  ])('refuses %s, and changes nothing', async (_, body, status, code) => {
    const { sandbox, request } = start();
    expect(await refusal(await request(path, { body, key: 'order-1' }))).toEqual([status, code]);
    expect(await read(await request(path))).toEqual({ data: [], has_more: false });
    expect(sandbox.events).toEqual([]);
  });
});

/** Whether the catalog has an event for a new object of the kind. */
const hasEvent = (kind: SandboxKind) =>
  ['checkout_session', 'payment_intent', 'refund', 'customer', 'subscription', 'credit_note'].includes(kind);

test('two sandboxes with one seed create the same objects for the same requests, and others without', async () => {
  const run = async (options?: SandboxOptions) => {
    const { post } = start(options);
    return [await post('/v1/checkout/sessions', sessionParams()), await post('/v1/products', {})];
  };
  expect(await run({ seed: 7 })).toEqual(await run({ seed: 7 }));
  const [session, again] = [await run(), await run()].map(([one]) => Object(one).id);
  expect(again).not.toBe(session);
});

const invalid = [400, 'INVALID_PARAMETER'] as const;
const unknown = [422, 'OBJECT_NOT_FOUND'] as const;
const line = { name: 'Tea', amount: 1, currency: 'usd', quantity: 1 };

/** A body with one wrong field for each rule: its route, the answer and the named parameter. */
const wrong: readonly (readonly [
  path: string,
  body: object,
  answer: readonly [number, string],
  param: string,
])[] = [
  ['checkout/sessions', { mode: 'gift' }, invalid, 'mode'],
  ['checkout/sessions', { mode: '' }, invalid, 'mode'],
  ['checkout/sessions', { line_items: [] }, invalid, 'line_items'],
  ['checkout/sessions', { line_items: null }, invalid, 'line_items'],
  ['checkout/sessions', { line_items: [{ ...line, amount: 12.5 }] }, invalid, 'line_items[0].amount'],
  ['checkout/sessions', { line_items: [{ ...line, currency: 'dollar' }] }, invalid, 'line_items[0].currency'],
  // The interface shows lower case here.
  ['checkout/sessions', { line_items: [{ ...line, currency: 'USD' }] }, invalid, 'line_items[0].currency'],
  ['checkout/sessions', { line_items: [line, { ...line, currency: 'eur' }] }, invalid, 'line_items'],
  ['checkout/sessions', { line_items: [{ ...line, amount: 2 ** 52, quantity: 4 }] }, invalid, 'line_items'],
  [
    'checkout/sessions',
    { collect_config: { require_phone: 'yes' } },
    invalid,
    'collect_config.require_phone',
  ],
  ['checkout/sessions', { metadata: { order: 1042 } }, invalid, 'metadata.order'],
  // A name may be a card number.
  ['checkout/sessions', { metadata: { '4111111111111111': 7 } }, invalid, 'metadata.[redacted]'],
  ['checkout/sessions', { customer: 'cus_nobody' }, unknown, 'customer'],
  ...[
    '',
    '/thanks',
    'thanks',
    '//shop.example/thanks',
    'shop.example/thanks',
    'shop://thanks',
    'javascript:0',
  ].flatMap((address) =>
    (['success_url', 'cancel_url'] as const).map(
      (param) => ['checkout/sessions', { [param]: address }, invalid, param] as const,
    ),
  ),
  ['payment_intents', { amount: 0 }, invalid, 'amount'],
  ['payment_intents', { amount: '1200' }, invalid, 'amount'],
  ['payment_intents', { amount: undefined }, invalid, 'amount'],
  ['payment_intents', { currency: 'us' }, invalid, 'currency'],
  ['payment_intents', { capture_method: 'later' }, invalid, 'capture_method'],
  ['payment_intents', { payment_method: 'card_1' }, invalid, 'payment_method'],
  ['payment_intents', { customer: 'cus_nobody' }, unknown, 'customer'],
  ['refunds', {}, invalid, 'body'],
  ['refunds', { payment_intent_id: null, charge_id: null }, invalid, 'body'],
  ['refunds', { payment_intent_id: 'pi_1', charge_id: 'ch_1' }, invalid, 'body'],
  ['refunds', { payment_intent_id: 'ch_1' }, invalid, 'payment_intent_id'],
  ['refunds', { payment_intent_id: 'pi_1', amount: '12' }, invalid, 'amount'],
  ['refunds', { payment_intent_id: 'pi_1', amount: 0 }, invalid, 'amount'],
  ['refunds', { payment_intent_id: 'pi_nowhere' }, unknown, 'payment_intent_id'],
  ['refunds', { charge_id: 'ch_nowhere' }, unknown, 'charge_id'],
  ['customers', { email: 7 }, invalid, 'email'],
  ['subscriptions', { customer: undefined }, invalid, 'customer'],
  ['subscriptions', { customer: 'cus_nobody' }, unknown, 'customer'],
  ['subscriptions', { items: [] }, invalid, 'items'],
  ['subscriptions', { items: [{ price: 'gold' }] }, invalid, 'items[0].price'],
  ['subscriptions', { items: [{ price: 'price_unknown' }] }, unknown, 'items'],
  ['subscriptions', { items: [{ price: 'price_gold', quantity: 0 }] }, invalid, 'items[0].quantity'],
  [
    'subscriptions',
    { items: [{ price: 'price_gold' }, { price: 'price_yen' }] },
    [422, 'CURRENCY_MISMATCH'],
    'items',
  ],
  ['subscriptions', { items: [{ price: 'price_half' }] }, [422, 'PRICE_INVALID'], 'items'],
  ['subscriptions', { collection_method: 'barter' }, invalid, 'collection_method'],
  ['subscriptions', { cancel_at_period_end: 'yes' }, invalid, 'cancel_at_period_end'],
  ['credit_notes', { invoice: undefined }, invalid, 'invoice'],
  ['credit_notes', { invoice: 'inv_nowhere' }, unknown, 'invoice'],
  ['credit_notes', { lines: [] }, invalid, 'lines'],
  ['credit_notes', { lines: [{}] }, invalid, 'lines[0].amount'],
  ['credit_notes', { lines: [{ quantity: 2 }] }, invalid, 'lines[0].amount'],
  ['credit_notes', { lines: [{ amount: -1 }] }, invalid, 'lines[0].amount'],
  ['credit_notes', { lines: [{ invoice_line_item: 'il_other' }] }, unknown, 'lines[0].invoice_line_item'],
];

test.each(wrong)(
  'POST /v1/%s with %j is refused by name, and changes nothing',
  async (path, body, answer, param) => {
    const { sandbox, request } = start();
    for (const [id, unit_amount, currency] of [
      ['price_gold', 1200, 'USD'],
      ['price_yen', 1200, 'jpy'],
      ['price_half', 0.5, 'USD'],
    ] as const)
      sandbox.add('price', { id, unit_amount, currency });
    const valid: Readonly<Record<string, object>> = {
      'checkout/sessions': sessionParams(),
      payment_intents: { amount: 1200, currency: 'usd' },
      subscriptions: { customer: sandbox.add('customer').id, items: [{ price: 'price_gold' }] },
      credit_notes: { invoice: sandbox.add('invoice').id },
    };
    const told = sandbox.events.length;
    const refused = await request(`/v1/${path}`, { body: { ...valid[path], ...body } });
    const [status, code] = answer;
    const { error } = await read(refused);
    expect([refused.status, error]).toMatchObject([status, { code, param, message: expect.any(String) }]);
    expect(JSON.stringify(error)).not.toContain('4111111111111111');
    if (path !== 'customers') expect((await readPage(await request(`/v1/${path}`))).data).toEqual([]);
    expect(sandbox.events).toHaveLength(told);
  },
);

test('a parameter that is null is a missing one', async () => {
  const { sandbox, post } = start();
  const nothing = { customer: null, locale: null, metadata: null, collect_config: null, cancel_url: null };
  const session = { customer: null, locale: null, metadata: {}, cancel_url: null };
  expect(await post('/v1/checkout/sessions', sessionParams(nothing))).toMatchObject(session);
  const { id } = sandbox.pay(sandbox.add('payment_intent').id);
  const refund = { payment_intent_id: id, charge_id: null, amount: null, reason: null };
  expect(await post('/v1/refunds', refund)).toMatchObject({ amount: 1200, reason: null });
  const items = [{ price: sandbox.add('price').id, quantity: null, metadata: null }];
  const customer = sandbox.add('customer').id;
  expect(await post('/v1/subscriptions', { customer, items })).toMatchObject({
    items: [{ quantity: 1, metadata: {} }],
  });
});

test('the clock of the sandbox dates new objects', async () => {
  const { sandbox, post } = start();
  await sandbox.clock.advance(5_999);
  expect(await post('/v1/customers', {})).toMatchObject({ created_at: second + 5, updated_at: second + 5 });
});
