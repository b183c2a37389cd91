/** Compares `openapi.json` with the tables of the interface. */

import { describe, expect, it } from 'vitest';
import { writeOpenApi } from '../../scripts/reference/openapi.ts';
import { type FieldRow, fieldTables, nestedTables } from '../support/field-tables.ts';
import { objectNames } from '../support/sample-objects.ts';
import events from './tables/events.json' with { type: 'json' };
import fraud from './tables/fraud.json' with { type: 'json' };
import wire from './tables/wire.json' with { type: 'json' };

const document = JSON.parse(await writeOpenApi());
const { schemas, parameters, responses } = document.components;

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly 'x-source'?: string;
  readonly 'x-inferred'?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly 'x-inferred-values'?: readonly string[];
}

interface Body {
  readonly content: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}

/** Returns the types that a schema allows. */
const typesOf = ({ type, anyOf = [] }: JsonSchema): readonly string[] =>
  [...new Set([...[type ?? []].flat(), ...anyOf.flatMap(typesOf)])].sort();

/** Returns the shown values that a schema lists. */
const valuesOf = (schema: JsonSchema): readonly string[] => [
  ...[schema.const ?? []].flat(),
  ...(schema.enum ?? []).filter((value) => schema['x-inferred-values']?.includes(value) !== true),
  ...(schema.anyOf ?? []).flatMap(valuesOf),
];

const types: Readonly<Record<FieldRow['type'], string>> = {
  string: 'string',
  integer: 'integer',
  boolean: 'boolean',
  object: 'object',
  metadata: 'object',
  'string[]': 'array',
  'object[]': 'array',
};

const expected = (rows: readonly FieldRow[]) =>
  Object.fromEntries(
    rows.map((row) => [
      row.field,
      {
        types: [types[row.type], ...(row.nullable ? ['null'] : [])].sort(),
        values: [row.literal ?? row.known ?? []].flat(),
        required: !row.optional,
        source: 'shown',
        inferred: row.inferred,
      },
    ]),
  );

const actual = ({ properties = {}, required = [] }: JsonSchema) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      {
        types: typesOf(field),
        values: valuesOf(field),
        required: required.includes(name),
        source: field['x-source'],
        inferred: field['x-inferred'] ?? [],
      },
    ]),
  );

describe.each(objectNames)('the schema of %s', (name) => {
  const schema: JsonSchema = schemas[name];

  it('has exactly the fields of the table', () => {
    expect(actual(schema)).toEqual(expected(fieldTables[name]));
  });

  it('contains objects with the fields of their tables', () => {
    for (const { field } of fieldTables[name]) {
      const inner = nestedTables[`${name}.${field}`];
      if (inner === undefined) continue;
      const property = schema.properties?.[field] ?? {};
      expect(actual(property.items ?? property), field).toEqual(expected(inner));
    }
  });
});

it.each(events.catalog)(
  'the webhook $type has the object $object and its operations',
  ({ type, object, operations }) => {
    const { schema } = document.webhooks[type].post.requestBody.content['application/json'];
    const [envelope, ownFields] = schema.allOf;
    expect(envelope).toEqual({ $ref: '#/components/schemas/event' });
    expect(ownFields.properties.data.properties.object.$ref).toBe(`#/components/schemas/${object}`);
    const [known] = ownFields.properties.operations.items.anyOf ?? [];
    expect(known?.enum ?? []).toEqual(operations.toSorted());
    expect([...schemas.event.required, ...ownFields.required].sort()).toEqual(
      events.envelope.map(({ name }) => name.replace('data.object', 'data')).sort(),
    );
    expect(document.webhooks[type].post['x-reserved']).toBe(
      events.reserved.includes(type) ? true : undefined,
    );
  },
);

it('the chargeback webhook has the fields of the interface', () => {
  const { schema } = document.webhooks['chargeback.received'].post.requestBody.content['application/json'];
  const [bareEvent] = schema.anyOf;
  expect(bareEvent.required.toSorted()).toEqual(events.chargeback.map(({ name }) => name).sort());
});

it('the shown operations are the endpoints of the interface', () => {
  const shown = Object.entries<Record<string, { readonly 'x-source'?: string }>>(document.paths).flatMap(
    ([path, operations]) =>
      Object.entries(operations)
        .filter(([, operation]) => operation['x-source'] === 'shown')
        .map(([method]) => ({ method: method.toUpperCase(), path })),
  );
  const endpoints = wire.endpoints.map(({ method, path }) => ({ method, path }));
  expect(shown).toHaveLength(endpoints.length);
  expect(shown).toEqual(expect.arrayContaining(endpoints));
});

const boundsOfRequests = ['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'format'];

/** Returns the bounds of shown parameters that are not marked as inferred, with their paths. */
function unmarkedIn(schema: JsonSchema, path: string): readonly string[] {
  const { properties = {}, items, oneOf = [] } = schema;
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    if (typeof field !== 'object' || field['x-source'] !== 'shown') return [];
    const bounds = Object.keys(field).filter((keyword) => boundsOfRequests.includes(keyword));
    const unmarked = bounds.filter((keyword) => field['x-inferred']?.includes(keyword) !== true);
    return [
      ...unmarked.map((keyword) => `${path}.${name} ${keyword}`),
      ...unmarkedIn(field, `${path}.${name}`),
    ];
  });
  const required = schema.required === undefined || schema['x-inferred']?.includes('required');
  return [
    ...(required ? [] : [`${path} required`]),
    ...fields,
    ...(items === undefined ? [] : unmarkedIn(items, `${path}[]`)),
    // The mark of the whole covers its branches.
    ...oneOf.flatMap((one) => unmarkedIn({ ...one, 'x-inferred': ['required'] }, path)),
  ];
}

it('marks each bound of a shown parameter, and which are required, as inferred', () => {
  const posts = Object.entries<{ readonly post?: { readonly requestBody?: Body } }>(document.paths);
  const bodies = posts.flatMap(([path, { post }]) => {
    const body = post?.requestBody?.content['application/json']?.schema;
    return body === undefined ? [] : [[path, body] as const];
  });
  expect(bodies.length).toBeGreaterThan(20);
  const { sale, other_transaction: other } = schemas;
  for (const [path, body] of [...bodies, ['sale', sale] as const, ['other', other] as const])
    expect(unmarkedIn(body, path)).toEqual([]);
});

it('the parameters have the names and the limits of the interface', () => {
  const { limit, keyLength } = wire.limits;
  expect(parameters.limit.schema).toEqual({
    type: 'integer',
    minimum: 1,
    'x-inferred': ['minimum'],
    'x-default-with-offset': limit.default,
    'x-maximum-with-offset': limit.maximum,
  });
  expect(parameters.offset.schema).toEqual({ type: 'integer', minimum: 0 });
  expect(parameters.idempotency_key).toMatchObject({
    name: wire.idempotency.requestHeader,
    schema: { maxLength: keyLength, 'x-inferred': ['minLength'] },
  });
  expect(['limit', 'offset', 'starting_after'].map((name) => parameters[name].name)).toEqual(
    wire.page.parameters,
  );
});

it.each(wire.idempotency.errors)('the error $code is listed under the status $status', ({ status, code }) => {
  const { $ref } = document.paths['/v1/refunds'].post.responses[status];
  const response = responses[$ref.split('/').at(-1)];
  expect(response['x-codes']).toContain(code);
  expect(response.description).toContain(code);
});

it('the form and its response have the fields of the interface', () => {
  const forms: readonly JsonSchema[] = [schemas.sale, ...schemas.sale.oneOf];
  const shown = forms.flatMap(({ properties }) =>
    Object.entries(properties ?? {}).flatMap(([name, field]) => (field['x-source'] === 'shown' ? name : [])),
  );
  expect(shown.sort()).toEqual([...fraud.parameters].sort());
  const { properties } = schemas.transaction_response;
  expect(Object.keys(properties)).toEqual(fraud.response);
  expect(valuesOf(properties.avsresponse)).toEqual(fraud.avs.map(({ code }) => code));
  expect(valuesOf(properties.cvvresponse)).toEqual(fraud.cvv.map(({ code }) => code));
  expect(valuesOf(properties.risk_decision)).toEqual(fraud.riskDecisions.map(({ code }) => code));
  expect(valuesOf(properties.response)).toEqual([fraud.approved]);
});
