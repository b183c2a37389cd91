import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type Document, OpenAPIClientAxios } from 'openapi-client-axios';
import { describe, expect, it } from 'vitest';
import { writeApiIndex } from '../../scripts/reference/api-index.ts';
import { writeOpenApi } from '../../scripts/reference/openapi.ts';
import { bundlePages } from '../../scripts/reference/page-bundles.ts';
import { routes } from '../../src/resources/routes.ts';
import { bundles } from '../../src/sandbox/pages/bundles.ts';
import { startSandbox } from '../support/sandbox.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const document = JSON.parse(read('openapi.json'));

describe('what is generated', () => {
  it.each([
    ['docs/api.md', writeApiIndex],
    ['openapi.json', writeOpenApi],
  ])('(%s) is current; npm run generate makes it so', (path, write) => {
    expect(read(path) === write()).toBe(true);
  });
});

it('what the pages run is current; npm run generate makes it so', () => {
  // Compared unpacked, since another machine may pack the same in another way.
  expect(JSON.parse(gunzipSync(Buffer.from(bundles, 'base64')).toString())).toEqual(bundlePages());
});

describe('openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('has each method once, with its source', () => {
    const operations = Object.values<Record<string, Record<string, string>>>(document.paths).flatMap((path) =>
      Object.values(path),
    );
    const sources = Object.fromEntries(
      operations.map((operation) => [operation['operationId'], operation['x-source']]),
    );
    const expected = Object.entries(routes).map(([name, { source }]) => [name.replace('.', '_'), source]);
    expect(sources).toEqual({ ...Object.fromEntries(expected), transact_submit: 'shown' });
    expect(operations).toHaveLength(expected.length + 1);
  });

  it('makes a client, by a tool of others, that works against the sandbox', async () => {
    const sandbox = await startSandbox();
    const api = new OpenAPIClientAxios({
      definition: document as Document,
      withServer: { url: sandbox.url },
      axiosConfigDefaults: { headers: { authorization: `Bearer ${sandbox.secretKey}` } },
    });
    const client = await api.init();
    const call = async (operation: string, parameters: Record<string, string | number>, body?: unknown) => {
      const method = client[operation];
      if (method === undefined) throw new Error(`The client has no ${operation}.`);
      return (await method(parameters, body)).data;
    };

    const key = { 'Idempotency-Key': 'from-another-client' };
    const intent = await call('paymentIntents_create', key, { amount: 1200, currency: 'usd' });
    expect(intent).toMatchObject({ object: 'payment_intent', amount: 1200 });
    expect(await call('paymentIntents_create', key, { amount: 1200, currency: 'usd' })).toEqual(intent);
    sandbox.pay(intent.id);
    const refund = await call(
      'refunds_create',
      { 'Idempotency-Key': 'k-2' },
      { payment_intent_id: intent.id },
    );
    expect(await call('refunds_retrieve', { id: refund.id })).toEqual(refund);
    const customer = await call('customers_create', {}, { first_name: 'Ada' });
    expect(await call('customers_delete', { id: customer.id })).toMatchObject({ deleted: true });
    expect(await call('customers_restore', { id: customer.id })).toMatchObject({ deleted: false });
    expect(await call('paymentIntents_list', { limit: 1 })).toMatchObject({
      data: [{ id: intent.id }],
      has_more: false,
    });
    const form = new URLSearchParams({
      type: 'sale',
      amount: '12.00',
      payment_token: 'tok_1',
      security_key: sandbox.securityKey,
    });
    expect(await call('transact_submit', {}, form)).toContain('response=1&');
    form.set('security_key', 'another');
    expect(await call('transact_submit', {}, form)).toContain('response=3&');
  });

  it('asks for the credential of the form endpoint, and takes an idempotency key wherever something is posted', () => {
    const { requestBody } = document.paths['/api/transact.php'].post;
    for (const { schema } of Object.values<{ schema: { required: string[]; properties: object } }>(
      requestBody.content,
    )) {
      expect(schema.required).toContain('security_key');
      expect(schema.properties).toMatchObject({ security_key: { type: 'string', writeOnly: true } });
    }
    expect(document.components.parameters.idempotency_key.required).toBeUndefined();
    expect(document.components.parameters.idempotency_key.schema.maxLength).toBe(255);
    expect(document.components.parameters.limit.schema.default).toBe(20);
    const posts = Object.entries<{ post?: { responses: Record<string, object> } }>(document.paths).filter(
      ([path, { post }]) => post !== undefined && path.startsWith('/v1/'),
    );
    expect(posts.length).toBeGreaterThan(20);
    for (const [path, { post }] of posts) {
      expect(post?.responses[200], path).toMatchObject({ headers: { 'Idempotent-Replayed': {} } });
      expect(post?.responses['default'], path).toEqual({ $ref: '#/components/responses/refusal_of_a_key' });
    }
    for (const code of [
      ...['IDEMPOTENCY_KEY_TOO_LONG', 'IDEMPOTENCY_KEY_IN_PROGRESS', 'IDEMPOTENCY_BODY_MISMATCH'],
      ...['IDEMPOTENCY_ROUTE_CONFLICT', 'IDEMPOTENCY_STORE_UNAVAILABLE'],
    ]) {
      expect(document.components.responses.refusal_of_a_key.description).toContain(code);
    }
  });
});
