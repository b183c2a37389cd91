/** `logger` writes one line for each delivery, with the logger's own argument order, without secrets. */

import { createServer } from 'node:http';
import { type Logger, PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type { ReceiverOptions, WebhookStore } from 'payments-client/webhooks';
import pino from 'pino';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { delivery, envelope, eventOf, otherSecret, secret, webhooksAt } from '../../support/deliveries.ts';
import { listen } from './running.ts';
import { send } from './send.ts';

const card = '4111111111111111';
const failed = eventOf('refund.failed');

type Line = readonly [level: string, message: string, fields: Record<string, unknown>];
let lines: Line[];
let consoleLines: unknown[];

const write = (level: string) => (message: string, fields: Record<string, unknown>) =>
  lines.push([level, message, fields]);
const logger: Logger = {
  debug: write('debug'),
  info: write('info'),
  warn: write('warn'),
  error: write('error'),
};

beforeEach(() => {
  lines = [];
  consoleLines = [];
  vi.spyOn(console, 'error').mockImplementation((line) => {
    consoleLines.push(line);
  });
});

const failing = (error: unknown) => ({
  'refund.failed': () => {
    throw error;
  },
});

function receiverOf(options: Partial<ReceiverOptions> = {}, log = logger) {
  const webhooks = webhooksAt({ secrets: { platform: secret }, maxBodyBytes: 100_000, logger: log });
  return webhooks.receiver({ store: memoryStore(), consumer: 'billing', on: {}, ...options });
}

const levelsAndMessages = () => lines.map(([level, message]) => `${level} ${message}`);
const fieldsOf = (index: number) => lines[index]?.[2];

it('writes a line for each outcome, at its level', async () => {
  const replies: Promise<unknown>[] = [];
  const { handle } = receiverOf({
    on: {
      'refund.failed': async (_event, { attempt }) => {
        if (attempt === 1) throw new Error('not at first');
        replies.push(handle(await delivery(failed)));
        await replies[0];
      },
    },
  });
  for (const event of [failed, failed, failed, envelope('a.b', {}), 'text'])
    await handle(await delivery(event));
  await handle(await delivery(failed, webhooksAt({ secret: otherSecret })));
  expect(levelsAndMessages()).toEqual([
    'error webhooks: refund.failed evt_1 failed',
    'debug webhooks: refund.failed evt_1 in_progress',
    'debug webhooks: refund.failed evt_1 handled',
    'debug webhooks: refund.failed evt_1 duplicate',
    'debug webhooks: a.b evt_1 handled',
    'error webhooks: a delivery failed',
    'info webhooks: a delivery refused',
  ]);
  const duration = expect.any(Number);
  const common = {
    source: 'request',
    duration,
    consumer: 'billing',
    verified: true,
    scope: 'platform',
    issues: [],
  };
  const event = { type: 'refund.failed', eventId: 'evt_1', created: new Date('2026-01-31T12:00:00Z') };
  expect(fieldsOf(0)).toEqual({
    outcome: 'failed',
    status: 500,
    ...common,
    ...event,
    attempt: 1,
    error: { name: 'Error', code: undefined },
  });
  expect(fieldsOf(2)).toEqual({ outcome: 'handled', status: 200, ...common, ...event, attempt: 2 });
  expect(fieldsOf(6)).toEqual({
    outcome: 'refused',
    source: 'request',
    status: 400,
    duration,
    consumer: 'billing',
    verified: false,
    reason: 'no_match',
    error: expect.objectContaining({ reason: 'no_match' }),
    issues: [],
  });
  expect(consoleLines).toEqual([]);
});

it('writes a line for a body that is too large', async () => {
  const url = await listen(createServer(receiverOf().node));
  const { headers } = await delivery(failed);
  await send(`${url}/`, { body: 'x'.repeat(100_001), headers });
  expect(levelsAndMessages()).toEqual(['info webhooks: a delivery refused']);
});

it('warns of an event that differs from the interface, with its issues', async () => {
  const receiver = receiverOf({ on: { 'refund.failed': () => undefined } });
  await receiver.handle(await delivery(eventOf('refund.failed', { created: 7 })));
  expect(levelsAndMessages()).toEqual([
    'warn webhooks: refund.failed evt_1 differs from the interface; it was handled as it is',
    'debug webhooks: refund.failed evt_1 handled',
  ]);
  expect(fieldsOf(0)).toMatchObject({
    error: {
      reason: 'invalid_payload',
      message: expect.stringContaining('created: expected an ISO 8601 time in UTC, got the number 7'),
    },
  });
  expect(fieldsOf(1)).toMatchObject({ issues: [{ path: 'created' }] });
});

describe('logs failures outside a delivery', () => {
  it('a receiver that is mounted wrongly', async () => {
    await expect(Reflect.apply(receiverOf().handle, undefined, [])).rejects.toThrow();
    expect(levelsAndMessages()).toEqual(['error webhooks: the receiver failed on a delivery']);
    expect(fieldsOf(0)).toMatchObject({ part: 'receiver', error: { name: 'ConfigurationError' } });
  });

  it('a claim that could not be released', async () => {
    const store: WebhookStore = { ...memoryStore(), release: () => Promise.reject(new RangeError('gone')) };
    await receiverOf({ store, on: failing(new Error('the cause')) }).handle(await delivery(failed));
    expect(levelsAndMessages()).toEqual([
      // With the body, and then without it.
      'error webhooks: the store failed on refund.failed evt_1',
      'error webhooks: the store failed on refund.failed evt_1',
      'error webhooks: refund.failed evt_1 failed',
    ]);
    expect(fieldsOf(0)).toMatchObject({ part: 'store', error: { name: 'RangeError' } });
  });
});

it('calls onError and onDelivery too', async () => {
  const onError = vi.fn();
  const onDelivery = vi.fn();
  await receiverOf({ on: failing(new Error('x')), onError, onDelivery }).handle(await delivery(failed));
  expect(onError).toHaveBeenCalledOnce();
  expect(onDelivery).toHaveBeenCalledOnce();
  expect(lines).toHaveLength(1);
});

describe('logs of an error', () => {
  it.each<[what: string, error: unknown, shown: object]>([
    [
      'its name and code',
      Object.assign(new TypeError(`for ${card}`), { code: 'ECONNREFUSED' }),
      { name: 'TypeError', code: 'ECONNREFUSED' },
    ],
    ['no code that looks like a secret', Object.assign(new Error('x'), { code: secret }), { name: 'Error' }],
    ['nothing if it is not an error', `card ${card}`, { name: 'a value that is not an Error' }],
    [
      'the result of toJSON() for our own errors',
      new PaymentsError('ours', { code: 'MINE' }),
      { name: 'PaymentsError', message: 'ours', code: 'MINE', outcome: 'not_executed' },
    ],
  ])('%s', async (_what, error, shown) => {
    await receiverOf({ on: failing(error) }).handle(await delivery(failed));
    expect(fieldsOf(0)?.['error']).toMatchObject(shown);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${card}|${secret}`));
  });
});

it('shows no id or type that may contain a secret, and no line break', async () => {
  await receiverOf().handle(await delivery(envelope('a\nforged line', {}, { id: `evt_${card}` })));
  expect(levelsAndMessages()).toEqual(['debug webhooks: an event (its id looks like a secret) handled']);
  expect(fieldsOf(0)).not.toHaveProperty('eventId');
  expect(fieldsOf(0)).not.toHaveProperty('type');
});

it('passes the fields to pino first', async () => {
  const written: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => written.push(JSON.parse(line)) };
  await receiverOf({}, pino({ level: 'debug' }, stream)).handle(await delivery(failed));
  expect(written).toMatchObject([
    { msg: 'webhooks: refund.failed evt_1 handled', outcome: 'handled', eventId: 'evt_1' },
  ]);
});

it.each<[how: string, broken: Logger]>([
  [
    'throws',
    {
      debug: () => {
        throw new Error('a full disk');
      },
    },
  ],
  ['rejects', { debug: () => Promise.reject(new Error('a full disk')) }],
  ['has no such level', {}],
])('does not change the result if it %s', async (_how, broken) => {
  expect(await receiverOf({}, broken).handle(await delivery(failed))).toMatchObject({ status: 200 });
});

it('refuses a value that is not a logger', () => {
  expect(() => receiverOf({}, anything('console'))).toThrow(
    'logger: expected an object with functions such as console, got',
  );
});
