/**
 * Failing hooks and loggers never change a call, and hostile values never break an error: values that throw on access, texts of
 * a megabyte, lone surrogates.
 */

import { runInNewContext } from 'node:vm';
import {
  ConnectionError,
  type Hooks,
  type Logger,
  ResponseValidationError,
  ServerError,
} from 'payments-client';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams } from '../../support/fixtures.ts';
import { answered, createClient } from '../../support/mock-service.ts';

const operation = { operationId: 'return-1' };

function fail(): never {
  throw new Error('trapped');
}

const traps = ['get', 'has', 'getPrototypeOf', 'ownKeys', 'getOwnPropertyDescriptor'] as const;
/** Throws on every access. */
const untouchable = new Proxy({}, Object.fromEntries(traps.map((trap) => [trap, fail])));

const hostileValues: readonly (readonly [what: string, value: unknown])[] = [
  ['a proxy that always throws', untouchable],
  ['an error whose message throws', Object.defineProperty(new Error(), 'message', { get: fail })],
  ['an error whose message is no text', Object.assign(new Error(), { message: { toString: fail } })],
  ['an error of a megabyte', new Error(`${'\ud800'.repeat(1_000_000)} 4111`)],
  ['a symbol', Symbol('x')],
  ['nothing', undefined],
];

const names = ['start', 'request', 'response', 'retry', 'error', 'end'] as const;
const levels = ['debug', 'info', 'warn', 'error'] as const;

/** An object with these functions, which throws on access once `isHostile` is set. */
function turningHostile(functions: readonly string[]) {
  const state = { isHostile: false };
  const get = () => (state.isHostile ? fail() : () => undefined);
  const object = Object.defineProperties(
    {},
    Object.fromEntries(functions.map((name) => [name, { get, enumerable: true }])),
  );
  return { object, state };
}

/** Fails once, so that every hook and every log level is used. */
function failingOnce() {
  let count = 0;
  return async () => {
    count += 1;
    return count === 1
      ? new Response('', { status: 500, headers: { 'retry-after': '0' } })
      : Response.json(refund);
  };
}

describe('a call is not changed by', () => {
  it('hooks of another realm whose promises reject', async () => {
    const context = { RangeError };
    const start = runInNewContext('async () => { throw new RangeError("trapped"); }', context);
    const warn = vi.fn();
    const { refunds } = createClient({ fetch: failingOnce(), hooks: { start }, logger: { warn } });
    expect(await refunds.create(refundParams, operation)).toEqual(refund);
    expect(warn).toHaveBeenCalledWith(
      expect.stringContaining('the start hook failed'),
      expect.objectContaining({ hook: 'start', reason: expect.stringContaining('trapped') }),
    );
  });

  it.each(hostileValues)('hooks and loggers that throw %s', async (_what, value) => {
    const thrower = () => {
      throw value;
    };
    const hooks: Hooks = Object.fromEntries(names.map((name) => [name, thrower]));
    const logger: Logger = Object.fromEntries(levels.map((level) => [level, thrower]));
    const { refunds } = createClient({ fetch: failingOnce(), hooks, logger });
    expect(await refunds.create(refundParams, operation)).toEqual(refund);
  });

  it.each(hostileValues)('hooks and loggers that reject with %s, or return it', async (_what, value) => {
    for (const hook of [() => Promise.reject(value), () => value]) {
      const hooks: Hooks = Object.fromEntries(names.map((name) => [name, hook]));
      const logger: Logger = Object.fromEntries(levels.map((level) => [level, hook]));
      const { refunds } = createClient({ fetch: failingOnce(), hooks, logger });
      expect(await refunds.create(refundParams, operation)).toEqual(refund);
    }
  });

  it('hooks and loggers that throw on access', async () => {
    const hooks = turningHostile(names);
    const logger = turningHostile(levels);
    const { refunds } = createClient({ fetch: failingOnce(), hooks: hooks.object, logger: logger.object });
    hooks.state.isHostile = true;
    logger.state.isHostile = true;
    expect(await refunds.create(refundParams, operation)).toEqual(refund);
  });

  it('hooks that corrupt the event and then throw', async () => {
    const corrupt = (event: object) => {
      for (const field of Object.keys(event)) Object.defineProperty(event, field, { get: fail });
      fail();
    };
    const hooks: Hooks = Object.fromEntries(names.map((name) => [name, corrupt]));
    const { refunds } = createClient({
      fetch: failingOnce(),
      hooks,
      logger: { debug: () => {}, warn: () => {} },
    });
    expect(await refunds.create(refundParams, operation)).toEqual(refund);
  });
});

describe('an error is complete', () => {
  it.each(hostileValues)('if fetch throws %s', async (_what, value) => {
    const fetch = () => Promise.reject(value);
    const error = await failureOf(
      createClient({ fetch }).refunds.create(refundParams, operation),
      ConnectionError,
    );
    expect(error).toMatchObject({ code: 'FETCH_THREW', outcome: 'unknown' });
  });

  it.each(hostileValues)('if parse throws %s', async (_what, value) => {
    const parse = () => {
      throw value;
    };
    const call = answered({ id: 'po_1' }).request({ method: 'POST', path: '/v1/payouts', parse }, operation);
    const error = await failureOf(call, ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'executed', body: { id: 'po_1' } });
  });

  it.each([
    ['lone surrogates', '\ud800 \udc00x'],
    ['a megabyte of one word', 'x'.repeat(1_000_000)],
    ['a megabyte of blanks', ' '.repeat(1_000_000)],
    ['a megabyte of escapes', '%25'.repeat(300_000)],
    ['a megabyte of digits', '4111 '.repeat(200_000)],
  ])('if the service sends %s', async (_what, message) => {
    const headers = { 'retry-after': '0' };
    const fetch = async () => Response.json({ message, code: message }, { status: 500, headers });
    const error = await failureOf(
      createClient({ fetch }).refunds.create(refundParams, operation),
      ServerError,
    );
    expect(error.message.length).toBeLessThan(500);
    expect(error.body).toEqual({ message, code: message });
  });
});
