/** What a real PHP server receives. The form endpoint is a PHP script, and PHP has its own form parser. */

import { Transact } from 'payments-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPhp, type PhpServer, startPhpServer } from '../support/php-server.ts';

/** A key may contain any printable ASCII, so this one contains characters with a meaning in forms. */
const securityKey = `key+with&odd=characters%41;"'<>/?#~!*()`;

const withoutPhp = !hasPhp();
/** In CI this suite must not be skipped: there the server's start fails with the reason. */
const isSkipped = withoutPhp && (process.env['CI'] ?? '') === '';
const reason = 'skipped: there is no php here; install Debian’s php-cli, or set CI to make this fail';
if (isSkipped) process.stderr.write(`test/transact/php-server.services.test.ts: ${reason}\n`);

type Encoding = 'urlencoded' | 'multipart';
type Pair = readonly [name: string, value: string];

interface Case {
  readonly what: string;
  readonly value: string;
  /** The received value in each encoding, if it differs from the value. */
  readonly received?: Partial<Record<Encoding, string>>;
}

const everyAscii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));

/**
 * In multipart/form-data every kind of line break becomes \r\n, as HTML's encoding algorithm requires. URL-encoding leaves line
 * breaks unchanged, as the URL standard requires. Both replace half of a surrogate pair, which UTF-8 cannot encode.
 */
const cases: readonly Case[] = [
  { what: 'spaces', value: 'two  spaces and one' },
  { what: 'leading and trailing spaces', value: '  \t blank \t  ' },
  { what: 'only spaces', value: '   ' },
  { what: 'an empty string', value: '' },
  { what: 'plus signs', value: '1+1=2 ++' },
  { what: 'ampersands', value: 'Smith & Sons && Co&response=1' },
  { what: 'equals signs', value: '=a==b=' },
  { what: 'percent signs', value: '100% %% %' },
  { what: 'text like an escape', value: '%41%2B%26%zz%E0%A4%A' },
  { what: 'single and double quotes', value: `it's "quoted" \\"twice\\"` },
  { what: 'semicolons and text like a header', value: 'a; name="b"; filename="c"' },
  { what: 'text like a multipart boundary', value: '\r\n--boundary\r\n--\r\n' },
  { what: 'every printable ASCII character', value: everyAscii },
  { what: '\\n', value: 'one\ntwo\n\n', received: { multipart: 'one\r\ntwo\r\n\r\n' } },
  { what: '\\r\\n', value: '\r\none\r\ntwo\r\n' },
  { what: '\\r', value: 'one\rtwo\r', received: { multipart: 'one\r\ntwo\r\n' } },
  { what: 'line breaks of every kind', value: 'a\r\r\n\n\rb', received: { multipart: 'a\r\n\r\n\r\n\r\nb' } },
  { what: 'tabs', value: '\tone\t\ttwo\t' },
  { what: 'control characters', value: 'a\u0000b\u0001\u001b\u007f\u0085c' },
  { what: 'emoji', value: '🍵 👩‍👩‍👧 🇧🇷' },
  { what: 'other Unicode', value: 'São Paulo, Süd, Ωμέγα, 東京, עברית, \u2028\u00a0\ufeff\u200d' },
  {
    what: 'half a surrogate pair',
    value: 'a\ud83cb',
    received: { urlencoded: 'a\ufffdb', multipart: 'a\ufffdb' },
  },
  { what: '1 KiB', value: 'é%&=+ "0123456789\t'.repeat(100).slice(0, 1024) },
];

/** One Latin-1 character per byte: compares bytes, and keeps a difference readable. */
const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const base64Bytes = (text: string) => Buffer.from(text, 'base64').toString('latin1');

/** The pairs that echo.php received, as bytes. */
function receivedPairs(fields: Readonly<Record<string, string>>): Pair[] {
  const pairs: readonly Pair[] = JSON.parse(fields['received'] ?? '[]');
  return pairs.map(([name, value]) => [base64Bytes(name), base64Bytes(value)]);
}

const asBytes = (pairs: readonly Pair[]): Pair[] =>
  pairs.map(([name, value]) => [bytesOf(name), bytesOf(value)]);

describe.skipIf(isSkipped)(`a PHP server${isSkipped ? ` (${reason})` : ''}`, () => {
  let server: PhpServer | undefined;
  beforeAll(async () => {
    server = await startPhpServer();
  });
  afterAll(() => server?.stop());

  const transactWith = (formEncoding: Encoding) =>
    new Transact({ baseUrl: server?.url, securityKey, formEncoding });

  describe.each<Encoding>(['urlencoded', 'multipart'])('receives, in %s,', (encoding) => {
    it.each(cases)('$what', async ({ value, received }) => {
      const card = { ccnumber: '4111111111111111', ccexp: '1299' };
      const params = { amount: '12.00', ...card, address1: value, city: value, email: 'ada@example.com' };
      const { fields } = await transactWith(encoding).sale(params);
      const expected = received?.[encoding] ?? value;
      expect(receivedPairs(fields)).toEqual(
        asBytes([
          ['security_key', securityKey],
          ['type', 'sale'],
          ...Object.entries({ ...params, address1: expected, city: expected }),
        ]),
      );
    });

    it('every field under its own name, in the given order, and no file', async () => {
      const params = {
        type: 'sale',
        amount: '12.00',
        ccnumber: '4111111111111111',
        ccexp: '1299',
        cvv: '012',
        ipaddress: '2001:db8::1',
        email: 'ada+tea@example.com',
        phone: '+1 (555) 0100',
        address1: '1 Main St. #2',
        city: 'Zürich',
        state: '',
        zip: '01234-5678',
        risk_session_id: 'a/b+c==',
        cardholder_auth: 'Y',
        cavv: 'jI3JBkkaQ1p8CBAAABy0CHUAAAA=',
        xid: 'AAAA+/==',
        eci: '05',
        transactionid: '316',
        merchant_defined_field_1: 'a field that the interface does not name',
        orderid: '0',
      };
      const { fields } = await transactWith(encoding).submit(params);
      expect(receivedPairs(fields)).toEqual(
        asBytes([['security_key', securityKey], ...Object.entries(params)]),
      );
      expect(fields['files']).toBe('0');
      const contentTypes = {
        urlencoded: /^application\/x-www-form-urlencoded;/,
        multipart: /^multipart\/form-data; boundary=/,
      };
      expect(fields['contentType']).toMatch(contentTypes[encoding]);
    });

    it('a payment token, without undefined fields', async () => {
      const params = { amount: '1.00', payment_token: 'tok_+/=%41', zip: undefined };
      const { fields } = await transactWith(encoding).sale(params);
      expect(receivedPairs(fields)).toEqual(
        asBytes([
          ['security_key', securityKey],
          ['type', 'sale'],
          ['amount', '1.00'],
          ['payment_token', 'tok_+/=%41'],
        ]),
      );
    });
  });

  it.each(cases)('sends responses in form encoding that decode to $what', async ({ value, received }) => {
    const { fields } = await transactWith('urlencoded').submit({ type: 'echo', orderdescription: value });
    const expected = received?.urlencoded ?? value;
    expect(bytesOf(fields['orderdescription'] ?? '')).toBe(bytesOf(expected));
    expect(fields['security_key']).toBe(securityKey);
  });
});
