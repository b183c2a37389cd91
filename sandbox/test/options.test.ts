import { ConfigurationError, PaymentsClient, PaymentsError, type ServiceInterface } from 'payments-client';
import { createSandbox, type SandboxOptions } from 'payments-client-sandbox';
import { expect, test } from 'vitest';

const startsAt = Date.UTC(2026, 0, 1);
const intent = { amount: 1200, currency: 'usd' };

function service(options: SandboxOptions) {
  const sandbox = createSandbox({ startsAt, ...options });
  const { url: baseUrl, secretKey, securityKey, fetch } = sandbox;
  const client = (more: { readonly secretKey?: string } = {}) =>
    new PaymentsClient({ baseUrl, secretKey, securityKey, fetch, maxRetries: 0, ...more });
  return { sandbox, client };
}

/** Runs every kind of method, and returns the results. */
async function business(options: SandboxOptions): Promise<unknown> {
  const { sandbox, client } = service({ seed: 'same ids', ...options });
  const payments = client();
  const { id } = await payments.paymentIntents.create(intent, { operationId: 'order-1' });
  const second = await payments.paymentIntents.create(intent, { operationId: 'order-2' });
  const again = await payments.paymentIntents.create(intent, { operationId: 'order-1' }).withResponse();
  const paid = sandbox.pay(id);
  const refund = await payments.refunds.create(
    { charge_id: paid.latest_charge_id ?? '', amount: 500 },
    { operationId: 'refund-1' },
  );
  const customer = await payments.customers.create({ email: 'ada@example.com' });
  const updated = await payments.customers.update(customer.id, { phone: '555' });
  const deleted = await payments.customers.delete(customer.id);
  const canceled = await payments.paymentIntents.cancel(second.id);
  for (let index = 0; index < 5; index += 1) sandbox.add('product', { name: `Tea ${index}` });
  const products = [];
  for await (const product of payments.products.list({ limit: 2 })) products.push(product);
  const offset = await payments.products.list({ limit: 2, offset: 3 });
  const keys = await payments.apiKeys.list();
  return {
    again: [again.data, again.response.idempotentReplayed],
    retrieved: await payments.paymentIntents.retrieve(id),
    objects: [refund, customer, updated, deleted, canceled],
    products,
    offset: [offset.items, offset.hasMore],
    keys: [keys.items, keys.hasMore],
  };
}

const itemsFields = ['data', 'items', 'results', 'entries', 'list'];

test.each(itemsFields)('the SDK finds the items of a page in `%s`', async (itemsField) => {
  expect(await business({ interface: { itemsField } })).toEqual(await business({}));
});

test('the SDK finds the items under the name of their collection', async () => {
  const { sandbox, client } = service({ interface: { itemsField: 'products' } });
  const { id } = sandbox.add('product');
  expect((await client().products.list()).items.map((product) => product.id)).toEqual([id]);
});

test.each(['whole', 'data', 'type'] as const)(
  'the SDK finds an object in the configured place: %s',
  async (objectPlace) => {
    expect(await business({ interface: { objectPlace } })).toEqual(await business({}));
  },
);

test('an object has the configured place, also in a replay, and a page is never wrapped', async () => {
  const { sandbox } = service({ interface: { objectPlace: 'type' } });
  const send = async (method: string, path: string) => {
    const headers = {
      authorization: `Bearer ${sandbox.secretKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'order-1',
    };
    const body = method === 'POST' ? JSON.stringify(intent) : null;
    return (await sandbox.fetch(new Request(sandbox.url + path, { method, headers, body }))).json();
  };
  const first: unknown = await send('POST', '/v1/payment_intents');
  expect(first).toMatchObject({ payment_intent: { object: 'payment_intent' } });
  expect(await send('POST', '/v1/payment_intents')).toEqual(first);
  expect(await send('GET', '/v1/payment_intents')).toMatchObject({ data: [{ object: 'payment_intent' }] });
});

async function failure(call: PromiseLike<unknown>): Promise<PaymentsError> {
  const error = await Promise.resolve(call).catch((reason: unknown) => reason);
  if (error instanceof PaymentsError) return error;
  throw new Error('expected a PaymentsError');
}

/** Returns every kind of error of the sandbox, as the SDK throws it. */
async function refusals(errorShape: ServiceInterface['errorShape']): Promise<readonly PaymentsError[]> {
  const { sandbox, client } = service({ interface: { errorShape } });
  const payments = client();
  const create = (amount: number) =>
    payments.paymentIntents.create({ amount, currency: 'usd' }, { idempotencyKey: 'order-1' });
  const { id } = await create(100);
  sandbox.pay(id);
  const errors = [
    await failure(client({ secretKey: 'sk_v1_test_wrong' }).products.list()),
    await failure(payments.refunds.retrieve('rf_1')),
    await failure(payments.paymentIntents.cancel(id)),
    await failure(create(200)),
    await failure(payments.refunds.create({ charge_id: 'ch_1' }, { idempotencyKey: 'order-1' })),
    await failure(payments.products.list({ starting_after: 'prod_1' })),
  ];
  for (const kind of ['rate_limit', 'unavailable'] as const) {
    sandbox.faults.inject({ kind });
    errors.push(await failure(payments.products.list()));
  }
  const hold = sandbox.faults.inject({ kind: 'hold' });
  const slow = payments.customers.create({}, { idempotencyKey: 'order-2' });
  const original = slow.then(() => undefined);
  await hold.reached;
  errors.push(await failure(payments.customers.create({}, { idempotencyKey: 'order-2' })));
  hold.release();
  await original;
  return errors;
}

function summary({ name, code, outcome }: PaymentsError): readonly unknown[] {
  return [name, code, outcome];
}

const expected = [
  ['AuthenticationError', 'INVALID_SECRET_KEY', 'not_executed'],
  ['NotFoundError', 'OBJECT_NOT_FOUND', 'not_executed'],
  ['ConflictError', 'INVALID_STATE_TRANSITION', 'not_executed'],
  ['IdempotencyBodyMismatchError', 'IDEMPOTENCY_BODY_MISMATCH', 'unknown'],
  ['IdempotencyRouteConflictError', 'IDEMPOTENCY_ROUTE_CONFLICT', 'unknown'],
  ['BadRequestError', 'INVALID_PARAMETER', 'not_executed'],
  ['RateLimitError', 'RATE_LIMITED', 'not_executed'],
  ['ServerError', 'SERVICE_UNAVAILABLE', 'not_executed'],
  ['IdempotencyKeyInProgressError', 'IDEMPOTENCY_KEY_IN_PROGRESS', 'unknown'],
];

test.each(['nested', 'flat', 'list', 'problem'] as const)(
  'the SDK reads codes and classes from errors of the shape `%s`',
  async (errorShape) => {
    expect((await refusals(errorShape)).map(summary)).toEqual(expected);
  },
);

// Any page may contain the word of a code, so a conflict without a field for it proves nothing.
test.each(['text', 'html'] as const)('the SDK trusts no conflict in the shape `%s`', async (errorShape) => {
  const cautious = expected.map(([name, code, outcome]) => [
    name,
    code,
    name === 'ConflictError' ? 'unknown' : outcome,
  ]);
  expect((await refusals(errorShape)).map(summary)).toEqual(cautious);
});

test.each<[ServiceInterface['errorShape'], string]>([
  ['nested', 'application/json'],
  ['flat', 'application/json'],
  ['list', 'application/json'],
  ['problem', 'application/problem+json'],
  ['text', 'text/plain; charset=utf-8'],
  ['html', 'text/html; charset=utf-8'],
])('an error of the shape `%s` has the content type %s and the reason', async (errorShape, type) => {
  const { sandbox } = service({ interface: { errorShape } });
  const headers = { authorization: `Bearer ${sandbox.secretKey}` };
  const response = await sandbox.fetch(new Request(`${sandbox.url}/v1/refunds/rf_<1>`, { headers }));
  expect([response.status, response.headers.get('content-type')]).toEqual([404, type]);
  expect(await response.text()).toContain('OBJECT_NOT_FOUND');
});

test('an HTML error page escapes its values', async () => {
  const { sandbox } = service({ interface: { errorShape: 'html' } });
  const headers = { authorization: `Bearer ${sandbox.secretKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ charge_id: '<script>alert(1)</script>' });
  const request = new Request(`${sandbox.url}/v1/refunds`, { method: 'POST', headers, body });
  const page = await (await sandbox.fetch(request)).text();
  expect(page).toContain('&lt;script&gt;');
  expect(page).not.toContain('<script>');
});

async function card(formResponse: ServiceInterface['formResponse']): Promise<unknown> {
  const { transact } = service({ seed: 'same ids', interface: { formResponse } }).client();
  const good = await transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const small = await transact.sale({ amount: '0.50', payment_token: 'tok_1' });
  const unknown = await transact.refund({ transactionid: '1', amount: '1.00' });
  return [good, small, unknown].map(({ approved, transactionid, avs, cvv, risk, responsetext }) => ({
    approved,
    transactionid,
    avs,
    cvv,
    risk,
    responsetext,
  }));
}

test.each(['unescaped', 'escaped', 'json'] as const)(
  'the SDK reads a form response that is %s',
  async (form) => {
    expect(await card(form)).toEqual(await card('unescaped'));
  },
);

test.each<[string, object]>([
  ['errorShape', { interface: { errorShape: 'xml' } }],
  ['objectPlace', { interface: { objectPlace: 'body' } }],
  ['itemsField', { interface: { itemsField: 'has_more' } }],
  ['itemsField', { interface: { itemsField: 'next_cursor' } }],
])('an invalid %s is rejected', (name, options) => {
  expect(() => createSandbox(options)).toThrow(new RegExp(name));
  expect(() => createSandbox(options)).toThrow(ConfigurationError);
});
