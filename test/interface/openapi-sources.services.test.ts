/** Compares each `x-source` of `openapi.json`, and the mark of its description, with the tables of the interface. */

import { expect, it } from 'vitest';
import { writeOpenApi } from '../../scripts/reference/openapi.ts';
import { fieldTables, nestedTables } from '../support/field-tables.ts';
import { objectNames } from '../support/sample-objects.ts';
import events from './tables/events.json' with { type: 'json' };
import fraud from './tables/fraud.json' with { type: 'json' };
import wire from './tables/wire.json' with { type: 'json' };

const document = JSON.parse(await writeOpenApi());

interface Item {
  readonly path: readonly string[];
  readonly source: string;
  readonly description?: string;
}

/** Returns every part of the document that has a source. */
function itemsIn(value: unknown, path: readonly string[]): readonly Item[] {
  if (typeof value !== 'object' || value === null) return [];
  const { 'x-source': source, description }: { 'x-source'?: unknown; description?: string } = value;
  const inner = Object.entries(value).flatMap(([key, one]) => itemsIn(one, [...path, key]));
  // The field may also be the name of a property.
  return typeof source === 'string'
    ? [{ path, source, ...(description && { description }) }, ...inner]
    : inner;
}

const items = itemsIn(document, []);
const envelope = [...events.envelope.map(({ name }) => name.replace('data.object', 'data')), 'object'];
// A chargeback notification need not have the others.
const envelopeOfChargeback = ['type', 'created', 'data', 'object', 'operations'];
const snapshot = [...events.connect.snapshot, ...events.connect.others].map((name) =>
  name.replace('data.object.', ''),
);
const eventTypes = [
  ...events.catalog.map(({ type }) => type),
  ...events.connect.types,
  'chargeback.received',
];
const namesOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
const sessionFields = [...namesOf(wire.sessionRequest.fields), ...namesOf(wire.sessionRequest.lineItem)];
const everyResource = ['id', 'object', 'livemode'];

const schemaRows: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    objectNames.map((name) => [
      name,
      [
        ...fieldTables[name],
        ...fieldTables[name].flatMap(({ field }) => nestedTables[`${name}.${field}`] ?? []),
      ].map(({ field }) => field),
    ]),
  ),
  sale: fraud.parameters,
  other_transaction: fraud.parameters,
  transaction_response: fraud.response,
  event: envelope,
  error: [],
  deletion: [],
};

function isRow([room = '', owner = '', kind = '', ...rest]: readonly string[]): boolean {
  const name = rest.at(-1) ?? kind;
  if (room === 'paths') {
    if (rest.length === 0)
      return wire.endpoints.some(({ method, path }) => path === owner && method === kind.toUpperCase());
    if (rest[0] === 'responses') return wire.page.fields.includes(name);
    return (
      owner === '/v1/checkout/sessions' && sessionFields.includes(name) && !rest.includes('collect_config')
    );
  }
  if (room === 'webhooks') {
    if (rest.length === 0) return eventTypes.includes(owner);
    if (owner === 'chargeback.received')
      return [...namesOf(events.chargeback), '0', ...envelopeOfChargeback].includes(name);
    return [...envelope, ...snapshot].includes(name) && !(rest.includes('object') && name === 'id');
  }
  if (owner === 'schemas') return (schemaRows[kind] ?? everyResource).includes(name);
  if (owner === 'parameters')
    return [...wire.page.parameters, 'limit_or_all', 'idempotency_key'].includes(name);
  if (owner === 'responses')
    return rest.length === 0 && document.components.responses[kind]['x-codes'] !== undefined;
  return owner === 'headers' && kind === 'idempotent_replayed';
}

it('x-source is shown for what has a row, and for nothing else', () => {
  expect(items.length).toBeGreaterThan(700);
  expect(items.filter(({ path, source }) => (source === 'shown') !== isRow(path))).toEqual([]);
});

it('x-source is that of the description', () => {
  const marked = items.flatMap(({ path, source, description = '' }) => {
    const [, mark] = /\((shown|inferred)\b/.exec(description) ?? [];
    return mark === undefined ? [] : [{ path, source, mark, description }];
  });
  expect(marked.length).toBeGreaterThan(300);
  expect(marked.filter(({ source, mark }) => source !== mark)).toEqual([]);
});
