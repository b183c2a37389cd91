/** Reaches inside: the type of an entry of the log is not public, and neither is the way to follow it. */

import { createSandbox, type SandboxOptions } from 'payments-client-sandbox';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clientOf } from '../../../test/support/sandbox.ts';
import type { LogEntry } from '../../src/stories/log-entry.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const tea = { amount: 3100, currency: 'usd' } as const;
const card = { payment_method: 'pm_card_visa' } as const;

/** A sandbox whose log is followed, with what it passed on as texts. */
function start(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 15, 9), ...options });
  const texts: string[] = [];
  const end = sandbox.follow((entry) => texts.push(textOf(entry)));
  return { sandbox, ...clientOf(sandbox, { maxRetries: 0, fetch: sandbox.fetch }), texts, end };
}

function textOf(entry: LogEntry): string {
  if ('result' in entry) return `${entry.order} ${entry.what}: ${entry.result?.text ?? '-'}`;
  return `${entry.order} ${entry.kind} ${entry.event.type}, cause ${entry.cause === null ? 'time' : 'known'}`;
}

it('passes on a request before its effects, within a moment', async () => {
  const { paymentIntents, texts } = start();
  await paymentIntents.create(tea, { operationId: 'order-1' });
  expect(texts).toEqual([]);
  await vi.advanceTimersByTimeAsync(50);
  expect(texts).toEqual(['order-1 create: created', 'order-1 event payment_intent.created, cause known']);
});

it('keeps effects back until their request has its reply, but no longer than about a second', async () => {
  const { sandbox, paymentIntents, texts } = start();
  sandbox.faults.inject({ kind: 'latency', ms: 500, committed: true });
  sandbox.faults.inject({ kind: 'latency', ms: 5_000, committed: true });
  await vi.advanceTimersByTimeAsync(50);
  texts.length = 0;
  const first = paymentIntents.create(tea, { operationId: 'order-1' });
  await vi.advanceTimersByTimeAsync(400);
  expect(texts).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(texts.splice(0)).toEqual([
    'order-1 create: created',
    'order-1 event payment_intent.created, cause known',
  ]);
  const { id } = await first;
  const second = paymentIntents.confirm(id, card, { operationId: 'order-1' });
  await vi.advanceTimersByTimeAsync(1_200);
  expect(texts.splice(0)).toEqual(['order-1 event payment_intent.succeeded, cause time']);
  await vi.advanceTimersByTimeAsync(4_000);
  await second;
  expect(texts).toEqual(['order-1 confirm: charged']);
});

it('names an order whose first reply is late by its operation id, and until then by its object', async () => {
  const { sandbox, paymentIntents, texts } = start();
  sandbox.faults.inject({ kind: 'latency', ms: 5_000, committed: true });
  await vi.advanceTimersByTimeAsync(50);
  texts.length = 0;
  const created = paymentIntents.create(tea, { operationId: 'order-1' });
  await vi.advanceTimersByTimeAsync(1_200);
  const early = texts.splice(0);
  await vi.advanceTimersByTimeAsync(4_000);
  const { id } = await created;
  expect(early).toEqual([`${id} event payment_intent.created, cause time`]);
  expect(texts).toEqual(['order-1 create: created']);
});

it('names the orders of requests that came before it', async () => {
  const sandbox = createSandbox();
  const { paymentIntents } = clientOf(sandbox, { fetch: sandbox.fetch });
  const stop = sandbox.follow(() => {});
  const { id } = await paymentIntents.create(tea, { operationId: 'order-1' });
  stop();
  const texts: string[] = [];
  const end = sandbox.follow((entry) => texts.push(textOf(entry)));
  await paymentIntents.confirm(id, card, { idempotencyKey: 'another' });
  end();
  expect(texts).toEqual(['order-1 confirm: charged', 'order-1 event payment_intent.succeeded, cause known']);
});

it('passes on what is left at its end, and nothing afterwards', async () => {
  const { paymentIntents, texts, end } = start();
  await paymentIntents.create(tea, { operationId: 'order-1' });
  end();
  expect(texts).toHaveLength(2);
  await paymentIntents.create(tea, { operationId: 'order-2' });
  await vi.advanceTimersByTimeAsync(100);
  expect(texts).toHaveLength(2);
});

it('an advance of the clock causes nothing itself: its events are those of their orders', async () => {
  const { sandbox, paymentIntents, refunds, texts, end } = start();
  const { id } = await paymentIntents.create(tea, { operationId: 'order-1' });
  await paymentIntents.confirm(id, card, { operationId: 'order-1' });
  await refunds.create({ payment_intent_id: id }, { operationId: 'order-1' });
  await vi.advanceTimersByTimeAsync(50);
  texts.length = 0;
  await sandbox.clock.advance('1 hour');
  end();
  expect(texts).toEqual([
    'null clock +1 hour → 15 Jan 2026 10:00: -',
    'order-1 event refund.succeeded, cause time',
  ]);
});

it('passes on everything before a reset, and forgets the orders then', async () => {
  const { sandbox, paymentIntents, texts, end } = start({ seed: 'demo' });
  const { id } = await paymentIntents.create(tea, { operationId: 'order-1' });
  sandbox.reset();
  expect((await paymentIntents.create(tea, { operationId: 'order-2' })).id).toBe(id);
  end();
  expect(texts).toEqual([
    'order-1 create: created',
    'order-1 event payment_intent.created, cause known',
    'null reset: -',
    'order-2 create: created',
    'order-2 event payment_intent.created, cause known',
  ]);
});

it('gives a redacted order the id of its object', async () => {
  const { sandbox, paymentIntents, texts, end } = start();
  const { id } = await paymentIntents.create(tea, { operationId: 'order-4111111111111111' });
  end();
  expect(texts[0]).toBe(`${id} create: created`);
  expect(sandbox.story(id)?.id).toBe(id);
});
