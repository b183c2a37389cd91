/** Reaches inside: a recorded delivery may be any bytes, and the program shows only that it cannot parse them. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bySize } from '../../../test/support/size.ts';
import { readDelivery } from '../../src/probe/delivery.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

const request = [
  'POST /hooks?a=1 HTTP/1.1',
  'Host: shop.example.com',
  'Webhook-Id: msg_1',
  'x-empty:',
  'X-Time:\t2026-01-31T12:00:00Z ',
];

describe('a raw request', () => {
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('is parsed with %s', (_, end) => {
    const delivery = readDelivery(bytesOf(`${request.join(end)}${end}${end}{"a": 1}`));
    expect(Object.fromEntries(delivery?.headers ?? [])).toEqual({
      host: 'shop.example.com',
      'webhook-id': 'msg_1',
      'x-empty': '',
      'x-time': '2026-01-31T12:00:00Z',
    });
    expect(textOf(delivery?.body)).toBe('{"a": 1}');
  });

  test('needs no request line, and joins the values of a repeated header', () => {
    const delivery = readDelivery(bytesOf('X-Signature: a\nother: 1\nx-signature: b\n\n'));
    expect(Object.fromEntries(delivery?.headers ?? [])).toEqual({ 'x-signature': 'a, b', other: '1' });
  });

  test('keeps every byte of the body, including empty lines and trailing line breaks', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom('\n', '\r\n'), (body, end) => {
        const given = Uint8Array.from([...bytesOf(`a: 1${end}b: 2${end}${end}`), ...body]);
        expect([...(readDelivery(given)?.body ?? [])]).toEqual([...body]);
      }),
    );
  });

  test('has the length of its content-length, because editors add a line break to a file', () => {
    const read = (length: string) =>
      textOf(readDelivery(bytesOf(`Content-Length: ${length}\n\n{"é": 1}\n`))?.body);
    expect(read('9')).toBe('{"é": 1}');
    for (const length of ['100', 'many', '']) expect(read(length)).toBe('{"é": 1}\n');
  });
});

describe('JSON', () => {
  test('is parsed with headers in any case, several values of one, and the text of the body', () => {
    const headers = { 'Webhook-Id': 'msg_1', 'x-count': 1, 'x-signature': ['a', 'b'], 'X-Signature': 'c' };
    const body = '{"a": "é"}\r\n\n';
    const delivery = readDelivery(bytesOf(JSON.stringify({ headers, body, more: 1 })));
    expect(Object.fromEntries(delivery?.headers ?? [])).toEqual({
      'webhook-id': 'msg_1',
      'x-count': '1',
      'x-signature': 'a, b, c',
    });
    expect(textOf(delivery?.body)).toBe(body);
  });

  test.each([
    '{}',
    '{"headers": {}}',
    '{"headers": [], "body": ""}',
    '{"headers": {"a": "1"}, "body": {"id": "evt_1"}}',
    'null',
    '[]',
    '"text"',
    '1',
  ])('is refused without headers and a body: %s', (text) => {
    expect(readDelivery(bytesOf(text))).toBeUndefined();
  });
});

describe('other bytes', () => {
  test.each(['', '\n\n', 'no headers\n\nbody', 'a: 1', 'a: 1\nb: 2\n', '<html>\n\n</html>', '\u0000'])(
    'are not a delivery: %j',
    (text) => {
      expect(readDelivery(bytesOf(text))).toBeUndefined();
    },
  );

  test('never throw', () => {
    const line = fc.constantFrom('a: 1', ': x', '\n', '\r\n', '\n\n', '{', '}', '"', 'é', ' ');
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(line, { maxLength: 30 }).map((lines) => bytesOf(lines.join(''))),
      fc.json().map(bytesOf),
    );
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const delivery = readDelivery(bytes);
        expect(delivery === undefined || delivery.body instanceof Uint8Array).toBe(true);
      }),
      { numRuns: bySize({ short: 200, all: 2_000 }) },
    );
  });
});
