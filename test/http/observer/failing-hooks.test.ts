/**
 * Whatever those who watch do, and whatever is thrown, it reaches no call: values that throw when they are looked at, texts of a
 * megabyte, halves of characters.
 */

import {
  ConnectionError,
  type Hooks,
  type Logger,
  ResponseValidationError,
  ServerError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams } from '../../support/fixtures.ts';
import { answered, createClient } from '../../support/mock-service.ts';

const by = { operationId: 'return-1' };

function fail(): never {
  throw new Error('looked at');
}

const traps = ['get', 'has', 'getPrototypeOf', 'ownKeys', 'getOwnPropertyDescriptor'] as const;
/** Throws whatever is asked of it. */
const untouchable = new Proxy({}, Object.fromEntries(traps.map((trap) => [trap, fail])));

const hostileValues: readonly (readonly [what: string, value: unknown])[] = [
  ['untouchable', untouchable],
  ['an error whose message throws', Object.defineProperty(new Error(), 'message', { get: fail })],
  ['an error whose message is no text', Object.assign(new Error(), { message: { toString: fail } })],
  ['an error of a megabyte', new Error(`${'\ud800'.repeat(1_000_000)} 4111`)],
  ['a symbol', Symbol('x')],
  ['nothing', undefined],
];

const names = ['start', 'request', 'response', 'retry', 'error', 'end'] as const;
const levels = ['debug', 'info', 'warn', 'error'] as const;

/** Something with a function under each name, until it is told to throw whatever is asked of it. */
function turning(functions: readonly string[]) {
  const state = { isHostile: false };
  const get = () => (state.isHostile ? fail() : () => undefined);
  const object = Object.defineProperties(
    {},
    Object.fromEntries(functions.map((name) => [name, { get, enumerable: true }])),
  );
  return { object, state };
}

/** Answers once with a failure, so that every hook and every level has something to tell. */
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
  it.each(hostileValues)('hooks and loggers that throw %s', async (_what, value) => {
    const thrower = () => {
      throw value;
    };
    const hooks: Hooks = Object.fromEntries(names.map((name) => [name, thrower]));
    const logger: Logger = Object.fromEntries(levels.map((level) => [level, thrower]));
    const { refunds } = createClient({ fetch: failingOnce(), hooks, logger });
    expect(await refunds.create(refundParams, by)).toEqual(refund);
  });

  it.each(hostileValues)('hooks and loggers that reject with %s, or return it', async (_what, value) => {
    for (const answer of [() => Promise.reject(value), () => value]) {
      const hooks: Hooks = Object.fromEntries(names.map((name) => [name, answer]));
      const logger: Logger = Object.fromEntries(levels.map((level) => [level, answer]));
      const { refunds } = createClient({ fetch: failingOnce(), hooks, logger });
      expect(await refunds.create(refundParams, by)).toEqual(refund);
    }
  });

  it('hooks and loggers that can no longer be asked for', async () => {
    const hooks = turning(names);
    const logger = turning(levels);
    const { refunds } = createClient({ fetch: failingOnce(), hooks: hooks.object, logger: logger.object });
    hooks.state.isHostile = true;
    logger.state.isHostile = true;
    expect(await refunds.create(refundParams, by)).toEqual(refund);
  });

  it('hooks that spoil the event and then throw', async () => {
    const spoil = (event: object) => {
      for (const field of Object.keys(event)) Object.defineProperty(event, field, { get: fail });
      fail();
    };
    const hooks: Hooks = Object.fromEntries(names.map((name) => [name, spoil]));
    const { refunds } = createClient({
      fetch: failingOnce(),
      hooks,
      logger: { debug: () => {}, warn: () => {} },
    });
    expect(await refunds.create(refundParams, by)).toEqual(refund);
  });
});

describe('a failure says what it should', () => {
  it.each(hostileValues)('where a fetch throws %s', async (_what, value) => {
    const fetch = () => Promise.reject(value);
    const error = await failureOf(createClient({ fetch }).refunds.create(refundParams, by), ConnectionError);
    expect(error).toMatchObject({ code: 'FETCH_THREW', outcome: 'unknown' });
  });

  it.each(hostileValues)('where a parse throws %s', async (_what, value) => {
    const parse = () => {
      throw value;
    };
    const call = answered({ id: 'po_1' }).request({ method: 'POST', path: '/v1/payouts', parse }, by);
    const error = await failureOf(call, ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'executed', body: { id: 'po_1' } });
  });

  it.each([
    ['halves of characters', '\ud800 \udc00x'],
    ['a megabyte of one word', 'x'.repeat(1_000_000)],
    ['a megabyte of blanks', ' '.repeat(1_000_000)],
    ['a megabyte of escapes', '%25'.repeat(300_000)],
    ['a megabyte of digits', '4111 '.repeat(200_000)],
  ])('where the service says %s', async (_what, message) => {
    const headers = { 'retry-after': '0' };
    const fetch = async () => Response.json({ message, code: message }, { status: 500, headers });
    const error = await failureOf(createClient({ fetch }).refunds.create(refundParams, by), ServerError);
    expect(error.message.length).toBeLessThan(400);
    expect(error.body).toEqual({ message, code: message });
  });
});
