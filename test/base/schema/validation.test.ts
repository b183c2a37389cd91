/** Reaches inside: no entry exports the validation functions, and errors show only a part of their issues. */

import { afterEach, describe, expect, it } from 'vitest';
import { config } from 'zod/mini';
import * as s from '../../../src/base/schema/schema.ts';
import { check, conforms, issuesOf } from '../../../src/base/schema/validation.ts';

const line = s.object({ name: s.filled('a name'), quantity: s.integer() });
const order = s
  .object({
    id: s.prefixed('or_', 'an order'),
    lines: s.array(line).check(s.notEmpty()),
    note: s.optional(s.string()),
  })
  .check(s.refine(({ lines, note }) => lines.length < 2 || note !== undefined, 'a note with several lines'));
const tea = { name: 'Tea', quantity: 1 };

const issueLines = (value: unknown, schema: s.Schema<unknown> = order) =>
  issuesOf(schema, value).map(({ path, expected, received }) => `${path}: ${expected}, got ${received}`);

describe('the issues of a value', () => {
  it.each<[unknown, readonly string[]]>([
    [{ id: 'or_1', lines: [tea] }, []],
    [null, ['(root): an object, got null']],
    [{}, ['id: an order, got nothing', 'lines: an array, got nothing']],
    [{ id: 'or_1', lines: [] }, ['lines: at least 1 item, got an array of 0']],
    [
      { id: 'cus', lines: [{ name: '', quantity: 1.5 }], note: null },
      [
        "id: an order, got 'cus'",
        'lines[0].name: a name, got an empty string',
        'lines[0].quantity: an integer, got the number 1.5',
        'note: a string, got null',
      ],
    ],
    // A check across fields requires the type of each field, but runs even if a check of one field fails.
    [{ id: 'or_1', lines: [tea, { ...tea, name: 1 }] }, ['lines[1].name: a name, got a number']],
    [
      { id: 'or_1', lines: [tea, { ...tea, name: '' }] },
      ['lines[1].name: a name, got an empty string', '(root): a note with several lines, got an object'],
    ],
  ])('are all listed, each with its path: %j', (value, sentences) => {
    expect(issueLines(value)).toEqual(sentences);
  });

  const names =
    'authorization cookie secret token password Key signature cvv cvc ccnumber ccexp card cavv xid eci ' +
    'email phone address1 first_name zip ipaddress';

  it.each(names.split(' '))('never repeat the value of %s, as a word or a number', (name) => {
    for (const [value, received] of [
      ['abc', 'a string of 3 characters'],
      [7.5, 'a number'],
    ])
      expect(issueLines({ [name]: value }, s.record(s.boolean()))).toEqual([
        `${name}: true or false, got ${received}`,
      ]);
  });

  it('repeat a short word in another field, unless no value may be repeated', () => {
    const schema = s.object({ note: s.integer() });
    expect(issueLines({ note: 'abc' }, schema)).toEqual(["note: an integer, got 'abc'"]);
    const hidden = issuesOf(schema, { note: 'abc' }, { sensitive: true });
    expect(hidden).toMatchObject([{ received: 'a string of 3 characters' }]);
  });

  const wrong = Array.from({ length: 100_000 }, () => 0);

  it.each<[string, s.Schema<unknown>, unknown, number]>([
    ['a list', s.array(s.string()), wrong, 20],
    ['a record', s.record(s.string()), Object.fromEntries(wrong.slice(0, 1000).entries()), 20],
    ['a list of lists', s.array(s.array(s.string())), [wrong, wrong, wrong], 20],
    [
      'lists in fields',
      s.object({ a: s.array(s.string()), b: s.array(s.string()) }),
      { a: wrong, b: wrong },
      40,
    ],
  ])('are bounded, however many items are wrong: %s', (_, schema, value, count) => {
    expect(issuesOf(schema, value)).toHaveLength(count);
    expect(conforms(schema, value)).toBe(false);
  });
});

describe('a check', () => {
  it('returns the value itself, with the fields that the schema does not name', () => {
    const value = { id: 'or_1', lines: [{ ...tea, more: 1 }], more: { of: 'it' } };
    const checked = check(order, value);
    expect('value' in checked && checked.value).toBe(value);
    expect(value).toEqual({ id: 'or_1', lines: [{ ...tea, more: 1 }], more: { of: 'it' } });
  });

  it('returns the issues of a value that does not conform', () => {
    expect(check(order, 7)).toEqual({
      issues: [{ path: '(root)', expected: 'an object', received: 'the number 7' }],
    });
  });
});

describe('the user’s configuration of zod', () => {
  afterEach(() => void config({ customError: undefined, localeError: undefined }));

  it('changes no message', () => {
    const value = { id: 1, lines: [{ name: '', quantity: 1.5 }, null], note: 1 };
    const schemas = [order, s.strictObject({ id: s.literal('x') }), s.string(), s.record(s.boolean())];
    const before = schemas.map((schema) => issueLines(value, schema));
    config({ customError: () => 'another message', localeError: () => 'another language' });
    expect(schemas.map((schema) => issueLines(value, schema))).toEqual(before);
  });
});
