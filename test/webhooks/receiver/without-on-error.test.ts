/** Without `onError`, the console receives each cause of a failure at most once a minute. */

import { memoryStore } from 'payments-client/stores';
import type { ReceiverOptions } from 'payments-client/webhooks';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  chargeback,
  delivery,
  envelope,
  eventOf,
  otherSecret,
  secret,
  webhooksAt,
} from '../../support/deliveries.ts';
import { memoryBackend } from './modes.ts';

const cardNumber = '4111111111111111';
const live = { livemode: true };
const failed = eventOf('refund.failed', live);
const minute = 60_000;
const advice =
  'Pass onError to webhooks.receiver() to log each failure: without it, each cause is logged once a minute.';
let lines: unknown[][];

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterAll(() => {
  vi.useRealTimers();
});
beforeEach(() => {
  // Each cause may be logged again, whichever test had it before.
  vi.advanceTimersByTime(minute);
  lines = [];
  vi.spyOn(console, 'error').mockImplementation((...line: unknown[]) => {
    lines.push(line);
  });
});

const receiver = (options: Partial<ReceiverOptions>) =>
  webhooksAt().receiver({ store: memoryStore(), on: {}, ...options });

const throwing = (error: unknown) => ({
  'refund.failed': () => {
    throw error;
  },
  'refund.created': () => {
    throw error;
  },
});

const handlerLine = (event: string, error: string) =>
  `payments-client: the handler failed on ${event}: ${error}. ${advice}`;

it('logs a cause once a minute, whatever the event and the receiver', async () => {
  const one = receiver({ on: throwing(new TypeError('no such column')) });
  const other = receiver({ on: throwing(new RangeError('too large')) });
  await one.handle(await delivery(failed));
  expect(lines).toEqual([[handlerLine('refund.failed evt_1', 'TypeError')]]);
  await one.handle(await delivery(failed));
  await one.handle(await delivery(eventOf('refund.created', { id: 'evt_2', ...live })));
  vi.advanceTimersByTime(minute - 1);
  await one.handle(await delivery(failed));
  expect(lines).toHaveLength(1);
  await other.handle(await delivery(failed));
  expect(lines.at(-1)).toEqual([handlerLine('refund.failed evt_1', 'RangeError')]);
  vi.advanceTimersByTime(1);
  await one.handle(await delivery(failed));
  expect(lines).toHaveLength(3);
});

it('logs message and stack of a handler that fails on a test event, without card numbers', async () => {
  const { handle } = receiver({ on: throwing(new TypeError(`no order of ${cardNumber}`)) });
  await handle(await delivery(eventOf('refund.failed')));
  const [first = '', message, ...calls] = String(lines).split('\n');
  expect(first).toBe(handlerLine('refund.failed evt_1', 'TypeError'));
  expect(message).toMatch(/^ {2}TypeError: no order of \[redacted]$/);
  expect(calls.join()).toContain('without-on-error.test.ts');
});

it.each([true, undefined, 'false'])(
  'logs neither message nor stack if the event is not marked as one of test mode: %s',
  async (livemode) => {
    const onEvent = () => Promise.reject(new TypeError('no order of Ada'));
    const { handle } = receiver({ onEvent });
    for (const event of [envelope('a.b', {}, { livemode }), { ...chargeback, livemode }])
      await handle(await delivery(event));
    expect(lines).toEqual([[handlerLine('a.b evt_1', 'TypeError')]]);
  },
);

it.each(['claim', 'complete'] as const)('logs the error of a store that fails to %s', async (step) => {
  const error = Object.assign(new Error('connect 10.0.0.7:6379'), { code: 'ECONNREFUSED' });
  const { handle } = receiver({
    store: { ...memoryStore(), [step]: () => Promise.reject(error) },
    on: { 'refund.failed': () => undefined },
  });
  await handle(await delivery(failed));
  await handle(await delivery(eventOf('refund.failed', { id: 'evt_2' })));
  expect(lines).toEqual([
    [`payments-client: the store failed on refund.failed evt_1: Error (ECONNREFUSED). ${advice}`],
  ]);
});

it('writes one line for the handler and one for the store', async () => {
  const { handle } = receiver({
    store: { ...memoryStore(), release: () => Promise.reject(new Error('gone')) },
    on: throwing(new Error('the cause')),
  });
  await handle(await delivery(failed));
  expect(lines.map(String)).toEqual([
    expect.stringContaining('the store failed on refund.failed evt_1: Error.'),
    expect.stringContaining('the handler failed on refund.failed evt_1: Error.'),
  ]);
});

it('logs an expired lease as a failure of the handler', async () => {
  const store = { ...memoryStore(), complete: async () => false };
  await receiver({ store, on: { 'refund.failed': () => undefined } }).handle(await delivery(failed));
  expect(String(lines)).toContain('the handler failed on refund.failed evt_1: ');
  expect(String(lines)).toContain('lease');
});

it('logs how to mount an adapter that was mounted wrongly', async () => {
  const { handle } = receiver({});
  await expect(Reflect.apply(handle, undefined, [])).rejects.toThrow();
  expect(String(lines)).toMatch(/the receiver failed on a delivery: .*expected .* got .*\. Pass onError/);
});

it.each<[what: string, error: unknown, shown: string]>([
  ['a message', new Error(`card ${cardNumber}, key ${secret}`), 'Error'],
  ['a name', Object.assign(new Error('x'), { name: secret }), 'an Error'],
  ['a name of digits', Object.assign(new Error('x'), { name: cardNumber }), 'an Error'],
  ['a code', Object.assign(new Error('x'), { code: secret }), 'Error'],
  ['a code that is not a string', Object.assign(new Error('x'), { code: Number(cardNumber) }), 'Error'],
  ['a thrown text', `card ${cardNumber}`, 'a value that is not an Error'],
  ['a thrown body', { ccnumber: cardNumber }, 'a value that is not an Error'],
])('never logs the contents of an error: %s', async (_what, error, shown) => {
  await receiver({ on: throwing(error) }).handle(await delivery(failed));
  expect(lines).toEqual([[handlerLine('refund.failed evt_1', shown)]]);
});

it('never logs a secret or a line break of an event', async () => {
  const onEvent = () => {
    throw new Error('x');
  };
  const event = envelope(`a\nforged line`, {}, { id: `evt_${cardNumber}`, ...live });
  await receiver({ onEvent }).handle(await delivery(event));
  expect(lines).toEqual([[handlerLine('an event (its id looks like a secret)', 'Error')]]);
});

it('logs a refused delivery with its reason, once a minute', async () => {
  const { handle } = receiver({ on: throwing(new Error('x')) });
  const forged = await delivery(failed, webhooksAt({ secret: otherSecret }));
  expect(await handle(forged)).toMatchObject({ outcome: 'refused' });
  expect(lines).toEqual([
    [
      expect.stringMatching(
        /^payments-client: the verification failed on a delivery: webhooks: expected a signature .+Pass onError/,
      ),
    ],
  ]);
  await handle(forged);
  expect(lines).toHaveLength(1);
});

it('responds normally if the console itself fails', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {
    throw new Error('EPIPE');
  });
  const { handle } = receiver({ on: throwing(new Error('x')) });
  expect(await handle(await delivery(failed))).toMatchObject({ outcome: 'failed', status: 500 });
});

type Run = ReturnType<typeof memoryBackend>['transaction'];

it.each<[what: string, transactionOf: (own: Run) => Run, part: string]>([
  ['runs nothing', () => async () => {}, 'receiver'],
  ['hides the error of its handler', (own) => (run) => own(run).catch(() => {}), 'handler'],
  ['has no connection', () => () => Promise.reject(new Error('no connection')), 'store'],
  [
    'cannot be committed',
    (own) => (run) =>
      own(async (client) => {
        await run(client);
        throw new Error('no commit');
      }),
    'store',
  ],
])('a line names the part that failed of a transaction that %s', async (_what, transactionOf, part) => {
  const { store, transaction } = memoryBackend();
  const on = part === 'handler' ? throwing(new Error('no stock')) : { 'refund.failed': () => {} };
  const { handle } = webhooksAt().receiver({ store, transaction: transactionOf(transaction), on });
  expect(await handle(await delivery(failed))).toMatchObject({ status: 500 });
  expect(lines).toEqual([[expect.stringContaining(`the ${part} failed on refund.failed evt_1: `)]]);
});

it.each(['onDelivery', 'logger', 'instrument'] as const)(
  '%s alone has the report of a delivery',
  async (who) => {
    const told: unknown[] = [];
    const webhooks = webhooksAt({
      secret,
      ...(who === 'logger' && { logger: { debug: (_message, fields) => told.push(fields) } }),
      ...(who === 'instrument' && { instrument: async (handle) => void told.push(await handle()) }),
    });
    const onDelivery = who === 'onDelivery' ? (report: object) => told.push(report) : undefined;
    const { handle } = webhooks.receiver({ store: memoryStore(), on: {}, onDelivery });
    await handle(await delivery(failed));
    expect(told).toMatchObject([{ outcome: 'handled', duration: 0 }]);
  },
);
