/** What a real PHP server receives. The form endpoint is a PHP script, and PHP has its own parser of forms and of names. */

import fc from 'fast-check';
import { InvalidRequestError, Transact } from 'payments-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { phpName } from '../support/php-names.ts';
import { hasPhp, type PhpServer, startPhpServer } from '../support/php-server.ts';
import { bySize } from '../support/size.ts';

/** A key may contain any printable ASCII, so this one contains characters with a meaning in forms. */
const securityKey = `key+with&odd=characters%41;"'<>/?#~!*()`;

/** In CI this suite must not be skipped: there the server's start fails with the reason. */
const isSkipped = !hasPhp() && (process.env['CI'] ?? '') === '';
const reason = 'skipped: there is no php here; install Debian’s php-cli, or set CI to make this fail';
if (isSkipped) process.stderr.write(`test/transact/php.services.test.ts: ${reason}\n`);

const encodings = ['urlencoded', 'multipart'] as const;
type Encoding = (typeof encodings)[number];
type Pair = readonly [name: string, value: string];
type Received = Partial<Record<Encoding, string>>;

const everyAscii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));

/**
 * In multipart/form-data every kind of line break becomes \r\n, as HTML's encoding algorithm requires. URL-encoding leaves line
 * breaks unchanged, as the URL standard requires. Both replace half of a surrogate pair, which UTF-8 cannot encode.
 */
const cases: readonly [what: string, value: string, received?: Received][] = [
  ['spaces', 'two  spaces and one'],
  ['leading and trailing spaces', '  \t blank \t  '],
  ['an empty string', ''],
  ['plus signs', '1+1=2 ++'],
  ['ampersands', 'Smith & Sons && Co&response=1'],
  ['equals signs', '=a==b='],
  ['percent signs', '100% %% %'],
  ['text like an escape', '%41%2B%26%zz%E0%A4%A'],
  ['single and double quotes', `it's "quoted" \\"twice\\"`],
  ['semicolons and text like a header', 'a; name="b"; filename="c"'],
  ['text like a multipart boundary', '\r\n--boundary\r\n--\r\n'],
  ['every printable ASCII character', everyAscii],
  ['\\n', 'one\ntwo\n\n', { multipart: 'one\r\ntwo\r\n\r\n' }],
  ['\\r\\n', '\r\none\r\ntwo\r\n'],
  ['\\r', 'one\rtwo\r', { multipart: 'one\r\ntwo\r\n' }],
  ['line breaks of every kind', 'a\r\r\n\n\rb', { multipart: 'a\r\n\r\n\r\n\r\nb' }],
  ['control characters', 'a\u0000b\u0001\u001b\u007f\u0085c\t'],
  ['emoji', '🍵 👩‍👩‍👧 🇧🇷'],
  ['other Unicode', 'São Paulo, Süd, Ωμέγα, 東京, עברית, \u2028\u00a0\ufeff\u200d'],
  ['half a surrogate pair', 'a\ud83cb', { urlencoded: 'a\ufffdb', multipart: 'a\ufffdb' }],
  ['1 KiB', 'é%&=+ "0123456789\t'.repeat(100).slice(0, 1024)],
];

/** Names that PHP reads as that of another field, or not at all. */
const folded: readonly [name: string, variable: string | undefined][] = [
  [' type', 'type'],
  ['  amount', 'amount'],
  ['security.key', 'security_key'],
  ['security key', 'security_key'],
  ['security[key', 'security_key'],
  ['amount[]', 'amount'],
  ['amount[0]', 'amount'],
  ['type\0x', 'type'],
  ['[type]', undefined],
  [' ', undefined],
  ['', undefined],
];

/** Unusual names that are accepted all the same. */
const accepted = [
  '0',
  '00',
  '7',
  '-1',
  '-',
  '--',
  'constructor',
  'GLOBALS',
  'this',
  '_POST',
  'MAX_FILE_SIZE',
];

/** One Latin-1 character per byte: compares bytes, and keeps a difference readable. */
const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

/** The pairs that echo.php received, as bytes. */
function receivedPairs(fields: Readonly<Record<string, string>>): Pair[] {
  const pairs: readonly Pair[] = JSON.parse(fields['received'] ?? '[]');
  return pairs.map(([name, value]) => [atob(name), atob(value)]);
}

const asBytes = (fields: object): Pair[] =>
  Object.entries({ security_key: securityKey, ...fields }).map(([name, value]) => [name, bytesOf(value)]);

describe.skipIf(isSkipped)(`a PHP server${isSkipped ? ` (${reason})` : ''}`, () => {
  let server: PhpServer | undefined;
  beforeAll(async () => {
    server = await startPhpServer();
  });
  afterAll(() => server?.stop());

  const transactWith = (formEncoding: Encoding) =>
    new Transact({ baseUrl: server?.url, securityKey, formEncoding, validation: 'off' });

  describe.each(encodings)('receives, in %s,', (encoding) => {
    it.each(cases)('%s', async (_what, value, received) => {
      const params = { amount: '12.00', payment_token: 'tok_+/=%41', address1: value, city: value };
      const { fields } = await transactWith(encoding).sale({ ...params, zip: undefined });
      const read = received?.[encoding] ?? value;
      expect(receivedPairs(fields)).toEqual(asBytes({ type: 'sale', ...params, address1: read, city: read }));
    });

    it('every field under its own name, in the given order, and no file', async () => {
      const params = {
        type: 'sale',
        amount: '12.00',
        ccnumber: '4111111111111111',
        ccexp: '1299',
        cvv: '012',
        email: 'ada+tea@example.com',
        state: '',
        cavv: 'jI3JBkkaQ1p8CBAAABy0CHUAAAA=',
        transactionid: '316',
        orderid: '0',
        ...Object.fromEntries(
          [...accepted, 'merchant_defined_field_1', 'x'.repeat(64)].map((name) => [name, 'x']),
        ),
      };
      const { fields } = await transactWith(encoding).submit(params);
      // Names that are numbers come first in an object, and would in an array of PHP too.
      expect(receivedPairs(fields).toSorted()).toEqual(asBytes(params).toSorted());
      expect(fields['files']).toBe('0');
      expect(fields['contentType']).toContain(
        encoding === 'multipart' ? 'multipart/form-data; boundary=' : encoding,
      );
    });
  });

  it.each(cases)('sends responses in form encoding that decode to %s', async (_what, value, received) => {
    const { fields } = await transactWith('urlencoded').submit({ type: 'echo', orderdescription: value });
    expect(bytesOf(fields['orderdescription'] ?? '')).toBe(bytesOf(received?.urlencoded ?? value));
    expect(fields['security_key']).toBe(securityKey);
  });

  /** What PHP makes of a form: the name of each variable, in order. */
  async function variablesOf(names: readonly string[]): Promise<string[]> {
    const body = new URLSearchParams(names.map((name): [string, string] => [name, 'x']));
    const response = await fetch(server?.url ?? '', { method: 'POST', body });
    const { received }: { received: readonly Pair[] } = Object(await response.json());
    return received.map(([name]) => atob(name));
  }

  it.each(folded)('reads the name %j as %j, so the SDK refuses it', async (name, variable) => {
    expect(await variablesOf([name])).toEqual(variable === undefined ? [] : [variable]);
    expect(phpName(name)).toBe(variable);
    const call = transactWith('urlencoded').submit({ type: 'sale', [name]: 'x' });
    await failureOf(call, InvalidRequestError);
  });

  it('sees two variables for names that differ by case, which another service may not', async () => {
    expect(await variablesOf(['type', 'Type'])).toEqual(['type', 'Type']);
  });

  it('reads any name as the model of the tests does', async () => {
    const characters = [...'aB_-. []\0', '7', '\t', 'é', ...'+&='];
    const anyName = fc.string({ unit: fc.constantFrom(...characters), maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        const variable = phpName(name);
        expect(await variablesOf([name])).toEqual(variable === undefined ? [] : [bytesOf(variable)]);
      }),
      { numRuns: bySize({ short: 300, all: 3_000 }) },
    );
  });
});
