/** Pages of a list. */

import { PaginationError, ResponseValidationError } from 'payments-client';
import { expect } from 'vitest';
import type { Parser } from '../parser.ts';
import { endingOf, isFields, scriptedService } from '../service.ts';
import { words } from '../words.ts';

const service = scriptedService();
const payments = service.client();

const tea = '{"id":"prod_1","object":"product","livemode":false}';
const coffee = tea.replace('1', '2');

/** Compares a page with its own JSON. */
async function judge(bytes: Buffer): Promise<string> {
  service.answers(() => ({ body: bytes }));
  const ending = await endingOf(payments.products.list());
  if ('error' in ending) {
    const { error } = ending;
    if (!(error instanceof PaginationError || error instanceof ResponseValidationError)) throw error;
    expect(error.outcome).toBe('not_an_operation');
    return error.code ?? 'an error without a code';
  }
  const body: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (!isFields(body)) throw new Error('expected an object where there is a page');
  const { items, hasMore, nextCursor } = Object(ending.value);
  expect(hasMore).toBe(body['has_more']);
  expect(nextCursor).toBe(hasMore ? body['next_cursor'] : undefined);
  expect(hasMore ? typeof nextCursor : 'string').toBe('string');
  expect(nextCursor).not.toBe('');
  // The items are one of the received arrays, complete, and each has an id.
  expect(Object.values(body).map((field) => JSON.stringify(field))).toContain(JSON.stringify(items));
  for (const item of items) expect(item).toMatchObject({ id: expect.any(String) });
  return hasMore ? 'more' : 'complete';
}

export const pages: Parser = {
  name: 'the parser of pages',
  promise: 'a list is complete only when has_more is false',
  corpus: {
    complete: {
      'cursor of the last page': `{"data":[${tea}],"has_more":false,"next_cursor":"prod_1"}`,
      data: `{"object":"list","data":[${tea}],"has_more":false}`,
      'data beside another array': `{"warnings":[],"data":[${tea}],"has_more":false}`,
      empty: '{"data":[],"has_more":false}',
      items: `{"items":[${tea}],"has_more":false,"next_cursor":null}`,
      'its only array': `{"rows":[${tea}],"has_more":false,"total":1}`,
      'its own name': `{"products":[${tea},${coffee}],"has_more":false}`,
      'has_more twice': '{"has_more":true,"data":[],"next_cursor":"a","has_more":false}',
      'byte order mark': `\uFEFF{"data":[${tea}],"has_more":false}`,
    },
    more: {
      cursor: `{"data":[${tea}],"has_more":true,"next_cursor":"prod_1"}`,
      'empty page': '{"data":[],"has_more":true,"next_cursor":"prod_0"}',
      'strange cursor': '{"data":[],"has_more":true,"next_cursor":"a b&limit=1#\\u0000\\ud83c\\udf75=%%2F"}',
    },
    MISSING_HAS_MORE: {
      none: `{"data":[${tea}]}`,
      number: '{"data":[],"has_more":0}',
      text: '{"data":[],"has_more":"false"}',
      'another case': '{"data":[],"hasMore":false,"HAS_MORE":false}',
      null: '{"data":[],"has_more":null}',
      'of the prototype': '{"__proto__":{"has_more":false},"data":[]}',
    },
    MISSING_CURSOR: {
      none: `{"data":[${tea}],"has_more":true}`,
      number: `{"data":[${tea}],"has_more":true,"next_cursor":7}`,
      empty: `{"data":[${tea}],"has_more":true,"next_cursor":""}`,
    },
    REPEATED_ITEM: { 'twice in one page': `{"data":[${tea},${coffee},${tea}],"has_more":false}` },
    INVALID_RESPONSE: {
      'bare list': `[${tea}]`,
      'cut short': `{"data":[${tea},{"id":"pr`,
      empty: '',
      'HTML page': '<html><title>Sign in</title></html>',
      'item without id': `{"data":[${tea},{"object":"product","livemode":false}],"has_more":false}`,
      'nested page': `{"data":{"data":[${tea}]},"has_more":false}`,
      'object like an array': `{"data":{"0":${tea},"length":1},"has_more":false}`,
      'null as item': `{"data":[${tea},null],"has_more":false}`,
      'array of the prototype': '{"__proto__":{"data":[]},"has_more":false}',
      'page of the prototype': '{"__proto__":{"data":[],"has_more":false}}',
      'two arrays': '{"rows":[],"others":[],"has_more":false}',
      'empty data beside full items': `{"data":[],"rows":[${tea}],"has_more":false}`,
    },
  },
  vocabulary: words(
    `"data" "items" "products" "has_more" "next_cursor" "id" "prod_1" true false { } [ ] : , "
    ,"has_more":true ,"next_cursor":"x" ,"has_more":false} {"data":[${tea}] ${tea.replace('1', '3')}`,
  ),
  cases: 1000,
  judge,
};
