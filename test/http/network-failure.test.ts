/** What a call that got no usable response is told as: by its network, its time, its signal, and half an answer. */

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
import { refund, refundParams } from '../support/fixtures.ts';
import { createClient } from '../support/mock-service.ts';

function refunding(
  fetch: PaymentsClientOptions['fetch'],
  options: PaymentsClientOptions = {},
  signal?: AbortSignal,
) {
  const { refunds } = createClient({ fetch, maxRetries: 0, ...options });
  return refunds.create(refundParams, { operationId: 'return-1', signal });
}

const coded = (code: unknown, message = 'it broke', fields = {}) =>
  Object.assign(new Error(message), { code, ...fields });

/** What the system says while it connects, or by another of its calls. */
const connecting = (code: string, message = 'it broke', syscall = 'connect') =>
  coded(code, message, { syscall });

/** A response whose body never ends. */
const endless = (status: number) => new Response(new ReadableStream(), { status });

function circular(): Error {
  const error = new Error('in a circle');
  error.cause = new Error('and back', { cause: error });
  return error;
}

describe('what a fetch throws', () => {
  it.each<[what: string, thrown: unknown, code: string, outcome: string, cause: string | undefined]>([
    ['a refused connection', connecting('ECONNREFUSED'), 'ECONNREFUSED', 'not_executed', 'it broke'],
    ['an unknown host', connecting('ENOTFOUND', 'no', 'getaddrinfo'), 'ENOTFOUND', 'not_executed', 'no'],
    ['a refusal that names no system call', coded('ECONNREFUSED'), 'ECONNREFUSED', 'unknown', 'it broke'],
    [
      'a refusal while it read',
      connecting('ECONNREFUSED', 'late', 'read'),
      'ECONNREFUSED',
      'unknown',
      'late',
    ],
    [
      'no way to the host while it read',
      connecting('EHOSTUNREACH', 'late', 'read'),
      'EHOSTUNREACH',
      'unknown',
      'late',
    ],
    [
      'no way to the network while it read',
      connecting('ENETUNREACH', 'late', 'read'),
      'ENETUNREACH',
      'unknown',
      'late',
    ],
    ['a reset', coded('ECONNRESET'), 'ECONNRESET', 'unknown', 'it broke'],
    ['a code below', new Error('outer', { cause: coded('EPIPE', 'inner') }), 'EPIPE', 'unknown', 'inner'],
    [
      'several refused addresses',
      new AggregateError([connecting('ECONNREFUSED', 'one'), connecting('EHOSTUNREACH', 'two')]),
      ...(['ECONNREFUSED', 'not_executed', 'one'] as const),
    ],
    [
      'several addresses, of which one broke later',
      new AggregateError([connecting('ECONNREFUSED', 'one'), coded('ECONNRESET', 'two')]),
      ...(['ECONNREFUSED', 'unknown', 'one'] as const),
    ],
    ['a mistake of the caller', coded('ERR_INVALID_ARG_TYPE'), 'FETCH_THREW', 'unknown', 'it broke'],
    ['a code that is none', coded(7), 'FETCH_THREW', 'unknown', 'it broke'],
    ['a word for a code', coded('oops'), 'FETCH_THREW', 'unknown', 'it broke'],
    [
      'causes without a code',
      new Error('outer', { cause: new Error('inner') }),
      'FETCH_THREW',
      'unknown',
      'inner',
    ],
    ['causes in a circle', circular(), 'FETCH_THREW', 'unknown', 'in a circle'],
    ['what a Worker throws', coded(undefined, 'lost', { remote: true }), 'NETWORK', 'unknown', 'lost'],
    ['what a Worker may retry', coded(undefined, 'lost', { retryable: true }), 'NETWORK', 'unknown', 'lost'],
    [
      'what a Worker does not mark',
      coded(undefined, 'lost', { remote: 1 }),
      'FETCH_THREW',
      'unknown',
      'lost',
    ],
    ['no error at all', 'just a text', 'FETCH_THREW', 'unknown', undefined],
  ])('(%s) is told by its code, with a copy of its cause', async (_, thrown, code, outcome, cause) => {
    const error = await failureOf(
      refunding(() => Promise.reject(thrown)),
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

describe('a time that is over', () => {
  const never = () => new Promise<Response>(() => {});

  it.each([
    ['ATTEMPT_TIMEOUT', 'within 30 ms (timeout)', { timeout: 30, totalTimeout: 60_000 }],
    ['TOTAL_TIMEOUT', 'within 30 ms (totalTimeout)', { timeout: 60_000, totalTimeout: 30 }],
  ])('is told as %s', async (code, words, options) => {
    const error = await failureOf(refunding(never, options), TimeoutError);
    expect(error).toMatchObject({ code, outcome: 'unknown', attempts: 1 });
    expect(error.message).toContain(words);
  });

  it('leaves no timer behind, and neither does a call that is done', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    await refunding(async () => Response.json(refund));
    expect(vi.getTimerCount()).toBe(0);
    const failure = failureOf(refunding(never, { timeout: 30 }), TimeoutError);
    await vi.advanceTimersByTimeAsync(30);
    await failure;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts what a fetch of your own waits for', async () => {
    const signals: AbortSignal[] = [];
    const fetch = ({ signal }: Request) => {
      signals.push(signal);
      return never();
    };
    await failureOf(refunding(fetch, { timeout: 30 }), TimeoutError);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('a signal that is aborted', () => {
  it('is told with its reason while the request is away', async () => {
    const controller = new AbortController();
    const fetch = () => {
      controller.abort('closed');
      return new Promise<Response>(() => {});
    };
    const error = await failureOf(refunding(fetch, {}, controller.signal), RequestAbortedError);
    expect(error).toMatchObject({ outcome: 'unknown', cause: 'closed', attempts: 1 });
  });

  it('is told even where a refusal had begun to come', async () => {
    const controller = new AbortController();
    const fetch = async () => {
      setImmediate(() => controller.abort());
      return endless(400);
    };
    await failureOf(refunding(fetch, {}, controller.signal), RequestAbortedError);
  });
});

describe('half an answer', () => {
  it('that refuses is a refusal without a body', async () => {
    const error = await failureOf(
      refunding(async () => endless(503), { timeout: 30 }),
      ServerError,
    );
    expect(error).toMatchObject({ status: 503, outcome: 'unknown', body: '' });
  });

  it('that accepts means that it took effect', async () => {
    const error = await failureOf(
      refunding(async () => endless(200), { timeout: 30 }),
      TimeoutError,
    );
    expect(error.outcome).toBe('executed');
  });

  it.each([300, 304, 399])('of status %i is a refusal that says what to do', async (status) => {
    const response = () => Promise.resolve(new Response(null, { status }));
    const error = await failureOf(refunding(response), ApiError);
    expect(error.message).toContain('Redirects are not followed: set baseUrl to where the service is.');
  });

  it('of status 400 has nothing to do with redirects', async () => {
    const error = await failureOf(
      refunding(async () => new Response('', { status: 400 })),
      ApiError,
    );
    expect(error.message).not.toContain('Redirects');
  });
});
