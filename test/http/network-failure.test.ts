/** Errors of calls without a usable response: network failures, time-outs, aborts and truncated responses. */

import {
  ApiError,
  ConnectionError,
  type PaymentsClientOptions,
  RequestAbortedError,
  ServerError,
  TimeoutError,
} from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund, refundParams, saleParams } from '../support/fixtures.ts';
import { createClient } from '../support/mock-service.ts';

function refundError(
  fetch: PaymentsClientOptions['fetch'],
  options: PaymentsClientOptions = {},
  signal?: AbortSignal,
) {
  const { refunds } = createClient({ fetch, maxRetries: 0, ...options });
  return refunds.create(refundParams, { operationId: 'return-1', signal });
}

const errorWithCode = (code: unknown, message = 'it broke', fields = {}) =>
  Object.assign(new Error(message), { code, ...fields });

/** An error of the operating system, while it connects or in another system call. */
const systemError = (code: string, message = 'it broke', syscall = 'connect') =>
  errorWithCode(code, message, { syscall });

/** A response whose body never ends. */
const endlessResponse = (status: number) => new Response(new ReadableStream(), { status });

function circular(): Error {
  const error = new Error('in a circle');
  error.cause = new Error('and back', { cause: error });
  return error;
}

describe('an error of fetch', () => {
  it.each<[what: string, thrown: unknown, code: string, outcome: string, cause: string | undefined]>([
    ['a refused connection', systemError('ECONNREFUSED'), 'ECONNREFUSED', 'not_executed', 'it broke'],
    ['an unknown host', systemError('ENOTFOUND', 'no', 'getaddrinfo'), 'ENOTFOUND', 'not_executed', 'no'],
    ['a refusal without a system call', errorWithCode('ECONNREFUSED'), 'ECONNREFUSED', 'unknown', 'it broke'],
    [
      'a refusal while it read',
      systemError('ECONNREFUSED', 'late', 'read'),
      'ECONNREFUSED',
      'unknown',
      'late',
    ],
    [
      'no way to the host while it read',
      systemError('EHOSTUNREACH', 'late', 'read'),
      'EHOSTUNREACH',
      'unknown',
      'late',
    ],
    [
      'no way to the network while it read',
      systemError('ENETUNREACH', 'late', 'read'),
      'ENETUNREACH',
      'unknown',
      'late',
    ],
    ['a reset', errorWithCode('ECONNRESET'), 'ECONNRESET', 'unknown', 'it broke'],
    [
      'a code of the cause',
      new Error('outer', { cause: errorWithCode('EPIPE', 'inner') }),
      'EPIPE',
      'unknown',
      'inner',
    ],
    [
      'several refused addresses',
      new AggregateError([systemError('ECONNREFUSED', 'one'), systemError('EHOSTUNREACH', 'two')]),
      'ECONNREFUSED',
      'not_executed',
      'one',
    ],
    [
      'several addresses, of which one broke later',
      new AggregateError([systemError('ECONNREFUSED', 'one'), errorWithCode('ECONNRESET', 'two')]),
      'ECONNREFUSED',
      'unknown',
      'one',
    ],
    ['a mistake of the caller', errorWithCode('ERR_INVALID_ARG_TYPE'), 'FETCH_THREW', 'unknown', 'it broke'],
    ['a code that is no string', errorWithCode(7), 'FETCH_THREW', 'unknown', 'it broke'],
    ['a code that is only a word', errorWithCode('oops'), 'FETCH_THREW', 'unknown', 'it broke'],
    [
      'causes without a code',
      new Error('outer', { cause: new Error('inner') }),
      'FETCH_THREW',
      'unknown',
      'inner',
    ],
    ['causes in a circle', circular(), 'FETCH_THREW', 'unknown', 'in a circle'],
    [
      'a network error of a Worker',
      errorWithCode(undefined, 'lost', { remote: true }),
      'NETWORK',
      'unknown',
      'lost',
    ],
    [
      'a retryable error of a Worker',
      errorWithCode(undefined, 'lost', { retryable: true }),
      'NETWORK',
      'unknown',
      'lost',
    ],
    [
      'what a Worker does not mark',
      errorWithCode(undefined, 'lost', { remote: 1 }),
      'FETCH_THREW',
      'unknown',
      'lost',
    ],
    ['a value that is no error', 'just a text', 'FETCH_THREW', 'unknown', undefined],
  ])('(%s) is reported with its code and a copy of its cause', async (_, thrown, code, outcome, cause) => {
    const error = await failureOf(
      refundError(() => Promise.reject(thrown)),
      ConnectionError,
    );
    expect(error).toMatchObject({ code, outcome });
    expect(error.message).toContain(code);
    expect(error.cause).toEqual(
      cause === undefined ? undefined : expect.objectContaining({ message: cause }),
    );
    expect(error.cause).not.toBe(thrown);
    expect(Reflect.get(Object(error.cause), 'code')).toBe(code.startsWith('E') ? code : undefined);
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
  ['Bun', errorWithCode('BrotliDecompressionError'), 'BrotliDecompressionError'],
  ['workerd', Object.assign(new Error('Network connection lost.'), { retryable: true }), 'NETWORK'],
  ['workerd', new Error('Network connection lost.'), 'NETWORK'],
  ['workerd', new TypeError('Decompression failed.'), 'NETWORK'],
  ['Node', new TypeError('terminated', { cause: errorWithCode('Z_DATA_ERROR') }), 'NETWORK'],
  ['Node', errorWithCode('ERR__ERROR_FORMAT_CL_SPACE'), 'NETWORK'],
  ['a polyfill', 'a text', 'NETWORK'],
  // It would prove that nothing left, if there were no head.
  ['a polyfill', systemError('ECONNREFUSED'), 'ECONNREFUSED'],
];

describe('a body that fails after the head', () => {
  /** A `fetch` whose body fails after a few bytes, once. */
  function failingOnce(thrown: unknown, type: string, then: unknown) {
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"id":')),
      pull: (stream) => stream.error(thrown),
    });
    const broken = new Response(body, { headers: { 'content-type': type } });
    return vi.fn(async () => Response.json(then)).mockResolvedValueOnce(broken);
  }

  it.each(bodyErrors)('is a failure of the network on %s: %s', async (_runtime, thrown, code) => {
    const error = await failureOf(refundError(failingOnce(thrown, 'application/json', {})), ConnectionError);
    expect(error).toMatchObject({ code, outcome: 'executed', retryable: true, attempts: 1 });
  });

  it.each(bodyErrors)('is retried with a key, but not for a sale, on %s: %s', async (_runtime, thrown) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const retried = failingOnce(thrown, 'application/json', refund);
    expect((await refundError(retried, { maxRetries: 1 })).id).toBe(refund.id);
    expect(retried).toHaveBeenCalledTimes(2);
    const sold = failingOnce(thrown, 'text/html', { response: 1 });
    const { transact } = createClient({ fetch: sold, maxRetries: 2 });
    const error = await failureOf(transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, attempts: 1 });
    expect(sold).toHaveBeenCalledOnce();
  });
});

describe('an elapsed time-out', () => {
  const neverResponds = () => new Promise<Response>(() => {});

  it.each([
    ['ATTEMPT_TIMEOUT', 'within 30 ms (timeout; 30 s is 30_000)', { timeout: 30, totalTimeout: 60_000 }],
    ['TOTAL_TIMEOUT', 'within 30 ms (totalTimeout; 30 s is 30_000)', { timeout: 60_000, totalTimeout: 30 }],
  ])('is reported as %s', async (code, words, options) => {
    const error = await failureOf(refundError(neverResponds, options), TimeoutError);
    expect(error).toMatchObject({ code, outcome: 'unknown', attempts: 1 });
    expect(error.message).toContain(words);
  });

  it('leaves no timer behind, and neither does a finished call', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    await refundError(async () => Response.json(refund));
    expect(vi.getTimerCount()).toBe(0);
    const failure = failureOf(refundError(neverResponds, { timeout: 30 }), TimeoutError);
    await vi.advanceTimersByTimeAsync(30);
    await failure;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts the signal of a custom fetch', async () => {
    const signals: AbortSignal[] = [];
    const fetch = ({ signal }: Request) => {
      signals.push(signal);
      return neverResponds();
    };
    await failureOf(refundError(fetch, { timeout: 30 }), TimeoutError);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('an aborted signal', () => {
  it('is reported with its reason during the request', async () => {
    const controller = new AbortController();
    const fetch = () => {
      controller.abort('closed');
      return new Promise<Response>(() => {});
    };
    const error = await failureOf(refundError(fetch, {}, controller.signal), RequestAbortedError);
    expect(error).toMatchObject({ outcome: 'unknown', cause: 'closed', attempts: 1 });
  });

  it('is reported even if an error response had begun to arrive', async () => {
    const controller = new AbortController();
    const fetch = async () => {
      setImmediate(() => controller.abort());
      return endlessResponse(400);
    };
    await failureOf(refundError(fetch, {}, controller.signal), RequestAbortedError);
  });
});

describe('a truncated response', () => {
  it('with an error status is an error without a body', async () => {
    const error = await failureOf(
      refundError(async () => endlessResponse(503), { timeout: 30 }),
      ServerError,
    );
    expect(error).toMatchObject({ status: 503, outcome: 'unknown', body: '' });
  });

  it('with a 2xx status means that the call took effect', async () => {
    const error = await failureOf(
      refundError(async () => endlessResponse(200), { timeout: 30 }),
      TimeoutError,
    );
    expect(error.outcome).toBe('executed');
  });

  it.each([300, 304, 399])('of status %i explains that redirects are not followed', async (status) => {
    const response = () => Promise.resolve(new Response(null, { status }));
    const error = await failureOf(refundError(response), ApiError);
    expect(error.message).toContain('Redirects are not followed: set baseUrl to where the service is.');
  });

  it('of status 400 does not mention redirects', async () => {
    const error = await failureOf(
      refundError(async () => new Response('', { status: 400 })),
      ApiError,
    );
    expect(error.message).not.toContain('Redirects');
  });
});
