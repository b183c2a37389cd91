/** What others are told of each delivery: `onDelivery`, `onError`, `logger` and `instrument`. None of them changes its result. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type {
  DeliveryReport,
  ReceiverOptions,
  WebhookStore,
  WebhooksOptions,
} from 'payments-client/webhooks';
import pino from 'pino';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { delivery, envelope, eventOf, otherSecret, secret, webhooksAt } from '../../support/deliveries.ts';

const card = '4111111111111111';
const failed = eventOf('refund.failed');
const forged = () => delivery(failed, webhooksAt({ secret: otherSecret }));
const throwing = (error: unknown) => ({
  'refund.failed': () => {
    throw error;
  },
});

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

function receiverOf(options: Partial<ReceiverOptions> = {}, settings: Partial<WebhooksOptions> = { logger }) {
  const reports: DeliveryReport[] = [];
  const receiver = webhooksAt({ ...settings, secret: undefined, secrets: { platform: secret } }).receiver({
    store: memoryStore(),
    consumer: 'billing',
    on: {},
    onDelivery: (report) => reports.push(report),
    ...options,
  });
  return { receiver, reports };
}

const written = () => lines.map(([level, message]) => `${level} ${message}`);
const fieldsOf = (index: number) => lines[index]?.[2] ?? {};

const error = new Error('not at first');
const ofRequest = { source: 'request', consumer: 'billing', duration: expect.any(Number) };
const verified = {
  ...ofRequest,
  verified: true,
  scope: 'platform',
  reason: undefined,
  error: undefined,
  issues: [],
};
const refund = {
  ...verified,
  eventId: 'evt_1',
  type: 'refund.failed',
  objectId: 'rf_1',
  created: new Date('2026-01-31T12:00:00Z'),
  attempt: undefined,
};
const noEvent = { eventId: undefined, type: undefined, objectId: undefined, created: undefined };

describe('each delivery', () => {
  /** Delivers one of each outcome to a handler that fails at first, and delivers again while it runs. */
  async function deliverAll() {
    const { receiver, reports } = receiverOf({
      on: {
        'refund.failed': async ({ id }, { attempt }) => {
          if (attempt === 1) throw error;
          if (id === 'evt_1') await receiver.handle(await delivery(failed));
        },
      },
    });
    const drifted = eventOf('refund.failed', { id: 'evt_2', created: 7 });
    const values = [failed, failed, failed, drifted, drifted, envelope('a.b', {}), 'text'];
    const replies: string[] = [];
    for (const sent of [...values.map((value) => delivery(value)), forged()]) {
      const { status, outcome } = await receiver.handle(await sent);
      replies.push(`${status} ${outcome}`);
    }
    return { reports, replies };
  }

  it('is reported once, with what was known of it', async () => {
    const { reports, replies } = await deliverAll();
    const drift = {
      eventId: 'evt_2',
      created: undefined,
      issues: [{ path: 'created', expected: 'an ISO 8601 time in UTC', received: 'the number 7' }],
    };
    expect(reports).toEqual([
      { ...refund, outcome: 'failed', status: 500, attempt: 1, error },
      { ...refund, outcome: 'in_progress', status: 409 },
      { ...refund, outcome: 'handled', status: 200, attempt: 2 },
      { ...refund, outcome: 'duplicate', status: 200 },
      { ...refund, ...drift, outcome: 'failed', status: 500, attempt: 1, error },
      { ...refund, ...drift, outcome: 'handled', status: 200, attempt: 2 },
      { ...refund, outcome: 'handled', status: 200, type: 'a.b', objectId: undefined },
      {
        ...refund,
        ...noEvent,
        outcome: 'failed',
        status: 500,
        attempt: 1,
        error: expect.objectContaining({ reason: 'invalid_payload' }),
        issues: [expect.objectContaining({ path: '(root)' })],
      },
      {
        ...refund,
        ...noEvent,
        outcome: 'refused',
        status: 400,
        verified: false,
        scope: undefined,
        reason: 'no_match',
        error: expect.objectContaining({ reason: 'no_match' }),
      },
    ]);
    // The handler delivered the one in progress.
    expect(replies).toEqual(
      reports
        .filter(({ outcome }) => outcome !== 'in_progress')
        .map(({ status, outcome }) => `${status} ${outcome}`),
    );
    for (const { duration } of reports) expect(duration).toBeGreaterThanOrEqual(0);
  });

  it('is one line of the log, at the level of its outcome, with its report', async () => {
    const { reports } = await deliverAll();
    expect(written()).toEqual([
      'error webhooks: refund.failed evt_1 failed',
      'debug webhooks: refund.failed evt_1 in_progress',
      'debug webhooks: refund.failed evt_1 handled',
      'debug webhooks: refund.failed evt_1 duplicate',
      'error webhooks: refund.failed evt_2 failed',
      'warn webhooks: refund.failed evt_2 differs from the interface; it was handled as it is',
      'debug webhooks: refund.failed evt_2 handled',
      'debug webhooks: a.b evt_1 handled',
      'error webhooks: a delivery failed',
      'info webhooks: a delivery refused',
    ]);
    const known = (report: object = {}) =>
      Object.fromEntries(Object.entries(report).filter(([, value]) => value !== undefined));
    expect(fieldsOf(0)).toEqual({ ...known(reports[0]), error: { name: 'Error', code: undefined } });
    expect(fieldsOf(2)).toEqual(known(reports[2]));
    expect(fieldsOf(5)).toMatchObject({
      error: {
        reason: 'invalid_payload',
        message: expect.stringContaining('created: expected an ISO 8601 time'),
      },
    });
    expect(fieldsOf(9)).toEqual({
      ...known(reports[8]),
      error: expect.objectContaining({ reason: 'no_match' }),
    });
    expect(consoleLines).toEqual([]);
  });

  it.each<[created: unknown, time: Date | undefined]>([
    ['2026-01-31T12:00:00Z', new Date('2026-01-31T12:00:00Z')],
    ['2026-01-31T14:00:00+02:00', new Date('2026-01-31T12:00:00Z')],
    // An integer in either unit.
    [1_769_860_800, new Date('2026-01-31T12:00:00Z')],
    [1_769_860_800_000, new Date('2026-01-31T12:00:00Z')],
    // What `Date` accepts and ISO 8601 does not.
    ['31 Jan 2026', undefined],
    ['1', undefined],
    ['2026-13-31T12:00:00Z', undefined],
  ])('created at %s has that time in its report', async (created, time) => {
    const { receiver, reports } = receiverOf();
    await receiver.handle(await delivery(eventOf('refund.failed', { created })));
    expect(reports.map((report) => report.created)).toEqual([time]);
  });
});

describe('the log', () => {
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
      { name: 'PaymentsError', message: 'ours', code: 'MINE', outcome: 'not_an_operation' },
    ],
  ])('has of an error %s', async (_what, thrown, shown) => {
    await receiverOf({ on: throwing(thrown) }).receiver.handle(await delivery(failed));
    expect(fieldsOf(0)['error']).toMatchObject(shown);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${card}|${secret}`));
  });

  it('shows no id or type that may contain a secret, and no line break', async () => {
    const event = envelope('a\nforged line', {}, { id: `evt_${card}` });
    await receiverOf().receiver.handle(await delivery(event));
    expect(written()).toEqual(['debug webhooks: an event (its id looks like a secret) handled']);
    expect(fieldsOf(0)).not.toHaveProperty('eventId');
    expect(fieldsOf(0)).not.toHaveProperty('type');
  });

  it('has failures outside a delivery: a wrong mount, and a claim that cannot be released', async () => {
    const { receiver } = receiverOf();
    await expect(Reflect.apply(receiver.handle, undefined, [])).rejects.toThrow();
    const store: WebhookStore = { ...memoryStore(), release: () => Promise.reject(new RangeError('gone')) };
    await receiverOf({ store, on: throwing(error) }).receiver.handle(await delivery(failed));
    expect(written()).toEqual([
      'error webhooks: the receiver failed on a delivery',
      // With the body, and then without it.
      'error webhooks: the store failed on refund.failed evt_1',
      'error webhooks: the store failed on refund.failed evt_1',
      'error webhooks: refund.failed evt_1 failed',
    ]);
    expect(fieldsOf(0)).toMatchObject({ part: 'receiver', error: { name: 'ConfigurationError' } });
    expect(fieldsOf(1)).toMatchObject({ part: 'store', error: { name: 'RangeError' } });
  });

  it('of pino gets the fields first', async () => {
    const json: Record<string, unknown>[] = [];
    const stream = { write: (line: string) => json.push(JSON.parse(line)) };
    const { receiver } = receiverOf({}, { logger: pino({ level: 'debug' }, stream) });
    await receiver.handle(await delivery(failed));
    expect(json).toMatchObject([
      { msg: 'webhooks: refund.failed evt_1 handled', outcome: 'handled', eventId: 'evt_1' },
    ]);
  });

  it('refuses a value that is not a logger', () => {
    expect(() => receiverOf({}, { logger: anything('console') })).toThrow(
      'logger: expected an object with functions such as console, got',
    );
  });
});

describe('instrument', () => {
  it('wraps the handler, and receives the consumer and the report of each delivery', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const instrument: WebhooksOptions['instrument'] = (handle, consumer) =>
      context.run('inside', async () => seen.push(consumer, await handle()));
    const on = { 'refund.failed': () => seen.push(context.getStore()) };
    const { receiver, reports } = receiverOf({ on }, { instrument });
    await receiver.handle(await delivery(failed));
    await receiver.handle(await forged());
    expect(seen).toEqual(['inside', 'billing', reports[0], 'billing', reports[1]]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['handled', 'refused']);
  });
});

describe('an instrument that awaits something first', () => {
  it('has the delivery enqueued once', async () => {
    const jobs: unknown[] = [];
    let late: Promise<unknown> | undefined;
    const receiver = webhooksAt({
      secret,
      instrument: async (handle) => {
        late = Promise.resolve().then(handle);
        await late;
      },
    }).receiver({ store: memoryStore(), enqueue: (job) => jobs.push(job) });
    expect((await receiver.handle(await delivery(failed))).status).toBe(200);
    await late;
    expect(jobs).toHaveLength(1);
  });
});

describe('an observer that fails does not change the result:', () => {
  const full = () => {
    throw new Error('a full disk');
  };
  const reject = () => Promise.reject(new Error('a full disk'));
  const instruments: readonly (readonly [string, NonNullable<WebhooksOptions['instrument']>])[] = [
    ['never calls', async () => {}],
    ['calls twice', async (handle) => [await handle(), await handle()]],
    ['rejects', reject],
    ['throws', full],
    ['rejects at the end', async (handle) => [await handle(), await reject()]],
  ];
  it.each<[who: string, Partial<ReceiverOptions>, Partial<WebhooksOptions>]>([
    ['onError throws', { onError: full }, {}],
    ['onError rejects', { onError: reject }, {}],
    ['onDelivery throws', { onDelivery: full }, {}],
    ['onDelivery rejects', { onDelivery: reject }, {}],
    ['a logger throws', {}, { logger: { debug: full, error: full } }],
    ['a logger rejects', {}, { logger: { debug: reject, error: reject } }],
    ['a logger has no such level', {}, { logger: {} }],
    ...instruments.map(([how, instrument]): [string, Partial<ReceiverOptions>, Partial<WebhooksOptions>] => [
      `an instrument ${how}`,
      { onError: () => {} },
      { instrument },
    ]),
  ])('%s', async (_who, options, settings) => {
    const attempts: number[] = [];
    const { receiver } = receiverOf(
      {
        on: {
          'refund.failed': (_event, { attempt }) => {
            attempts.push(attempt);
            if (attempt === 1) throw error;
          },
        },
        ...options,
      },
      settings,
    );
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await receiver.handle(await delivery(failed))).status);
    }
    expect([statuses, attempts]).toEqual([
      [500, 200, 200],
      [1, 2],
    ]);
  });
});
