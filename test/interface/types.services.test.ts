/** Compares the types of the SDK, as the compiler resolves them, with the tables of the interface. */

import { describe, expect, it } from 'vitest';
import { type Field, fieldsOf } from '../../scripts/reference/source-types.ts';
import { type FieldRow, fieldTables, nestedTables } from '../support/field-tables.ts';
import { objectNames } from '../support/sample-objects.ts';
import browser from './tables/browser.json' with { type: 'json' };
import events from './tables/events.json' with { type: 'json' };
import fraud from './tables/fraud.json' with { type: 'json' };
import wire from './tables/wire.json' with { type: 'json' };

const types: Readonly<Record<FieldRow['type'], Field['type']>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
  object: 'object',
  metadata: 'object',
  'string[]': 'array',
  'object[]': 'array',
} as const;

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);

/** Returns what the table says about a field of a type. */
const expected = (rows: readonly FieldRow[]) =>
  rows
    .map((row) => ({
      name: row.field,
      type: types[row.type],
      optional: row.optional,
      nullable: row.nullable,
      readonly: true,
      prefix: row.prefix,
      shownValues: [row.literal ?? row.known ?? []].flat(),
      source: 'shown',
      isSometimesPresent: row.optional && !row.inferred.includes('optional'),
    }))
    .sort(byName);

/** Returns what the type says about its fields. */
const actual = (fields: readonly Field[]) =>
  fields
    .map(({ values, inferredValues, description: _, fields: __, ...field }) => ({
      ...field,
      shownValues: values.filter((value) => !inferredValues.includes(value)),
    }))
    .sort(byName);

/** Returns the field with a name. */
function fieldOf(fields: readonly Field[], name: string): Field {
  const field = fields.find((one) => one.name === name);
  if (field === undefined) throw new Error(`There is no field '${name}'.`);
  return field;
}

const namesOf = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name).sort();

const shownNames = (fields: readonly Field[]) => namesOf(fields.filter(({ source }) => source === 'shown'));

const resources = fieldsOf('src/resources/resource-types.ts', 'Resources');

describe.each(objectNames)('the type of %s', (name) => {
  const { fields } = fieldOf(resources, name);

  it('has exactly the fields of the table', () => {
    expect(actual(fields)).toEqual(expected(fieldTables[name]));
  });

  it('contains objects with the fields of their tables', () => {
    for (const row of fieldTables[name]) {
      const inner = nestedTables[`${name}.${row.field}`] ?? [];
      expect(actual(fieldOf(fields, row.field).fields), row.field).toEqual(expected(inner));
    }
  });
});

describe('the event types', () => {
  const types = fieldsOf('src/webhooks/events/event.ts', 'WebhookEventMap');
  const envelope = events.envelope.map(({ name }) => name.replace('data.object', 'data')).sort();

  it.each(events.catalog)(
    '$type has the envelope and the operations of the interface',
    ({ type, operations }) => {
      const { fields } = fieldOf(types, type);
      expect(shownNames(fields)).toEqual(envelope);
      expect(fields).toHaveLength(envelope.length);
      expect(fieldOf(fields, 'operations').values).toEqual(operations.toSorted());
      expect(fieldOf(fields, 'id').prefix).toBe('evt_');
      expect(fieldOf(fields, 'type').values).toEqual([type]);
    },
  );

  it.each(events.connect.types)('%s has the snapshot of the interface', (type) => {
    const { fields } = fieldOf(types, type);
    expect(shownNames(fields)).toEqual(envelope);
    const [content] = fieldOf(fields, 'data').fields;
    expect(shownNames(content?.fields ?? [])).toEqual(
      ['object', 'livemode', ...events.connect.snapshot, ...events.connect.others]
        .map((name) => name.replace('data.object.', ''))
        .sort(),
    );
    const scope = fieldOf(content?.fields ?? [], 'version_scope');
    expect([...scope.values, `${scope.prefix}<application_id>`].sort()).toEqual(
      events.connect.scopes.toSorted(),
    );
  });

  it('have the fields of a chargeback', () => {
    const fields = fieldsOf('src/webhooks/events/chargeback.ts', 'Chargeback');
    expect(shownNames(fields)).toEqual(namesOf(events.chargeback));
    expect(fields.map(({ type: kind }) => kind)).toEqual(events.chargeback.map(() => 'string'));
    expect(fieldOf(fields, 'event').values).toEqual(['chargeback.received']);
  });

  it('are exactly those of the interface, and the inferred one of account updates', () => {
    const shown = [...events.catalog.map(({ type }) => type), ...events.connect.types, 'chargeback.received'];
    expect(namesOf(types)).toEqual([...shown, 'account.updated'].sort());
  });
});

describe('the types of parameters', () => {
  it('of the form endpoint have the fields of the interface', () => {
    const fields = fieldsOf('src/transact/params.ts', 'SaleParams');
    // `type` comes from the method, the SDK adds the credential, and `threeDSecure` replaces four fields.
    const own = [...shownNames(fields).filter((name) => name !== 'threeDSecure'), 'type', 'security_key'];
    expect(own.sort()).toEqual([...fraud.parameters].sort());
  });

  it('of a new session have the fields of the interface', () => {
    const fields = fieldsOf('src/resources/objects/checkout-sessions.ts', 'CheckoutSessionCreateParams');
    expect(shownNames(fields)).toEqual(namesOf(wire.sessionRequest.fields));
    const line = fieldOf(fields, 'line_items').fields;
    expect(shownNames(line)).toEqual(namesOf(wire.sessionRequest.lineItem));
    expect(line).toHaveLength(wire.sessionRequest.lineItem.length);
  });
});

describe('the types of browser scripts', () => {
  const { gateway } = browser;
  const names = (type: string) => namesOf(fieldsOf('src/browser/gateway.ts', type));

  it('have the names of the interface', () => {
    expect(names('GatewayOptions')).toEqual(expect.arrayContaining(gateway.create));
    expect(names('Risk')).toEqual([gateway.risk.method]);
    expect(names('ThreeDSecure')).toEqual([gateway.threeDSecure.method, 'configure'].sort());
    expect(names('ThreeDSecureOrder')).toEqual([...gateway.threeDSecure.configure].sort());
    const { fields: address } = fieldOf(
      fieldsOf('src/browser/gateway.ts', 'ThreeDSecureOrder'),
      'billingAddress',
    );
    expect(namesOf(address)).toEqual([...gateway.threeDSecure.billingAddress].sort());
    expect(names('ThreeDSecureResult')).toEqual([...gateway.threeDSecure.result].sort());
  });
});
