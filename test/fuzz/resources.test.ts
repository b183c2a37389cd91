/**
 * Valid and invalid objects in responses: objects that the interface's field tables allow are returned unchanged.
 * Others are refused with the path of each invalid field, and with an outcome for the money.
 *
 * The rules come from the tables, not from the schemas, so that the test compares both.
 */

import { type PaymentsClient, ResponseValidationError, type RouteName } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { type Draw, drawsOf, pick } from '../support/draws.ts';
import { type CollectionCase, everyCollection } from '../support/every-collection.ts';
import { everyMethod } from '../support/every-method.ts';
import {
  type FieldRow,
  fieldTables,
  idPrefixes,
  nestedTables,
  type ObjectName,
} from '../support/field-tables.ts';
import { objectNames, placesOf, validObject } from '../support/sample-objects.ts';
import { controlCharacter, endingOf, secretKey, useScriptedService } from './answering.ts';
import { cases, runCampaign, seed } from './campaign.ts';

const service = useScriptedService();

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a resource whose fields the interface does not list. */
function openTable(object: string): readonly FieldRow[] {
  const prefix = idPrefixes.get(object);
  return [
    {
      field: 'id',
      type: 'string',
      nullable: false,
      optional: false,
      inferred: [],
      ...(prefix !== undefined && { prefix }),
    },
    { field: 'object', type: 'string', nullable: false, optional: false, inferred: [] },
    { field: 'livemode', type: 'boolean', nullable: false, optional: false, inferred: [] },
  ];
}

const nameOf = (object: string) => objectNames.find((one) => one === object);

function itemFlaws(
  row: FieldRow,
  table: readonly FieldRow[] | undefined,
  value: unknown,
  at: string,
): string[] {
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
      return isFields(value) ? flawsBy(table ?? [], undefined, value, `${at}.`) : [at];
  }
}

function isText({ literal, prefix }: FieldRow, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return literal === undefined ? value.startsWith(prefix ?? '') : value === literal;
}

function rowFlaws(
  row: FieldRow,
  table: readonly FieldRow[] | undefined,
  value: unknown,
  at: string,
): string[] {
  if (value === undefined) return row.optional ? [] : [at];
  if (value === null) return row.nullable ? [] : [at];
  if (!row.type.endsWith('[]')) return itemFlaws(row, table, value, at);
  if (!Array.isArray(value)) return [at];
  return value.flatMap((item, index) => itemFlaws(row, table, item, `${at}[${index}]`));
}

/** Returns the paths of everything that a table does not allow. */
function flawsBy(
  table: readonly FieldRow[],
  name: ObjectName | undefined,
  value: Fields,
  parent = '',
): string[] {
  return table.flatMap((row) => {
    const inner = name === undefined ? undefined : nestedTables[`${name}.${row.field}`];
    return rowFlaws(row, inner, value[row.field], `${parent}${row.field}`);
  });
}

/** Returns the violations of a collection's table by an object. */
function flawsOf({ object }: CollectionCase, value: unknown, parent = ''): string[] {
  if (!isFields(value)) return [parent === '' ? '(root)' : parent.slice(0, -1)];
  const name = nameOf(object);
  const flaws = flawsBy(name === undefined ? openTable(object) : fieldTables[name], name, value, parent);
  // The key is a test key.
  return value['livemode'] === true ? [`${parent}livemode`, ...flaws] : flaws;
}

/** Returns the object of a body: alone, or in an envelope. */
function unwrapped({ object }: CollectionCase, body: unknown): unknown {
  if (!isFields(body) || Object.hasOwn(body, 'id')) return body;
  const inner = ['data', object].map((name) => (Object.hasOwn(body, name) ? body[name] : undefined));
  return inner.find((one) => isFields(one) && Object.hasOwn(one, 'id')) ?? body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the text of a body; `undefined` for invalid UTF-8. */
function textOf(body: Uint8Array): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

/** Compares two values parsed from JSON by their texts, at any depth. */
function expectSame(value: unknown, expected: unknown): void {
  expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
}

/** Formats a path like the SDK: names come from outside, and may forge a line or contain a card number. */
const shown = (path: string) => path.replaceAll(/[\r\n]+/g, ' ').replace('4111111111111111', '[redacted]');

function expectRefusal(error: unknown, outcome: string, paths: readonly string[]): void {
  if (!(error instanceof ResponseValidationError)) throw error;
  expect(error.outcome).toBe(outcome);
  expect(error.issues.map(({ path }) => path).sort()).toEqual(paths.map(shown).sort());
  expect(error.message).not.toMatch(controlCharacter);
  expect(error.message).not.toContain(secretKey);
}

type Validation = 'throw' | 'warn' | 'off';

const clients = new Map<Validation, PaymentsClient>();

function clientWith(validation: Validation): PaymentsClient {
  const client = clients.get(validation) ?? service.client({ validation });
  clients.set(validation, client);
  return client;
}

/** One method that returns an object of a collection. */
interface Way {
  readonly outcome: 'executed' | 'not_executed';
  readonly call: (validation: Validation) => PromiseLike<unknown>;
}

function isRoute(name: string): name is RouteName {
  return Object.hasOwn(everyMethod, name);
}

function waysTo({ name, id, of }: CollectionCase): Way[] {
  const retrieve: Way = {
    outcome: 'not_executed',
    call: (validation) => of(clientWith(validation)).retrieve(id),
  };
  const route = `${name}.create`;
  if (!isRoute(route)) return [retrieve];
  const create: Way = {
    outcome: 'executed',
    call: (validation) => everyMethod[route](clientWith(validation), { operationId: 'fuzz-1' }),
  };
  return [retrieve, create];
}

/** Returns the outcome that a body proves. A body that is not JSON may come from anywhere. */
function outcomeFor(outcome: Way['outcome'], body: Uint8Array): string {
  const begins = /^[\s\ufeff]*[[{]/.test(new TextDecoder().decode(body));
  const isJson = parsed(textOf(body) ?? '') !== undefined;
  return outcome === 'executed' && !isJson && !begins ? 'unknown' : outcome;
}

/** Compares the result of a body with the tables. */
async function checkBody(collection: CollectionCase, body: Uint8Array): Promise<string> {
  service.answers(() => ({ body }));
  const json = parsed(textOf(body) ?? '');
  const object = unwrapped(collection, json);
  const flaws = json === undefined ? ['(root)'] : flawsOf(collection, object);
  for (const { outcome, call } of waysTo(collection)) {
    const ending = await endingOf(call('throw'));
    if ('error' in ending) expectRefusal(ending.error, outcomeFor(outcome, body), flaws);
    else expectSame([ending.value, flaws], [object, []]);
    if (json === undefined) continue;
    for (const validation of ['off', 'warn'] as const) expectSame(await call(validation), object);
  }
  return flaws.length === 0 ? 'given' : 'refused';
}

const nasty: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  '1200',
  'a_later_value',
  'sk_v1_test_other00',
  '4111111111111111',
  'cus_',
  'x\r\nforged',
  '\u2028',
  '\ud800',
  [],
  [[]],
  [null],
  ['x'],
  {},
  { '': 5 },
  { 'a\nb': 5 },
  { '4111111111111111': 5 },
  { a: { b: [{}] } },
  { length: 3 },
  { toString: 'x', valueOf: 1 },
];

const strange = ['later', '', 'a\nb', 'constructor', 'hasOwnProperty', 'toString', 'length', '0', '🍵'];

/** Returns the text of an object with a duplicate field, whose last value counts. */
function withTwin(draw: Draw, object: Fields): string {
  const names = Object.keys(object);
  const twin = `${JSON.stringify(pick(draw, names.length > 0 ? names : ['x']))}:${JSON.stringify([5])}`;
  const text = JSON.stringify(object);
  return text === '{}' ? `{${twin}}` : `{${twin},${text.slice(1)}`;
}

/** Returns the object as JSON, sometimes with features that only a text can have. */
function asText(draw: Draw, object: Fields): string {
  if (draw(4) === 0) return withTwin(draw, object);
  const text = JSON.stringify(object);
  return draw(4) === 0 && text !== '{}' ? text.replace('{', '{"__proto__":{"polluted":true},') : text;
}

/** Returns the object with one field changed or removed. */
function damaged(draw: Draw, object: Fields, collection: CollectionCase): Fields {
  const name = nameOf(collection.object);
  const places =
    name === undefined
      ? openTable(collection.object).map(({ field }) => [field])
      : placesOf(name).map(({ path }) => path);
  const path = draw(5) === 0 ? [pick(draw, strange)] : pick(draw, places);
  const copy = structuredClone(object);
  let parent: object = copy;
  for (const part of path.slice(0, -1)) parent = Object(Reflect.get(parent, part));
  const field = path.at(-1) ?? '';
  if (draw(4) === 0) Reflect.deleteProperty(parent, field);
  else Reflect.set(parent, field, nasty[draw(nasty.length)]);
  return copy;
}

function wholeObject({ object, id }: CollectionCase): Fields {
  const name = nameOf(object);
  return name === undefined ? { id, object, livemode: false } : validObject(name);
}

function objectText(draw: Draw, collection: CollectionCase): string {
  let object = wholeObject(collection);
  for (let times = draw(4); times > 0; times -= 1) object = damaged(draw, object, collection);
  const text = asText(draw, object);
  if (draw(4) > 0) return text;
  return `{${JSON.stringify(pick(draw, ['data', collection.object]))}:${text},"request_id":"req_1"}`;
}

/** Compares the result of a page of these objects with the tables. */
async function checkPage(collection: CollectionCase, items: readonly string[]): Promise<void> {
  const text = `{"data":[${items.join(',')}],"has_more":false}`;
  service.answers(() => ({ body: text }));
  const objects = items.map((item) => parsed(item));
  const first = objects.findIndex((object) => flawsOf(collection, object).length > 0);
  const ending = await endingOf(collection.of(clientWith('throw')).list().toArray({ max: 100 }));
  if ('value' in ending) expectSame([ending.value, first], [objects, -1]);
  else expectRefusal(ending.error, 'not_executed', flawsOf(collection, objects[first], `data[${first}].`));
}

describe('the parser of objects', () => {
  it(`accepts what the tables allow, and names every violation (seed ${seed})`, async () => {
    const tally = { whole: 0, broken: 0 };
    for (let number = 0; number < cases(250); number += 1) {
      const draw = drawsOf(seed, number);
      const collection = pick(draw, everyCollection);
      const text = objectText(draw, collection);
      try {
        tally[(await checkBody(collection, Buffer.from(text))) === 'given' ? 'whole' : 'broken'] += 1;
        // A page that repeats an item is refused.
        const other = objectText(draw, collection).replace(/"id":"([^"\\]*)"/, '"id":"$1_2"');
        await checkPage(collection, [text, other]);
      } catch (cause) {
        throw new Error(`FUZZ_SEED=${seed}, case ${number}, ${collection.name}: ${String(cause)}\n${text}`, {
          cause,
        });
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
    }
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(cases(250) / 10);
  });

  it(`returns or refuses any bytes (seed ${seed})`, async () => {
    const known = new Map<string, (typeof everyCollection)[number]>(
      everyCollection.map((collection) => [collection.object, collection]),
    );
    const refunds = known.get('refund');
    if (refunds === undefined) throw new Error('expected a collection of refunds');
    const tally = await runCampaign({
      parser: 'resources',
      vocabulary: [
        ...Object.keys(validObject('refund')).map((name) => `"${name}"`),
        '{',
        '}',
        ':',
        ',',
        '"',
        '[',
        ']',
        '1200',
      ],
      caseCount: 300,
      check: (bytes, entry) => {
        // The name of an entry states its content and its ending.
        const [object = '', verdict] = entry?.name.split('.') ?? [];
        const collection = known.get(object) ?? refunds;
        return checkBody(collection, bytes).then((ending) => {
          if (entry !== undefined) expect(ending).toBe(verdict);
          return ending;
        });
      },
    });
    expect([...tally.keys()].sort()).toEqual(['given', 'refused']);
  });
});
