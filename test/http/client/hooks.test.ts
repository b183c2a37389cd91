/** Hooks and log lines: one start and one end for each call, the id of the call in each, and nothing that an observer does changes a call. */

import { runInNewContext } from 'node:vm';
import {
  ApiError,
  type CallEvent,
  ConnectionError,
  type EndEvent,
  type Hooks,
  InvalidRequestError,
  type Logger,
  PaginationError,
  type PaymentsClient,
  type PaymentsClientOptions,
  type PaymentsError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
  TransactionDeclinedError,
} from 'payments-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { answered, baseUrl, createClient, secretKey, skipBackOff } from '../../support/mock-service.ts';
import { everyForm, sentWord } from '../forms.ts';

const operation = { operationId: 'order-1' };
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const names = ['start', 'request', 'response', 'retry', 'shed', 'error', 'end'] as const;
const levels = ['debug', 'info', 'warn', 'error'] as const;

beforeEach(skipBackOff);

/** An event of a hook, or a line of the logger. */
interface Observation {
  readonly to: string;
  readonly fields: Record<string, unknown>;
}

/** A client whose requests get these statuses and bodies in order, each with its own request id: `req-1`, `req-2`, … */
function observe(
  answers: readonly (readonly [status: number, body: unknown])[],
  options: PaymentsClientOptions = {},
) {
  const observed: Observation[] = [];
  const hook = (to: string) => (event: CallEvent) => observed.push({ to, fields: { ...event } });
  const line = (to: string) => (message: string, fields: Record<string, unknown>) =>
    observed.push({ to: `log ${to}`, fields: { ...fields, message } });
  const hooks: Hooks = Object.fromEntries(names.map((name) => [name, hook(name)]));
  const logger: Logger = Object.fromEntries(levels.map((level) => [level, line(level)]));
  let requests = 0;
  const fetch = async () => {
    const [status, body] = answers[Math.min(requests, answers.length - 1)] ?? [500, {}];
    requests += 1;
    const headers = { 'x-request-id': `req-${requests}` };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers });
  };
  const payments = createClient({ fetch, hooks, logger, ...options });
  return {
    payments,
    observed,
    of: (to: string) => observed.filter((one) => one.to === to).map(({ fields }) => fields),
  };
}

const attempt = ['request', 'log debug', 'response', 'log debug'];

describe.each(everyForm)('the events of %s', (_name, form) => {
  it('of a failure are in order, and have the ids of the call and of each response', async () => {
    const { payments, observed, of } = observe([
      [503, { code: 'busy' }],
      [400, { code: 'no' }],
    ]);
    const error = await failureOf(form.call(payments), ApiError);
    const retried = form.isRepeatable ? ['retry', 'log debug', ...attempt] : [];
    const order = ['start', ...attempt, ...retried, 'error', 'log error', 'end'];
    expect(observed.map(({ to }) => to)).toEqual(order);
    expect(error.callId).toMatch(uuid);
    for (const { fields } of observed)
      expect(fields).toMatchObject({ callId: error.callId, operation: form.operation });
    const count = form.isRepeatable ? 2 : 1;
    const own = ['req-1', 'req-2'].slice(0, count);
    expect(of('response').map(({ requestId, status }) => [requestId, status])).toEqual(
      own.map((id, index) => [id, [503, 400][index]]),
    );
    const retry = {
      requestId: 'req-1',
      attempt: 1,
      wait: 0,
      error: { callId: error.callId, requestId: 'req-1', outcome: form.unanswered },
    };
    expect(of('retry')).toMatchObject(form.isRepeatable ? [retry] : []);
    for (const to of ['error', 'log error']) expect(of(to)).toMatchObject([{ requestId: own.at(-1) }]);
    expect([of('error')[0]?.['error'], of('end')[0]?.['error']]).toEqual([error, error]);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ callId: error.callId, requestId: own.at(-1) });
  });

  it('describe its request, without secrets', async () => {
    const { payments, observed, of } = observe([[200, form.result]]);
    await form.call(payments);
    expect(observed.map(({ to }) => to)).toEqual(['start', ...attempt, 'end']);
    const { method, path, idempotencyKey } = form;
    const described = { method, baseUrl, path, idempotencyKey, attempt: 1 };
    for (const to of ['request', 'response', 'log debug'])
      for (const event of of(to)) expect(event).toMatchObject(described);
    const [{ route, headers } = {}] = of('request');
    expect(route).toBe(form.operation.includes(' ') ? undefined : form.path.replace(sentWord, '{id}'));
    const { authorization } = Object(headers);
    expect(authorization).toBe(form.operation === 'transact.sale' ? undefined : '[redacted]');
    expect(of('response')).toMatchObject([{ status: 200, idempotentReplayed: false, requestId: 'req-1' }]);
    expect(JSON.stringify(observed)).not.toContain(secretKey);
    expect(of('end')).toEqual([
      expect.objectContaining({ callId: of('start')[0]?.['callId'], error: undefined }),
    ]);
  });

  it('start synchronously, and end once for a call that is refused too', async () => {
    const { payments, observed, of } = observe([[200, form.result]]);
    const call = form.call(payments);
    expect(observed[0]?.to).toBe('start');
    await call;
    const error = await failureOf(form.call(payments, { timeout: -1 }), InvalidRequestError);
    expect(observed.slice(-4).map(({ to }) => to)).toEqual(['start', 'error', 'log error', 'end']);
    expect(of('end')).toMatchObject([{ error: undefined }, { callId: error.callId, error }]);
  });
});

describe('the id of a call', () => {
  it('differs for each call, also for concurrent ones', async () => {
    const { payments, of } = observe([[200, refund]]);
    await Promise.all(
      ['a', 'b', 'c'].map((operationId) => payments.refunds.create(refundParams, { operationId })),
    );
    for (const to of ['start', 'request', 'end'])
      expect(new Set(of(to).map(({ callId }) => callId)).size).toBe(3);
  });

  it('is in warnings about a response and about parameters', async () => {
    const { payments, of } = observe([[200, { ...refund, amount: 'much' }]], { validation: 'warn' });
    await payments.refunds.create({ ...refundParams, amount: 0.5 }, operation);
    const [{ callId } = {}] = of('start');
    expect(of('log warn')).toMatchObject([{ callId }, { callId }]);
  });

  it('is absent if an error belongs to no single call', async () => {
    const { payments } = observe([[200, refund]]);
    const error = await failureOf(
      payments.refunds.waitFor('rf_1', { timeout: 1, interval: 1 }),
      TimeoutError,
    );
    expect(error).toMatchObject({ code: 'WAIT_TIMEOUT', callId: undefined });
  });
});

describe('the request id', () => {
  it.each<
    readonly [
      what: string,
      body: unknown,
      call: (p: PaymentsClient) => PromiseLike<unknown>,
      type: typeof PaymentsError,
    ]
  >([
    ['cannot be read', 'no JSON', (p) => p.refunds.retrieve('rf_1'), ResponseValidationError],
    ['breaks the rules of pagination', { data: [] }, (p) => p.refunds.list(), PaginationError],
    [
      'declines',
      'response=2&responsetext=DECLINED',
      (p) => p.transact.sale(saleParams, { throwOnDecline: true }),
      TransactionDeclinedError,
    ],
  ])('is in the error of a response that %s, and in its events', async (_what, body, call, type) => {
    const { payments, of } = observe([[200, body]]);
    const error = await failureOf(call(payments), type);
    expect(error.requestId).toBe('req-1');
    expect(of('error')).toMatchObject([{ error, requestId: 'req-1', callId: error.callId }]);
  });

  it('is absent without a response', async () => {
    const { payments, of } = observe([], { fetch: () => Promise.reject(new Error('lost')) });
    const error = await failureOf(payments.refunds.create(refundParams, operation), ConnectionError);
    expect(error.requestId).toBeUndefined();
    expect(of('error')).toMatchObject([{ requestId: undefined, callId: error.callId }]);
  });
});

it('the duration of a call has all attempts and waits', async () => {
  vi.useFakeTimers();
  vi.mocked(Math.random).mockReturnValue(0.5);
  const ends: EndEvent[] = [];
  const hooks = { end: (event: EndEvent) => ends.push(event) };
  const { payments } = observe(
    [
      [503, {}],
      [200, refund],
    ],
    { hooks },
  );
  // The clock does not stand at 0 when the call begins.
  await vi.advanceTimersByTimeAsync(1000);
  const call = payments.refunds.retrieve('rf_1');
  await vi.runAllTimersAsync();
  await call;
  vi.useRealTimers();
  expect(ends).toMatchObject([{ duration: 250 }]);
});

function fail(): never {
  throw new Error('trapped');
}

const traps = ['get', 'has', 'getPrototypeOf', 'ownKeys', 'getOwnPropertyDescriptor'] as const;

const hostileValues: readonly (readonly [what: string, value: unknown])[] = [
  ['a proxy that always throws', new Proxy({}, Object.fromEntries(traps.map((trap) => [trap, fail])))],
  ['an error whose message throws', Object.defineProperty(new Error(), 'message', { get: fail })],
  ['an error whose message is no text', Object.assign(new Error(), { message: { toString: fail } })],
  ['an error of a megabyte', new Error(`${'\ud800'.repeat(1_000_000)} 4111`)],
  ['a symbol', Symbol('x')],
  ['nothing', undefined],
];

/** An object with these functions, which throws on access once `isHostile` is set. */
function turningHostile(functions: readonly string[]) {
  const state = { isHostile: false };
  const get = () => (state.isHostile ? fail() : () => undefined);
  const members = Object.fromEntries(functions.map((name) => [name, { get, enumerable: true }]));
  return { object: Object.defineProperties({}, members), state };
}

/** Fails once, so that every hook and every log level is used. */
function failingOnce() {
  let count = 0;
  return async () => {
    count += 1;
    return count === 1 ? new Response('', { status: 500 }) : Response.json(refund);
  };
}

async function expectUnchanged(options: PaymentsClientOptions): Promise<void> {
  const { refunds } = createClient({ fetch: failingOnce(), ...options });
  expect(await refunds.create(refundParams, operation)).toEqual(refund);
}

/** Hooks and a logger that are this function. */
const observers = (one: (event?: never) => unknown) => ({
  hooks: Object.fromEntries(names.map((name) => [name, one])),
  logger: Object.fromEntries(levels.map((level) => [level, one])),
});

describe('a call is not changed by hooks and loggers', () => {
  it.each(hostileValues)('that throw, reject with, or return %s', async (_what, value) => {
    const thrower = () => {
      throw value;
    };
    for (const one of [thrower, () => Promise.reject(value), () => value])
      await expectUnchanged(observers(one));
  });

  it('that throw on access', async () => {
    const [hooks, logger] = [turningHostile(names), turningHostile(levels)];
    const { refunds } = createClient({ fetch: failingOnce(), hooks: hooks.object, logger: logger.object });
    hooks.state.isHostile = true;
    logger.state.isHostile = true;
    expect(await refunds.create(refundParams, operation)).toEqual(refund);
  });

  it('that corrupt the event and then throw', async () => {
    const corrupt = (event: object) => {
      for (const field of Object.keys(event)) Object.defineProperty(event, field, { get: fail });
      fail();
    };
    const { hooks } = observers(corrupt as never);
    await expectUnchanged({ hooks, logger: { debug: () => {}, warn: () => {} } });
  });

  it('and one that is undefined fails at nothing', async () => {
    const warn = vi.fn();
    await expectUnchanged({ hooks: { start: undefined, end: undefined }, logger: { warn } });
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    ['throws', () => fail()],
    ['rejects', () => Promise.reject(new Error(`trapped with ${secretKey}`))],
    [
      'rejects in another realm',
      runInNewContext('async () => { throw new RangeError("trapped"); }', { RangeError }),
    ],
  ])('and a hook that %s is warned of, without secrets', async (_what, start) => {
    const warn = vi.fn();
    await expectUnchanged({ hooks: { start }, logger: { warn } });
    expect(warn).toHaveBeenCalledExactlyOnceWith('the start hook failed; the call goes on', {
      callId: expect.stringMatching(uuid),
      hook: 'start',
      reason: expect.stringMatching(/^trapped(?: with \[redacted\])?$/),
    });
  });
});

describe('an error is complete', () => {
  it.each(hostileValues)('if fetch or parse throws %s', async (_what, value) => {
    const payments = createClient({ fetch: () => Promise.reject(value) });
    const thrown = await failureOf(payments.refunds.create(refundParams, operation), ConnectionError);
    expect(thrown).toMatchObject({ code: 'FETCH_THREW', outcome: 'unknown' });
    const parse = () => {
      throw value;
    };
    const call = answered({ id: 'po_1' }).request({ method: 'POST', path: '/v1/payouts', parse }, operation);
    const refused = await failureOf(call, ResponseValidationError);
    expect(refused).toMatchObject({ outcome: 'executed', body: { id: 'po_1' } });
  });

  it.each([
    ['lone surrogates', '\ud800 \udc00x'],
    ['a megabyte of one word', 'x'.repeat(1_000_000)],
    ['a megabyte of blanks', ' '.repeat(1_000_000)],
    ['a megabyte of escapes', '%25'.repeat(300_000)],
    ['a megabyte of digits', '4111 '.repeat(200_000)],
  ])('if the service sends %s', async (_what, message) => {
    const fetch = async () => Response.json({ message, code: message }, { status: 500 });
    const { refunds } = createClient({ fetch, maxRetries: 0 });
    const error = await failureOf(refunds.create(refundParams, operation), ServerError);
    expect(error.message.length).toBeLessThan(500);
    expect(error.body).toEqual({ message, code: message });
  });
});
