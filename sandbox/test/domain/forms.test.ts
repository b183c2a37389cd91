import { ConfigurationError, NotFoundError, type ServiceInterface } from 'payments-client';
import { standardWebhooks, Webhooks } from 'payments-client/webhooks';
import { createSandbox, openSandbox } from 'payments-client-sandbox';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../test/support/failure.ts';
import { clientOf, startSandbox } from '../../../test/support/sandbox.ts';
import { codeOf, json, overHttp, read } from '../../../test/support/sandbox-requests.ts';
import { temporaryFile } from '../../../test/support/temporary-file.ts';

const seconds = Date.UTC(2026, 0, 1) / 1000;

/** Starts a sandbox with these forms, a client with the same interface, and one without. */
async function service(forms: ServiceInterface) {
  const sandbox = await startSandbox({ interface: forms });
  const send = overHttp(sandbox);
  const get = (path: string) => send(path, json(sandbox));
  const plain = clientOf(sandbox, { maxRetries: 0 });
  return { sandbox, send, get, client: clientOf(sandbox, { interface: forms, maxRetries: 0 }), plain };
}

describe('routes', () => {
  const routes = {
    'refunds.retrieve': 'GET /v1/payments/refunds/{id}',
    'customers.update': 'PATCH /v1/customers/{id}',
    'customers.list': 'GET /v1/customers/all',
    'products.list': 'GET /v1/catalog',
  } as const;

  test('replace inferred and shown ones', async () => {
    const { sandbox, client, plain, get, send } = await service({ routes });
    const refund = sandbox.add('refund');
    const { id } = await client.customers.create({ email: 'ada@example.com' });
    expect((await client.refunds.retrieve(refund.id)).id).toBe(refund.id);
    expect((await client.customers.update(id, { phone: '555' })).phone).toBe('555');
    expect((await client.customers.list()).items.map((one) => one.id)).toEqual([id]);
    expect((await client.customers.retrieve(id)).id).toBe(id);
    expect((await client.products.list()).items).toEqual([]);

    expect((await failureOf(plain.refunds.retrieve(refund.id), NotFoundError)).message).toContain('inferred');
    expect((await failureOf(plain.products.list(), NotFoundError)).code).toBe('ROUTE_NOT_FOUND');
    const posted = await send(`/v1/customers/${id}`, json(sandbox, { body: { phone: '556' } }));
    expect([posted.status, await codeOf(posted)]).toEqual([404, 'ROUTE_NOT_FOUND']);
    expect((await get(`/v1/refunds/${refund.id}`)).status).toBe(404);
  });

  test('keep their names in faults and the request log', async () => {
    const { sandbox, client } = await service({ routes });
    sandbox.faults.inject({ kind: 'unavailable', operation: 'products.list' });
    await expect(client.products.list()).rejects.toMatchObject({ status: 503 });
    expect(sandbox.requests.map(({ operation, path }) => [operation, path])).toEqual([
      ['products.list', '/v1/catalog'],
    ]);
  });
});

describe('timestamps in milliseconds', () => {
  const forms = { timestamps: 'milliseconds' } as const;
  const ms = seconds * 1000;

  test('are converted in objects, pages and expanded objects, while the sandbox stores seconds', async () => {
    const { sandbox, client, get } = await service(forms);
    const session = await client.checkoutSessions.create(
      {
        mode: 'payment',
        success_url: 'https://shop.test/ok',
        cancel_url: 'https://shop.test/no',
        line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }],
      },
      { operationId: 'order-1' },
    );
    expect([session.created_at, session.expires_at, session.amount_total]).toEqual([
      ms,
      ms + 86_400_000,
      1200,
    ]);
    sandbox.pay(session.id);
    const { expanded } = await read(await get(`/v1/checkout/sessions/${session.id}/expand`));
    expect(expanded).toMatchObject({ payment_intent: { created_at: ms, amount: 1200 } });
    const { items } = await client.paymentIntents.list();
    expect(items.map((one) => one.created_at)).toEqual([ms]);
    expect(sandbox.get('checkout_session', session.id)?.created_at).toBe(seconds);
  });

  test('cover every timestamp of the interface', async () => {
    const { sandbox, client } = await service(forms);
    const note = sandbox.add('credit_note', { voided_at: seconds });
    const subscription = sandbox.add('subscription');
    const batch = sandbox.add('terminal_batch');
    expect(await client.creditNotes.retrieve(note.id)).toEqual({
      ...note,
      created: ms,
      effective_at: ms,
      voided_at: ms,
    });
    expect(await client.subscriptions.retrieve(subscription.id)).toEqual({
      ...subscription,
      created_at: ms,
      updated_at: ms,
      billing_cycle_anchor: ms,
      current_period_start: ms,
      current_period_end: subscription.current_period_end * 1000,
    });
    expect(await client.terminalBatches.retrieve(batch.id)).toEqual({
      ...batch,
      created_at: ms,
      updated_at: ms,
      opened_at: ms,
      closed_at: ms,
      data_as_of: ms,
      stale_after: batch.stale_after * 1000,
    });
  });

  test("leave the merchant's own fields unchanged", async () => {
    const { client } = await service(forms);
    const given = { released_at: 5, shelf: { created_at: 7 } };
    const product = await client.products.create(given);
    expect(product).toMatchObject({ ...given, created_at: ms, updated_at: ms });
  });

  test('are converted in event objects, not in the envelope', async () => {
    const { sandbox, client } = await service(forms);
    const bodies: unknown[] = [];
    sandbox.webhooks.deliverTo(async (request) => {
      bodies.push(await request.json());
      return new Response();
    });
    await client.customers.create({ email: 'ada@example.com' });
    await sandbox.settled();
    expect(bodies).toMatchObject([
      { created: new Date(ms).toISOString(), data: { object: { object: 'customer', created_at: ms } } },
    ]);
  });
});

describe('the response of a deletion', () => {
  test.each([
    ['object', 200, { object: 'customer', deleted: true }, { object: 'product', deleted: true }],
    ['confirmation', 200, { deleted: true }, { deleted: true }],
    ['empty', 204, undefined, undefined],
  ] as const)('is %s', async (deletion, status, ofCustomer, ofProduct) => {
    const { sandbox, client, send } = await service({ deletion });
    for (const [kind, path, expected] of [
      ['customer', '/v1/customers', ofCustomer],
      ['product', '/v1/products', ofProduct],
    ] as const) {
      const { id } = sandbox.add(kind);
      const response = await send(`${path}/${id}`, json(sandbox, { method: 'DELETE' }));
      expect(response.status).toBe(status);
      const text = await response.text();
      if (expected === undefined) expect(text).toBe('');
      else expect(JSON.parse(text)).toMatchObject({ id, ...expected });
      if (deletion === 'confirmation') expect(Object.keys(JSON.parse(text))).toEqual(['id', 'deleted']);
    }
    const { id } = await client.customers.create({});
    expect(await client.customers.delete(id)).toMatchObject({ id, deleted: true });
    expect((await client.customers.retrieve(id)).deleted).toBe(true);
  });

  test('without a body is not cut by a fault', async () => {
    const { sandbox, client } = await service({ deletion: 'empty' });
    const { id } = sandbox.add('product');
    sandbox.faults.inject({ kind: 'truncate_body' });
    expect(await client.products.delete(id)).toMatchObject({ id, deleted: true });
  });
});

test('the name of the request id header is configurable', async () => {
  const { client, plain, get } = await service({ requestIdHeader: 'X-Trace-Id' });
  const response = await get('/v1/products');
  expect(response.headers.get('x-trace-id')).toMatch(/^req_/);
  expect(response.headers.has('x-request-id')).toBe(false);
  expect((await client.products.list().withResponse()).response.requestId).toMatch(/^req_/);
  expect((await plain.products.list().withResponse()).response.requestId).toBeUndefined();
});

test('a limit above the maximum is rejected, and no default page is longer', async () => {
  const { sandbox, client, plain, get } = await service({ maxLimit: 5 });
  for (let count = 0; count < 7; count += 1) sandbox.add('product');
  const refused = await get('/v1/products?limit=6');
  expect([refused.status, await codeOf(refused)]).toEqual([400, 'INVALID_PARAMETER']);
  expect((await client.products.list({ limit: 5 })).items).toHaveLength(5);
  expect((await client.products.list()).items).toHaveLength(5);
  expect(await client.products.list().toArray({ max: 10 })).toHaveLength(7);
  expect((await client.products.list({ limit: 100, offset: 0 })).items).toHaveLength(7);
  await expect(plain.products.list({ limit: 6 })).rejects.toMatchObject({ status: 400 });
});

test('id prefixes are configurable', async () => {
  const idPrefixes = {
    product: 'item_',
    api_key: 'ak-',
    webhook_endpoint: 'hook_',
    account: 'a_',
    connection: 'c_',
    account_link: 'l_',
  };
  const { sandbox, client } = await service({ idPrefixes });
  expect((await client.products.create({})).id).toMatch(/^item_/);
  expect((await client.apiKeys.create({})).id).toMatch(/^ak-/);
  expect((await client.webhookEndpoints.create({})).id).toMatch(/^hook_/);
  expect((await client.accountLinks.create({})).id).toMatch(/^l_/);
  expect([sandbox.add('account').id, sandbox.add('connection').id]).toEqual([
    expect.stringMatching(/^a_/),
    expect.stringMatching(/^c_/),
  ]);
  expect((await client.customers.create({})).id).toMatch(/^cus_/);
});

const header = 'X-Signature';
type WebhookForm = NonNullable<ServiceInterface['webhooks']>;

const encodings = ['text', 'base64', 'hex'] as const;
const webhookForms: readonly WebhookForm[] = [
  { scheme: 'standardWebhooks' },
  { scheme: 'standardWebhooks', headerPrefix: 'shop' },
  { scheme: 'timestampedHmac', header, timestampField: 'ts', signatureField: 's' },
  ...encodings.map((secretEncoding) => ({ scheme: 'timestampedHmac', header, secretEncoding }) as const),
  { scheme: 'bodyHmac', header, encoding: 'base64' },
  ...encodings.map((secretEncoding) => ({ scheme: 'bodyHmac', header, secretEncoding }) as const),
];

test.each(webhookForms)('deliveries use the configured signature scheme: %j', async (webhooks) => {
  const { sandbox, client } = await service({ webhooks });
  const types: string[] = [];
  const endpoint = sandbox.webhooks.deliverTo(async (request) => {
    const { secret } = endpoint;
    const receiver = new Webhooks({ secret, interface: { webhooks } });
    types.push((await receiver.verify(await request.text(), request.headers)).type);
    return new Response();
  });
  sandbox.faults.inject({ kind: 'forge_delivery' });
  await client.customers.create({});
  await sandbox.settled();
  expect([types, sandbox.webhooks.deliveries()[0]?.status]).toEqual([[], 'pending']);
  await sandbox.clock.advance(60_000);
  expect([types, sandbox.webhooks.deliveries()[0]?.status]).toEqual([['customer.created'], 'delivered']);
  const secret = sandbox.webhooks.rotateSecret(endpoint.id);
  expect(() => new Webhooks({ secret, interface: { webhooks } })).not.toThrow();
});

test('the scheme option has precedence over the interface', async () => {
  const webhooks: WebhookForm = { scheme: 'bodyHmac', header, secretEncoding: 'hex' };
  const sandbox = createSandbox({ interface: { webhooks }, scheme: standardWebhooks() });
  let signed = false;
  sandbox.webhooks.deliverTo((request) => {
    signed = request.headers.has('webhook-signature') && !request.headers.has(header);
    return new Response();
  });
  sandbox.add('customer');
  await sandbox.settled();
  expect(signed).toBe(true);
});

test('forks and data files use the forms of their options, also from parsed JSON', async () => {
  const forms: Readonly<Record<string, unknown>> = JSON.parse(
    '{ "$schema": "https://example.com/schema.json", "version": 1, "itemsField": "rows" }',
  );
  const sandbox = await openSandbox(await temporaryFile(), { interface: forms });
  for (const one of [sandbox, sandbox.fork()]) {
    const response = await one.fetch(new Request(`${one.url}/v1/products`, json(one)));
    expect(await read(response)).toMatchObject({ rows: [] });
  }
  await sandbox.close();
});

test.each<[Readonly<Record<string, unknown>>, string]>([
  [JSON.parse('5'), 'createSandbox.interface: expected an object such as payments.interface.json has, got'],
  [{ itemField: 'rows' }, 'createSandbox.interface.itemField: expected a known name'],
  [{ routes: { 'refunds.retrive': 'GET /v1/r/{id}' } }, "(did you mean 'refunds.retrieve'?)."],
  [{ routes: { 'refunds.list': 'GET v1/r' } }, "createSandbox.interface.routes['refunds.list']: expected"],
  [{ routes: { 'refunds.retrieve': 'GET /v1/r' } }, 'a path with {id}, got a path with none.'],
  [{ routes: { 'refunds.retrieve': 'GET /v1/r/{id}:get' } }, 'whole segments, and no segment that begins'],
  [{ routes: 5 }, 'createSandbox.interface.routes: expected an object, got the number 5.'],
  [{ timestamps: 'days' }, "createSandbox.interface.timestamps: expected 'seconds' or 'milliseconds'"],
  [{ deletion: 'gone' }, 'createSandbox.interface.deletion: expected'],
  [{ maxLimit: 0 }, 'createSandbox.interface.maxLimit: expected an integer from 1'],
  [{ requestIdHeader: 'a b' }, 'createSandbox.interface.requestIdHeader: expected the name of a header'],
  [{ idPrefixes: { charge: 'c_' } }, 'createSandbox.interface.idPrefixes.charge: expected one of product,'],
  [{ formEncoding: 'xml' }, 'createSandbox.interface.formEncoding: expected'],
  [
    { webhooks: { scheme: 'bodyHmac' } },
    'createSandbox.interface.webhooks.header: expected the name of a header',
  ],
  [
    { webhooks: { scheme: 'timestampedHmac', header, signatureField: 't' } },
    'timestampedHmac.signatureField: expected a name other than',
  ],
  [{ version: 2 }, 'createSandbox.interface.version: expected'],
  [{ errorShape: 'xml' }, 'createSandbox.interface.errorShape: expected'],
  [{ objectPlace: 'body' }, 'createSandbox.interface.objectPlace: expected'],
  [{ formResponse: 'xml' }, 'createSandbox.interface.formResponse: expected'],
  [{ itemsField: 'has_more' }, 'createSandbox.interface.itemsField: expected'],
  [{ itemsField: 'next_cursor' }, 'createSandbox.interface.itemsField: expected'],
])('an invalid interface is rejected with the name of the field: %j', async (forms, message) => {
  expect(() => createSandbox({ interface: forms })).toThrow(ConfigurationError);
  expect(() => createSandbox({ interface: forms })).toThrow(message);
});

test("an endpoint's secret must have the scheme's encoding", () => {
  const webhooks: WebhookForm = { scheme: 'bodyHmac', header, secretEncoding: 'hex' };
  const url = 'http://localhost/hooks';
  const options = { interface: { webhooks }, webhooks: [{ url, secret: 'whsec_not_hex_at_all_but_long' }] };
  expect(() => createSandbox(options)).toThrow(
    /secret: expected a signing secret of the scheme, got one that is not hex/,
  );
});
