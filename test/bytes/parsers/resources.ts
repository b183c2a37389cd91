/**
 * Objects in responses. The rules come from the interface's tables of fields, not from the schemas, so that each
 * input compares both.
 */

import { type PaymentsClient, ResponseValidationError, type RouteName } from 'payments-client';
import { expect } from 'vitest';
import { type CollectionCase, everyCollection } from '../../support/every-collection.ts';
import { everyMethod } from '../../support/every-method.ts';
import { type FieldRow, fieldTables, idPrefixes, nestedTables } from '../../support/field-tables.ts';
import { changed, objectNames, validObject } from '../../support/sample-objects.ts';
import type { Parser } from '../parser.ts';
import {
  controlCharacter,
  endingOf,
  type Fields,
  isFields,
  newOperation,
  parsed,
  scriptedService,
  secretKey,
} from '../service.ts';
import { words } from '../words.ts';

const service = scriptedService();

const nameOf = (object: string) => objectNames.find((one) => one === object);

const always = { nullable: false, optional: false, inferred: [] } as const;

/** The fields of a collection; of one whose fields the interface does not list, what every resource has. */
function tableOf(object: string): readonly FieldRow[] {
  const name = nameOf(object);
  if (name !== undefined) return fieldTables[name];
  const prefix = idPrefixes.get(object);
  return [
    { field: 'id', type: 'string', ...always, ...(prefix !== undefined && { prefix }) },
    { field: 'object', type: 'string', ...always },
    { field: 'livemode', type: 'boolean', ...always },
  ];
}

function isText({ literal, prefix }: FieldRow, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return literal === undefined ? value.startsWith(prefix ?? '') : value === literal;
}

/** Returns the paths of everything that a row does not allow in a value. */
function itemFlaws(row: FieldRow, inner: readonly FieldRow[], value: unknown, at: string): string[] {
  switch (row.type) {
    case 'string':
    case 'string[]':
      return isText(row, value) ? [] : [at];
    case 'integer':
      return Number.isSafeInteger(value) ? [] : [at];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [at];
    case 'metadata':
      if (!isFields(value)) return [at];
      return Object.entries(value).flatMap(([name, note]) =>
        typeof note === 'string' ? [] : [`${at}.${name}`],
      );
    case 'object':
    case 'object[]':
      return isFields(value)
        ? inner.flatMap((one) => rowFlaws(one, [], value[one.field], `${at}.${one.field}`))
        : [at];
  }
}

function rowFlaws(row: FieldRow, inner: readonly FieldRow[], value: unknown, at: string): string[] {
  if (value === undefined) return row.optional ? [] : [at];
  if (value === null) return row.nullable ? [] : [at];
  if (!row.type.endsWith('[]')) return itemFlaws(row, inner, value, at);
  if (!Array.isArray(value)) return [at];
  return value.flatMap((item, index) => itemFlaws(row, inner, item, `${at}[${index}]`));
}

/** Returns the violations of a collection's table by an object. */
function flawsOf({ object }: CollectionCase, value: unknown, parent = ''): string[] {
  if (!isFields(value)) return [parent === '' ? '(root)' : parent.slice(0, -1)];
  const flaws = tableOf(object).flatMap((row) =>
    rowFlaws(row, nestedTables[`${object}.${row.field}`] ?? [], value[row.field], `${parent}${row.field}`),
  );
  // The key is a test key.
  return value['livemode'] === true ? [`${parent}livemode`, ...flaws] : flaws;
}

/** Returns the object of a body: alone, or in an envelope. */
function unwrapped({ object }: CollectionCase, body: unknown): unknown {
  if (!isFields(body) || Object.hasOwn(body, 'id')) return body;
  const inner = ['data', object].map((name) => (Object.hasOwn(body, name) ? body[name] : undefined));
  return inner.find((one) => isFields(one) && Object.hasOwn(one, 'id')) ?? body;
}

/** Compares two values that were parsed from JSON, at any depth. */
const expectSame = (value: unknown, expected: unknown) =>
  expect(JSON.stringify(value)).toBe(JSON.stringify(expected));

/** Formats a path like the SDK: names come from outside, and may forge a line or contain a card number. */
const shown = (path: string) => path.replaceAll(/[\r\n]+/g, ' ').replace('4111111111111111', '[redacted]');

function expectRefusal(error: unknown, outcome: string, paths: readonly string[]): void {
  if (!(error instanceof ResponseValidationError)) throw error;
  expect(error.outcome).toBe(outcome);
  expect(error.issues.map(({ path }) => path).sort()).toEqual(paths.map(shown).sort());
  expect(error.message).not.toMatch(controlCharacter);
  expect(error.message).not.toContain(secretKey);
}

const strict = service.client({ validation: 'throw' });
const lenient = [service.client({ validation: 'off' }), service.client({ validation: 'warn' })];

const isRoute = (name: string): name is RouteName => Object.hasOwn(everyMethod, name);

/** Creates an object, if the collection has a method for that. */
function created({ name }: CollectionCase, payments: PaymentsClient): PromiseLike<unknown> | undefined {
  const route = `${name}.create`;
  return isRoute(route) ? everyMethod[route](payments, newOperation()) : undefined;
}

/** What a 2xx proves about a write: a body that is not JSON may come from anywhere. */
function outcomeOf(body: Uint8Array): 'executed' | 'unknown' {
  const begins = /^[\s\uFEFF]*[[{]/.test(new TextDecoder().decode(body));
  return parsed(body) !== undefined || begins ? 'executed' : 'unknown';
}

/** Judges a page of a valid object and this one. */
async function checkPage(collection: CollectionCase, item: unknown): Promise<void> {
  const first = { ...wholeObject(collection), id: `${idPrefixes.get(collection.object) ?? 'x_'}first` };
  service.answers(() => ({ body: JSON.stringify({ data: [first, item], has_more: false }) }));
  const ending = await endingOf(collection.of(strict).list());
  const flaws = flawsOf(collection, item, 'data[1].');
  if ('value' in ending) expectSame([Object(ending.value).items, flaws], [[first, item], []]);
  else expectRefusal(ending.error, 'not_an_operation', flaws);
}

/** An input names its collection. */
function collectionOf(bytes: Buffer): CollectionCase {
  const [, object] = /"object": ?"(\w+)"/.exec(bytes.toString('latin1')) ?? [];
  const found =
    everyCollection.find((one) => one.object === object) ??
    everyCollection.find((one) => one.object === 'refund');
  if (found === undefined) throw new Error('expected a collection of refunds');
  return found;
}

/** Compares what each method makes of a body with the tables. */
async function judge(body: Buffer): Promise<string> {
  const collection = collectionOf(body);
  service.answers(() => ({ body }));
  const json = parsed(body);
  const object = unwrapped(collection, json);
  const flaws = json === undefined ? ['(root)'] : flawsOf(collection, object);
  const read = (payments: PaymentsClient) => collection.of(payments).retrieve(collection.id);
  const calls = [
    { outcome: 'not_an_operation', call: read(strict) },
    { outcome: outcomeOf(body), call: created(collection, strict) },
  ];
  for (const { outcome, call } of calls) {
    if (call === undefined) continue;
    const ending = await endingOf(call);
    if ('error' in ending) expectRefusal(ending.error, outcome, flaws);
    else expectSame([ending.value, flaws], [object, []]);
  }
  if (json !== undefined) {
    for (const payments of lenient) expectSame(await read(payments), object);
    await checkPage(collection, json);
  }
  return flaws.length === 0 ? 'given' : `refused, ${outcomeOf(body)}`;
}

function wholeObject({ object, id }: CollectionCase): Fields {
  const name = nameOf(object);
  return name === undefined ? { id, object, livemode: false } : validObject(name);
}

const refund = validObject('refund');
const refundText = JSON.stringify(refund);
/** A refund with further fields. Of two fields with the same name, the later one counts. */
const refundWith = (fields: string) => `${refundText.slice(0, -1)},${fields}}`;
const refundsWith = (...fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, refundWith(field)]));
const customerWith = (metadata: string) =>
  JSON.stringify(validObject('customer')).replace('{"order":"1042"}', metadata);

export const resources: Parser = {
  name: 'the parser of objects',
  promise: 'a successful charge is never reported as a failed one, and a new field or value breaks no caller',
  corpus: {
    given: {
      ...Object.fromEntries(
        everyCollection.map((one) => [one.name, JSON.stringify(wholeObject(one), null, 2)]),
      ),
      product: '{"id":"prod_1","object":"product","livemode":false,"anything":{"deep":[1]}}',
      'byte order mark': `\uFEFF${refundText}`,
      'in data': `{"data":${refundText}}`,
      'under its name': `{"refund":${refundText}}`,
      'later status': JSON.stringify(changed('refund', ['status'], 'on_its_way')),
      'deep field': refundWith(`"later":${'['.repeat(500)}${']'.repeat(500)}`),
      'names of prototypes': refundWith(
        '"__proto__":{"polluted":true,"then":1},"constructor":{"prototype":{}}',
      ),
      'names of prototypes in metadata': customerWith('{"__proto__":"x","constructor":"y"}'),
      ...refundsWith(
        ...words('"amount":9007199254740991 "amount":1.2e3 "amount":1200.0 "amount":-0 "amount":700'),
        ...words('"later":9007199254740993,"huge":1e400 "currency":"\\ud83c" "currency":"a\\u0000b"'),
        ...words('"currency":"\\r\\n\\u001b[31m" "currency":"\u202egnp.exe"'),
      ),
    },
    'refused, executed': {
      'bare list': `[${refundText}]`,
      'cut short': refundText.slice(0, 120),
      'cut after an object': `${refundText}{`,
      'object and NUL': `${refundText}\0`,
      'object and comment': `${refundText} //`,
      deep: `${'['.repeat(3000)}${']'.repeat(3000)}`,
      'fields of the prototype': `{"id":"rf_1","object":"refund","__proto__":${refundText}}`,
      'live, to a test key': JSON.stringify({ ...refund, livemode: true }),
      'another kind': JSON.stringify({ ...refund, id: 'ch_1' }),
      'not UTF-8': Buffer.from(refundWith('"note":"ÿþ"'), 'latin1'),
      'UTF-16': Buffer.from(refundText, 'utf16le'),
      null: 'null',
      number: '42',
      'metadata of numbers': customerWith('{"order":7}'),
      'metadata with a line break': customerWith('{"order\\nERROR forged":7}'),
      ...refundsWith(
        ...words('"amount":"1200" "amount":1e999 "amount":-1e400 "amount":0.1 "amount":12.000000000000001'),
        ...words(
          '"amount":9007199254740993 "amount":01 "amount":+1 "amount":1. "amount":0x10 "x":NaN "x":Infinity',
        ),
        ...words('"x":\'a\' "x":"\\x41" "x":"\\ud83" "x":"a\0b"'),
        '"x":"a\nb"',
      ),
    },
    'refused, unknown': {
      blank: ' \n',
      empty: '',
      'HTML page': '<!doctype html><html><title>502 Bad Gateway</title></html>',
      'prefix against scripts': `)]}',\n${refundText}`,
      'overlong encoding': Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
      'half a surrogate pair': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      'cut within a character': Buffer.from([0x22, 0xf0, 0x9f, 0x8d]),
      'UTF-16 with a byte order mark': Buffer.from(`\uFEFF${refundText}`, 'utf16le'),
      'UTF-16 of the other order': Buffer.from(`\uFEFF${refundText}`, 'utf16le').swap16(),
    },
  },
  vocabulary: [...Object.keys(refund).map((name) => `"${name}"`), ...words('{ } : , " [ ] 1200')],
  cases: 600,
  nth: 4,
  judge,
};
