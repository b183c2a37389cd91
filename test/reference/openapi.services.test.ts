import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { writeOpenApi } from '../../scripts/reference/openapi.ts';
import { idempotencyErrors } from '../../src/http/failure/api-errors.ts';
import { routes } from '../../src/resources/routes.ts';
import { catalogTypes } from '../support/event-catalog.ts';

const document = JSON.parse(await writeOpenApi());

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Returns every field of every schema, with its path. */
function fieldsIn(value: unknown, path = ''): readonly (readonly [path: string, field: Json])[] {
  if (!isJson(value)) return [];
  const { properties } = value;
  const own = isJson(properties) ? Object.entries(properties) : [];
  return [
    ...own.flatMap(([name, field]) => (isJson(field) ? [[`${path}.${name}`, field] as const] : [])),
    ...Object.entries(value).flatMap(([name, inner]) => fieldsIn(inner, `${path}.${name}`)),
  ];
}

const operationsIn = (paths: Readonly<Record<string, Readonly<Record<string, Json>>>>) =>
  Object.values(paths).flatMap((path) => Object.values(path));

const operations = operationsIn(document.paths);
const posts = Object.entries<{ post?: Json }>(document.paths).flatMap(([path, { post }]) =>
  post !== undefined && path.startsWith('/v1/') ? [[path, post] as const] : [],
);

it('is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

describe('operations', () => {
  it('are exactly the routes, the form endpoint and the script, each with its source', () => {
    const sources = Object.fromEntries(operations.map((one) => [one['operationId'], one['x-source']]));
    const expected = Object.entries(routes).map(([name, { source }]) => [name.replace('.', '_'), source]);
    expect(sources).toEqual({
      ...Object.fromEntries(expected),
      transact_submit: 'shown',
      gateway_script: 'shown',
    });
    expect(operations).toHaveLength(expected.length + 2);
  });

  it('have a summary, and a description on a line of its own', () => {
    for (const { operationId, summary, description } of operations) {
      expect(description, String(operationId)).toMatch(/^[A-Z`]/);
      expect(summary, String(operationId)).toMatch(/^[A-Z][^.()]{3,79}$/);
    }
    expect(new Set(operations.map(({ summary }) => summary)).size).toBe(operations.length);
  });

  it('have tags with descriptions', () => {
    const described = document.tags.map((tag: Json) => tag['name']);
    for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].*\.$/);
    const used = [...operations, ...operationsIn(document.webhooks)].flatMap(({ tags }) => tags);
    expect([...new Set(used)].sort()).toEqual(described.toSorted());
  });

  it('require a key and list the refusals of a key if they post', () => {
    expect(posts.length).toBeGreaterThan(20);
    for (const [path, post] of posts) {
      expect(post['parameters'], path).toContainEqual({ $ref: '#/components/parameters/idempotency_key' });
      expect(post['responses'], path).toMatchObject({
        200: { headers: { 'Idempotent-Replayed': {} } },
        400: { $ref: '#/components/responses/bad_request' },
        409: { $ref: '#/components/responses/conflict' },
        422: { $ref: '#/components/responses/unprocessable' },
        503: { $ref: '#/components/responses/unavailable' },
        default: { $ref: '#/components/responses/refusal' },
      });
    }
  });

  it('mark the body of every refusal as inferred, and list the shown codes', () => {
    const shown = [];
    for (const response of Object.values<Record<string, Json>>(document.components.responses)) {
      expect(response['content']?.['application/json']).toMatchObject({
        'x-source': 'inferred',
        schema: { $ref: '#/components/schemas/error' },
      });
      const codes = response['x-codes'];
      expect(response['x-source']).toBe(codes === undefined ? 'inferred' : 'shown');
      shown.push(...(Array.isArray(codes) ? codes : []));
    }
    expect(shown.sort()).toEqual([...idempotencyErrors.keys()].sort());
  });

  it('that list have a limit, whose default for keys and endpoints is the whole list', () => {
    const { limit, limit_or_all: limitOrAll } = document.components.parameters;
    expect(limit.schema).toMatchObject({ 'x-default-with-offset': 20, 'x-maximum-with-offset': 100 });
    expect(limit.schema).not.toHaveProperty('maximum');
    expect(limitOrAll.schema).not.toHaveProperty('x-default-with-offset');
    const whole = Object.entries<{ get?: Json }>(document.paths).filter(([, { get }]) =>
      JSON.stringify(get ?? {}).includes('limit_or_all'),
    );
    expect(whole.map(([path]) => path)).toEqual(['/v1/api_keys', '/v1/webhook_endpoints']);
  });
});

describe('schemas', () => {
  it('of components, parameters and requests have a description', () => {
    const bodies = posts.flatMap(([path, { requestBody }]) => {
      const content = isJson(requestBody) && isJson(requestBody['content']) ? requestBody['content'] : {};
      return Object.values(content).flatMap((type) =>
        isJson(type) ? [[path, type['schema']] as const] : [],
      );
    });
    const { schemas, parameters } = document.components;
    const inPaths = operations.flatMap(({ parameters: own }) => (Array.isArray(own) ? own : []));
    const own = inPaths.filter((one) => !('$ref' in one)).map((one) => [one.name, one] as const);
    expect(bodies.length).toBeGreaterThan(20);
    expect(own.length).toBeGreaterThan(20);
    for (const [name, schema] of [...Object.entries({ ...schemas, ...parameters }), ...bodies, ...own])
      expect(schema, name).toMatchObject({ description: expect.stringMatching(/^[A-Z`].*\.$/) });
  });
});

describe('fields', () => {
  const fields = fieldsIn(document);

  it('have a description and a source', () => {
    expect(fields.length).toBeGreaterThan(500);
    const bare = fields.filter(
      ([, field]) =>
        !['shown', 'inferred'].includes(String(field['x-source'])) || String(field['description']) === '',
    );
    expect(bare.map(([path]) => path)).toEqual([]);
  });

  it('have descriptions without markup and links', () => {
    const marked = fields.filter(([, { description }]) =>
      /\*(?:shown|inferred)\*|\{@/.test(String(description)),
    );
    expect(marked.map(([path]) => path)).toEqual([]);
  });

  it('list the known values of an enumeration, and allow others', () => {
    const { properties } = document.components.schemas.charge;
    expect(properties.status.anyOf).toEqual([
      { type: 'string', enum: ['succeeded', 'failed'], 'x-inferred-values': ['failed'] },
      { type: 'string' },
    ]);
    const closed = fields.filter(([, field]) => 'enum' in field);
    expect(closed.map(([path]) => path)).toEqual([]);
  });
});

describe('the form endpoint', () => {
  const { requestBody, responses } = document.paths['/api/transact.php'].post;
  const {
    transaction,
    sale,
    other_transaction: other,
    transaction_response: response,
  } = document.components.schemas;

  it('accepts a sale or another transaction, with the credential', () => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
      expect(requestBody.content[type].schema).toEqual({ $ref: '#/components/schemas/transaction' });
    expect(transaction.oneOf).toEqual([
      { $ref: '#/components/schemas/sale' },
      { $ref: '#/components/schemas/other_transaction' },
    ]);
    expect(sale.required).toEqual(['type', 'amount', 'security_key']);
    expect(other.required).toEqual(['type', 'security_key']);
    for (const { properties } of [sale, other])
      expect(properties.security_key).toMatchObject({ type: 'string', writeOnly: true });
  });

  it('responds in one of several encodings, because none is shown', () => {
    const { content } = responses[200];
    expect(Object.keys(content)).toEqual([
      'application/x-www-form-urlencoded',
      'application/json',
      'text/html',
    ]);
    for (const type of Object.values(content)) expect(type).toMatchObject({ 'x-source': 'inferred' });
    expect(response.required).toEqual(['response']);
  });
});

describe('webhooks', () => {
  it('are the known event types', () => {
    expect(Object.keys(document.webhooks)).toEqual([
      ...catalogTypes,
      'account.created',
      'connection.created',
      'connection.activated',
      'account.updated',
      'chargeback.received',
    ]);
  });

  it('mark the reserved type', () => {
    const reserved = Object.entries<{ post: Json }>(document.webhooks).filter(
      ([, { post }]) => post['x-reserved'],
    );
    expect(reserved.map(([type]) => type)).toEqual(['payment_intent.requires_action']);
  });
});
