/** Reaches inside: equal responses decide which paths exist, so this tests more texts than any service sends. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectionNames, collectionObjects } from '../../../src/resources/collection-objects.ts';
import { anyText } from '../../../test/support/any-text.ts';
import { bySize } from '../../../test/support/size.ts';
import { type Fingerprint, fingerprintOf, isSame } from '../../src/probe/fingerprint.ts';
import { noIdOf } from '../../src/probe/impossible.ts';
import { collectionPaths } from '../../src/probe/path-forms.ts';
import { toAnswer } from '../../src/probe/question.ts';

const headers = { get: () => null, web: new Headers() };

/** The ways in which a message names a kind of object. */
function spellingsOf(kind: string): readonly string[] {
  const words = kind.split('_');
  const [first = '', ...rest] = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const pascal = [first, ...rest].join('');
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return [...['_', ' ', '-'].map((separator) => words.join(separator)), camel, pascal, kind.toUpperCase()];
}

/** A path of a request, and the texts of its response. */
interface Asked {
  readonly path: string;
  readonly kind: string;
  readonly id: string;
  readonly requestId: string;
  readonly number: number;
}

/** The spelling of a kind by its index, so that one service uses the same spelling twice. */
const anyAsked: fc.Arbitrary<(spelling: number) => Asked> = fc
  .record({
    collection: fc.constantFrom(...collectionNames),
    form: fc.nat(),
    isOfObject: fc.boolean(),
    requestId: fc.oneof(
      fc.uuid(),
      fc.stringMatching(/^[A-Za-z]{4}\d[A-Za-z\d]{10}$/).map((text) => `req_${text}`),
    ),
    number: fc.nat(),
  })
  .map(({ collection, form, isOfObject, requestId, number }) => (spelling) => {
    const paths = collectionPaths(collection);
    const kinds = spellingsOf(collectionObjects[collection]);
    const id = noIdOf(collectionObjects[collection]);
    const path = paths[form % paths.length] ?? '';
    return {
      id,
      requestId,
      number,
      kind: kinds[spelling % kinds.length] ?? '',
      path: isOfObject ? `${path}/${id}` : path,
    };
  });

/** Messages of services about a missing object. */
const messages: readonly ((asked: Asked) => string)[] = [
  ({ kind, id }) => `No such ${kind}: '${id}'`,
  ({ kind, requestId }) => `The ${kind} was not found (request ${requestId}).`,
  ({ kind }) => `No ${kind}s were found.`,
  ({ path }) => `Cannot POST ${path}`,
  ({ path, requestId }) => `Unknown path ${path}. Request: ${requestId}`,
  ({ id, number }) => `${id} is unknown; ${number} requests are left.`,
  ({ path }) => `<html><title>404</title><h1>Nothing is at ${path}</h1></html>`,
];

const codes: readonly (((asked: Asked) => string) | undefined)[] = [
  undefined,
  () => 'NOT_FOUND',
  ({ kind }) => `${kind.replaceAll(/[ -]/g, '_')}_not_found`,
];

const anyMessage = fc.constantFrom(...messages);
const anyCode = fc.constantFrom(...codes);

function printOf(asked: Asked, text: string, status = 404): Fingerprint {
  return fingerprintOf(toAnswer(status, headers, text), asked.path);
}

function bodyOf(code: string | undefined, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

describe('two responses', () => {
  test('are equal if only the path, the id, the kind, numbers and request ids differ', () => {
    fc.assert(
      fc.property(
        anyAsked,
        anyAsked,
        anyMessage,
        anyCode,
        fc.nat(5),
        fc.boolean(),
        (one, other, message, code, spelling, isJson) => {
          const prints = [one(spelling), other(spelling)].map((asked) =>
            printOf(asked, isJson ? bodyOf(code?.(asked), message(asked)) : message(asked)),
          );
          expect(prints[0]).toEqual(prints[1]);
        },
      ),
      { numRuns: bySize({ short: 60, all: 1_000 }) },
    );
  });

  test('differ by status or code', () => {
    fc.assert(
      fc.property(anyAsked, anyMessage, fc.nat(5), (asked, message, spelling) => {
        const about = asked(spelling);
        const text = bodyOf('PATH_UNKNOWN', message(about));
        const print = printOf(about, text);
        expect(isSame(print, printOf(about, text))).toBe(true);
        expect(isSame(print, printOf(about, text, 400))).toBe(false);
        expect(isSame(print, printOf(about, bodyOf('KEY_TOO_LONG', message(about))))).toBe(false);
        expect(isSame(print, printOf(about, bodyOf(undefined, message(about))))).toBe(false);
      }),
    );
  });

  test('differ by message without a code, and only by the code with one', () => {
    const about = { path: '/v1/customers', kind: 'customer', id: 'cus_1', requestId: 'req_1', number: 1 };
    const texts = ['The body is not JSON.', 'The key is too long.', 'Nothing is here.', ''];
    const [plain, coded] = [(text: string) => text, (text: string) => bodyOf('GONE', text)].map((toBody) =>
      texts.map((text) => printOf(about, toBody(text))),
    );
    for (const [index, print] of (plain ?? []).entries()) {
      expect(plain?.map((other) => isSame(print, other))).toEqual(texts.map((_, at) => at === index));
    }
    for (const print of coded ?? []) expect(coded?.every((other) => isSame(print, other))).toBe(true);
  });
});

describe('any text', () => {
  test('always has the same fingerprint', () => {
    const texts = fc.oneof(
      anyText({ maxLength: 200 }),
      fc.json(),
      fc.string({ unit: fc.constantFrom('/', '_', '-', 'a', '1', ' ', '{', '"', '<'), maxLength: 60 }),
    );
    fc.assert(
      fc.property(texts, texts, fc.integer({ min: 100, max: 599 }), (text, path, status) => {
        const print = fingerprintOf(toAnswer(status, headers, text), path);
        expect(print.status).toBe(status);
        expect(isSame(print, fingerprintOf(toAnswer(status, headers, text), path))).toBe(true);
      }),
      { numRuns: bySize({ short: 100, all: 2_000 }) },
    );
  });

  test.each([
    ['a text', (text: string) => text],
    ['a message', (text: string) => bodyOf(undefined, text)],
  ])('is read up to a limit, as %s', (_, toBody) => {
    const long = 'x'.repeat(2_000_000);
    const { text } = fingerprintOf(toAnswer(404, headers, toBody(long)), '/v1/products');
    expect(text.length).toBeLessThanOrEqual(2_000);
  });
});
