/** Failures of the network, as each runtime reports them: their code, their outcome, and a copy of their cause. */

import { ConnectionError } from 'payments-client';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { createClient, secretKey, skipBackOff } from '../../support/mock-service.ts';

const operation = { operationId: 'return-1' };

/** The error of a refund whose `fetch` throws this. */
function errorOf(thrown: unknown): Promise<ConnectionError> {
  const { refunds } = createClient({ fetch: () => Promise.reject(thrown), maxRetries: 0 });
  return failureOf(refunds.create(refundParams, operation), ConnectionError);
}

const coded = (code: unknown, message = 'it broke', fields = {}) =>
  Object.assign(new Error(message), { code, ...fields });

/** An error of the operating system, while it connects or in another system call. */
const ofSystem = (code: string, message = 'it broke', syscall = 'connect') =>
  coded(code, message, { syscall });

function circular(): Error {
  const error = new Error('in a circle');
  error.cause = new Error('and back', { cause: error });
  return error;
}

const around = (cause: unknown) => new Error('outer', { cause });
const unsentCodes = [
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'ERR_PROXY_TUNNEL',
];
const sentCodes = [
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_ABORTED',
  'UND_ERR_DESTROYED',
  'UND_ERR_INFO',
  'HPE_INVALID_CONSTANT',
  'ConnectionClosed',
];
const threw = 'FETCH_THREW';

describe('an error of fetch', () => {
  it.each<readonly [what: string, thrown: unknown, code: string, outcome: string, cause: string | undefined]>(
    [
      ['a refused connection', ofSystem('ECONNREFUSED'), 'ECONNREFUSED', 'not_executed', 'it broke'],
      ['an unknown host', ofSystem('ENOTFOUND', 'no', 'getaddrinfo'), 'ENOTFOUND', 'not_executed', 'no'],
      ...unsentCodes.map(
        (code) => ['one before sending', coded(code), code, 'not_executed', 'it broke'] as const,
      ),
      ...sentCodes.map((code) => ['one at any time', coded(code), code, 'unknown', 'it broke'] as const),
      ['a refusal without a system call', coded('ECONNREFUSED'), 'ECONNREFUSED', 'unknown', 'it broke'],
      // Linux reports these on an established connection too.
      ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].map(
        (code) => ['one while it read', ofSystem(code, 'late', 'read'), code, 'unknown', 'late'] as const,
      ),
      ['one while it wrote', ofSystem('EPIPE', 'late', 'write'), 'EPIPE', 'unknown', 'late'],
      ['a code of the cause', around(coded('EPIPE', 'inner')), 'EPIPE', 'unknown', 'inner'],
      [
        'a refusal in the cause',
        around(ofSystem('ECONNREFUSED', 'inner')),
        'ECONNREFUSED',
        'not_executed',
        'inner',
      ],
      [
        'several refused addresses',
        new AggregateError([ofSystem('ECONNREFUSED', 'one'), ofSystem('EHOSTUNREACH', 'two')]),
        'ECONNREFUSED',
        'not_executed',
        'one',
      ],
      [
        'several addresses, of which one broke later',
        new AggregateError([ofSystem('ECONNREFUSED', 'one'), coded('ECONNRESET', 'two')]),
        'ECONNREFUSED',
        'unknown',
        'one',
      ],
      ['what browsers and Node say', new TypeError('Failed to fetch'), 'NETWORK', 'unknown', undefined],
      ['what undici says', new TypeError('fetch failed'), 'NETWORK', 'unknown', undefined],
      ...[{ remote: true }, { retryable: true }, { remote: true, retryable: true }].map(
        (marks) =>
          ['one that workerd marks', coded(undefined, 'lost', marks), 'NETWORK', 'unknown', 'lost'] as const,
      ),
      ['one that workerd does not mark', coded(undefined, 'lost', { remote: 1 }), threw, 'unknown', 'lost'],
      ['a mistake of the caller', coded('ERR_INVALID_ARG_TYPE'), threw, 'unknown', 'it broke'],
      ['a code that is no string', coded(7), threw, 'unknown', 'it broke'],
      ['a code that is only a word', coded('oops'), threw, 'unknown', 'it broke'],
      ['a code that holds a key', coded(`EKEY_${secretKey}`), threw, 'unknown', 'it broke'],
      ['causes without a code', around(new Error('inner')), threw, 'unknown', 'inner'],
      ['causes in a circle', circular(), threw, 'unknown', 'in a circle'],
      ['a value that is no error', 'just a text', threw, 'unknown', undefined],
    ],
  )('(%s) %s has the code %s and is %s', async (_what, thrown, code, outcome, cause) => {
    const error = await errorOf(thrown);
    expect(error).toMatchObject({ code, outcome, attempts: 1, idempotentReplayed: false });
    expect(error.message).toContain(code);
    expect(error.cause).not.toBe(thrown);
    if (cause === undefined) return;
    expect(error.cause).toMatchObject({ message: cause });
    expect(Reflect.get(Object(error.cause), 'code')).toBe(
      code === threw || code === 'NETWORK' ? undefined : code,
    );
  });

  it.each(['getPrototypeOf', 'get', 'has'])('may be a value whose trap %s throws', async (trap) => {
    const fail = () => {
      throw new Error('trapped');
    };
    expect(await errorOf(new Proxy({}, { [trap]: fail }))).toMatchObject({ code: threw, outcome: 'unknown' });
  });

  it.each([
    ['is of the program', new TypeError(`cannot read ${secretKey}`), false],
    ['takes the request for the text of a URL', new TypeError('Invalid URL'), true],
  ])('that %s is thrown once, and not shown with its secrets', async (_what, thrown, isForeign) => {
    const fetch = vi.fn(() => Promise.reject(thrown));
    const call = createClient({ fetch }).refunds.create(refundParams, operation);
    const error = await failureOf(call, ConnectionError);
    expect(error).toMatchObject({ code: threw, retryable: false, attempts: 1 });
    expect(fetch).toHaveBeenCalledOnce();
    expect(String(error.cause)).not.toContain(secretKey);
    const cure = 'give the client fetch: (request) => undici.fetch(request.url, request).';
    expect(error.message.includes(cure)).toBe(isForeign);
  });
});

/** What the runtimes throw for a body that breaks off, or has a bad chunk or compression. */
const bodyErrors: readonly (readonly [runtime: string, thrown: unknown, code: string])[] = [
  ['Deno', new TypeError('error reading a body from connection'), 'NETWORK'],
  ['Deno', new TypeError('deflate decompression error: invalid code lengths set'), 'NETWORK'],
  ['Deno', Object.assign(new Error('connection reset'), { name: 'Http' }), 'NETWORK'],
  ['Bun', Object.assign(new TypeError('closed'), { code: 'ECONNRESET' }), 'ECONNRESET'],
  ['Bun', Object.assign(new TypeError('bad chunk'), { code: 'InvalidHTTPResponse' }), 'InvalidHTTPResponse'],
  ['Bun', Object.assign(new TypeError('bad gzip'), { code: 'ZlibError' }), 'ZlibError'],
  ['Bun', coded('BrotliDecompressionError'), 'BrotliDecompressionError'],
  ['workerd', Object.assign(new Error('Network connection lost.'), { retryable: true }), 'NETWORK'],
  ['workerd', new Error('Network connection lost.'), 'NETWORK'],
  ['workerd', new TypeError('Decompression failed.'), 'NETWORK'],
  ['Node', new TypeError('terminated', { cause: coded('Z_DATA_ERROR') }), 'NETWORK'],
  ['Node', coded('ERR__ERROR_FORMAT_CL_SPACE'), 'NETWORK'],
  ['a polyfill', 'a text', 'NETWORK'],
  // It would prove that nothing left, if there were no head.
  ['a polyfill', ofSystem('ECONNREFUSED'), 'ECONNREFUSED'],
];

describe('a body that fails after the head', () => {
  /** A `fetch` whose body fails after a few bytes, once. */
  function failingOnce(thrown: unknown, type: string | undefined, then: unknown) {
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"id":')),
      pull: (stream) => stream.error(thrown),
    });
    const broken = new Response(body, type === undefined ? {} : { headers: { 'content-type': type } });
    return vi.fn(async () => Response.json(then)).mockResolvedValueOnce(broken);
  }

  it.each(bodyErrors)(
    'is retried with a key, but not for a sale, on %s: %s',
    async (_runtime, thrown, code) => {
      skipBackOff();
      const retried = failingOnce(thrown, 'application/json', refund);
      const reasons: unknown[] = [];
      const hooks = { retry: ({ error }: { error: unknown }) => reasons.push(error) };
      const { refunds } = createClient({ fetch: retried, hooks });
      expect((await refunds.create(refundParams, operation)).id).toBe(refund.id);
      expect(retried).toHaveBeenCalledTimes(2);
      expect(reasons).toMatchObject([{ code, outcome: 'executed', retryable: true, attempts: 1 }]);
      const sold = failingOnce(thrown, 'text/html', { response: 1 });
      const error = await failureOf(createClient({ fetch: sold }).transact.sale(saleParams), ConnectionError);
      expect(error).toMatchObject({ code, outcome: 'unknown', retryable: false, attempts: 1 });
      expect(sold).toHaveBeenCalledOnce();
    },
  );

  it.each([
    ['text/html', 'unknown'],
    ['application/json', 'executed'],
    ['application/problem+json; charset=utf-8', 'executed'],
    [undefined, 'executed'],
  ])('is judged by its content type: %s is %s', async (type, outcome) => {
    const { refunds } = createClient({ fetch: failingOnce('lost', type, {}), maxRetries: 0 });
    const error = await failureOf(refunds.create(refundParams, operation), ConnectionError);
    expect(error).toMatchObject({ outcome, retryable: true });
  });
});
