/** Reaches inside: the names of the resources whose states are known are no public type.
 *
 * The field tables of the service's interface, completed with the SDK's inferences. They come from the text of the
 * interface, not from the schemas, so that a test can compare both.
 */

import type { StatefulObject } from '../../src/resources/transitions.ts';
import resources from '../interface/tables/resources.json' with { type: 'json' };
import wire from '../interface/tables/wire.json' with { type: 'json' };

/** The resources whose fields the interface lists. */
export type ObjectName = StatefulObject;

/** `metadata` is an object of strings; only a nested table describes the fields of another `object`. */
export type FieldType = 'string' | 'integer' | 'boolean' | 'object' | 'metadata' | 'string[]' | 'object[]';

export interface FieldRow {
  readonly field: string;
  readonly type: FieldType;
  /** Whether the row allows null. */
  readonly nullable: boolean;
  /** Whether it is only sometimes present. */
  readonly optional: boolean;
  /** Which of the two the SDK infers, since the row does not say it. */
  readonly inferred: readonly ('optional' | 'null')[];
  /** The prefix of an id, or of a list of ids. */
  readonly prefix?: string;
  /** The values of an enumeration that occur. There may be others. */
  readonly known?: readonly string[];
  /** The only possible value of a type name. */
  readonly literal?: string;
}

/** A row of the interface. Properties that it does not show are absent. */
interface ShownField {
  readonly name: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly optional?: boolean;
  readonly prefix?: string;
  readonly values?: readonly string[];
  readonly fields?: readonly ShownField[];
}

const types: Readonly<Record<string, FieldType>> = {
  string: 'string',
  integer: 'integer',
  boolean: 'boolean',
  object: 'object',
  array: 'object[]',
  'array of string': 'string[]',
};

/** The types of fields inside other objects, which the interface shows elsewhere or not at all. */
const inferredTypes: Readonly<Record<string, FieldType>> = {
  quantity: 'integer',
  unit_amount: 'integer',
  amount: 'integer',
  tax: 'integer',
  livemode: 'boolean',
  metadata: 'metadata',
};

/** The kinds of ids in fields: the interface shows each kind's prefix, but rarely next to the field. */
const inferredKinds: Readonly<Record<string, string>> = {
  customer: 'customer',
  merchant_id: 'merchant',
  invoice: 'invoice',
  price: 'price',
  payment_intent_id: 'payment_intent',
  payment_intent: 'payment_intent',
  intent_id: 'payment_intent',
  payment_method: 'payment_method',
  collection_payment_method_id: 'payment_method',
  latest_charge_id: 'charge',
  charge_id: 'charge',
  invoice_line_item: 'invoice_line',
  terminal_id: 'terminal',
  terminal_ids: 'terminal',
  settlement_batch_id: 'terminal_batch',
  settlement_profile_id: 'settlement_profile',
  'checkout_session.line_items.id': 'checkout_line_item',
  'invoice.lines.id': 'invoice_line',
  'subscription.items.id': 'subscription_item',
  'credit_note.lines.id': 'credit_note_line',
};

/** Fields without a note in the interface that cannot always be present: an open invoice has no payment time. */
const inferredOptional: readonly string[] = ['invoice.paid_at'];

/** Id prefixes by object kind. */
export const idPrefixes: ReadonlyMap<string, string> = new Map(
  wire.idPrefixes.map(({ kind, prefix }) => [kind, prefix]),
);

function prefixOf({ name, prefix }: ShownField, parent: string): string | undefined {
  return prefix ?? idPrefixes.get(inferredKinds[`${parent}.${name}`] ?? inferredKinds[name] ?? '');
}

function typeOf({ name, type }: ShownField): FieldType {
  if (name === 'metadata') return 'metadata';
  return types[type ?? ''] ?? inferredTypes[name] ?? 'string';
}

function toRow(field: ShownField, parent: string): FieldRow {
  const { name, values } = field;
  const prefix = prefixOf(field, parent);
  const optional = field.optional === true || inferredOptional.includes(`${parent}.${name}`);
  const [literal = ''] = values ?? [];
  return {
    field: name,
    type: typeOf(field),
    optional,
    // The interface does not say whether an absent optional field may be null, so both are accepted.
    nullable: field.nullable === true || optional,
    inferred: [
      ...(optional && field.optional !== true ? (['optional'] as const) : []),
      ...(optional && field.nullable !== true ? (['null'] as const) : []),
    ],
    ...(prefix !== undefined && { prefix }),
    ...(values !== undefined && (name === 'object' ? { literal } : { known: values })),
  };
}

/** The fields of every resource, by the general conventions. */
const common = (name: string): readonly ShownField[] => [
  { name: 'object', type: 'string', values: [name] },
  { name: 'livemode', type: 'boolean' },
];

const shown: readonly { readonly name: string; readonly fields: readonly ShownField[] }[] = resources;

function fieldsOf(name: ObjectName): readonly ShownField[] {
  const fields = shown.find((resource) => resource.name === name)?.fields;
  if (fields === undefined) throw new Error(`The interface has no table of ${name}.`);
  return fields;
}

function tableOf(name: ObjectName): readonly FieldRow[] {
  const own = fieldsOf(name).filter((field) => field.name !== 'object');
  return [...common(name), ...own].map((field) => toRow(field, name));
}

export const fieldTables: Readonly<Record<ObjectName, readonly FieldRow[]>> = {
  checkout_session: tableOf('checkout_session'),
  payment_intent: tableOf('payment_intent'),
  charge: tableOf('charge'),
  refund: tableOf('refund'),
  invoice: tableOf('invoice'),
  subscription: tableOf('subscription'),
  credit_note: tableOf('credit_note'),
  customer: tableOf('customer'),
  terminal_batch: tableOf('terminal_batch'),
};

/** The tables of nested objects, by resource and field. They have no `object` unless the row says so. */
export const nestedTables: Readonly<Record<string, readonly FieldRow[]>> = Object.fromEntries(
  shown.flatMap(({ name, fields }) =>
    fields.flatMap((field) => {
      const parent = `${name}.${field.name}`;
      return field.fields === undefined ? [] : [[parent, field.fields.map((one) => toRow(one, parent))]];
    }),
  ),
);
