/** `waitFor`: polls until an object is done, less and less often, within its own time limit. */

import {
  InvalidRequestError,
  isTerminal,
  NotFoundError,
  RequestAbortedError,
  TimeoutError,
} from 'payments-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { paymentIntent, product, refund } from '../support/fixtures.ts';
import { createClient, json } from '../support/mock-service.ts';
import { validObject } from '../support/sample-objects.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client that gets these objects in order, the last one again and again; and the times of its requests. */
function polling(...objects: readonly object[]) {
  const startedAt = performance.now();
  const polls: number[] = [];
  const paths: string[] = [];
  const fetch = async ({ url }: Request) => {
    polls.push(Math.round(performance.now() - startedAt));
    paths.push(new URL(url).pathname);
    return json(objects[Math.min(polls.length, objects.length) - 1]);
  };
  return { polls, paths, payments: createClient({ fetch }) };
}

/** Runs the time until a wait ends. */
async function ended<T>(wait: PromiseLike<T>): Promise<T> {
  const settled = Promise.resolve(wait);
  settled.catch(() => {});
  await vi.runAllTimersAsync();
  return settled;
}

const succeeded = { ...refund, status: 'succeeded' };

describe('waitFor', () => {
  it('polls until the resource is terminal', async () => {
    const { paths, payments } = polling(refund, refund, succeeded);
    expect(await ended(payments.refunds.waitFor('rf_1'))).toEqual(succeeded);
    expect(paths).toEqual(Array(3).fill('/v1/refunds/rf_1'));
  });

  it.each([
    ['that is met', (one: { settled_at: unknown }) => one.settled_at !== null],
    ['that is a promise', anything(async (one: { settled_at: unknown }) => one.settled_at !== null)],
  ])('polls until a condition %s', async (_what, until) => {
    const later = { ...refund, status: 'later' };
    const settled = { ...later, settled_at: 5, settlement_batch_id: 'tmb_1' };
    const { polls, payments } = polling(later, later, settled);
    expect(await ended(payments.refunds.waitFor('rf_1', { until }))).toEqual(settled);
    expect(polls).toHaveLength(3);
  });

  it('fails with a condition that fails', async () => {
    const until = anything(async () => {
      throw new RangeError('trapped');
    });
    const wait = polling(refund).payments.refunds.waitFor('rf_1', { until });
    await expect(ended(wait)).rejects.toThrow(RangeError);
  });

  it('stops at a terminal resource, even if the condition of the caller is not met', async () => {
    const failed = { ...refund, status: 'failed', failure_message: 'already_refunded' };
    const until = ({ status }: { status: string }) => status === 'succeeded';
    const wait = polling(refund, failed).payments.refunds.waitFor('rf_1', { until });
    expect((await ended(wait)).status).toBe('failed');
  });

  it('stops at a reconciled batch, which may still change later', async () => {
    const at = (reconciliation_status: string) => ({
      ...validObject('terminal_batch'),
      reconciliation_status,
    });
    const { payments } = polling(at('pending'), at('incomplete'), at('needs_attention'), at('reconciled'));
    const result = await ended(payments.terminalBatches.waitFor('tmb_1'));
    expect(result.reconciliation_status).toBe('reconciled');
    expect(isTerminal(result)).toBe(false);
  });

  it('requires until if the states are unknown', async () => {
    const { polls, payments } = polling(product('prod_1'), { ...product('prod_1'), ready: true });
    const until = (one: object) => 'ready' in one && one.ready === true;
    expect(await ended(payments.products.waitFor('prod_1', { until }))).toMatchObject({ ready: true });
    // @ts-expect-error no until
    await failureOf(payments.products.waitFor('prod_1', { timeout: 1 }), InvalidRequestError);
    expect(polls).toHaveLength(2);
  });

  it.each([
    ['every ten seconds at last', { timeout: 120_000 }, [0, 500, 1500, 3500, 7500, 15_500, 25_500, 35_500]],
    ['as its interval says', { interval: 2_000 }, [0, 2_000, 6_000, 14_000]],
    ['until shortly before its time-out', { interval: 4000, timeout: 3200 }, [0, 1600, 2400, 2800, 3000]],
    ['for a minute by default', { interval: 25_000 }, [0, 25_000, 35_000, 45_000, 52_500, 56_250]],
  ])('polls less and less often, %s', async (_what, options, times) => {
    const { polls, payments } = polling(refund);
    const wait = payments.refunds.waitFor('rf_1', options);
    const settled = wait.then(undefined, (error: unknown) => error);
    await vi.runAllTimersAsync();
    const limit = 'timeout' in options ? options.timeout : 60_000;
    expect(await settled).toBeInstanceOf(TimeoutError);
    expect(await settled).toMatchObject({
      code: 'WAIT_TIMEOUT',
      outcome: 'not_an_operation',
      attempts: polls.length,
    });
    expect(await settled).toMatchObject({
      message: expect.stringContaining(
        `No object in the awaited state within ${limit} ms (the timeout of waitFor). Its last status was '${refund.status}'. `,
      ),
    });
    expect(polls.slice(0, times.length)).toEqual(times);
    expect(polls.at(-1)).toBeLessThan(limit);
    expect(polls.at(-1)).toBeGreaterThan(limit * 0.8);
  });

  it.each([['4111 1111 1111 1111'], ['Card 4111 pending'], ['x\nERROR'], [7], [null]])(
    'does not repeat the status %j in the error of its time-out',
    async (status) => {
      const { payments } = polling({ ...product('prod_1'), status });
      const wait = payments.products.waitFor('prod_1', { until: () => false });
      const { message } = await failureOf(ended(wait), TimeoutError);
      expect(message).toMatch(
        / within 60000 ms \(the timeout of waitFor\)\. products\.waitFor: \d+ attempts\.$/,
      );
    },
  );

  it('stops within a request when its time-out elapses', async () => {
    const fetch = () => new Promise<Response>(() => {});
    const wait = failureOf(createClient({ fetch }).refunds.waitFor('rf_1', { timeout: 60 }), TimeoutError);
    await vi.advanceTimersByTimeAsync(60);
    expect(await wait).toMatchObject({ code: 'WAIT_TIMEOUT', attempts: 1, idempotencyKey: undefined });
    expect((await wait).cause).toMatchObject({ code: 'TOTAL_TIMEOUT' });
  });

  it.each([
    ['within a request', () => new Promise<Response>(() => {})],
    ['between two requests', async () => json(refund)],
  ])('stops %s when it is aborted', async (_what, answer) => {
    const controller = new AbortController();
    const fetch = () => {
      setImmediate(() => controller.abort('closed'));
      return answer();
    };
    const wait = createClient({ fetch }).refunds.waitFor('rf_1', { signal: controller.signal });
    const error = await failureOf(ended(wait), RequestAbortedError);
    expect(error).toMatchObject({ cause: 'closed', outcome: 'not_an_operation', attempts: 1 });
  });

  it('fails if the resource cannot be retrieved', async () => {
    const { refunds } = createClient({ fetch: async () => json({}, { status: 404 }) });
    await failureOf(ended(refunds.waitFor('rf_1')), NotFoundError);
  });

  it.each([
    ['options.interval', { interval: 0 }],
    ['options.timeout', { timeout: -1 }],
    ['options.timeout', { timeout: 2 ** 31 }],
    ['options.until', { until: 'done' as never }],
    ['options.intervall', { intervall: 5 } as object],
  ])('refuses a wrong %s: %j', async (path, options) => {
    const { polls, payments } = polling(refund);
    const error = await failureOf(payments.refunds.waitFor('rf_1', options), InvalidRequestError);
    expect(error.issues).toMatchObject([{ path }]);
    expect(error.message).toMatch(/^refunds\.waitFor: .* Nothing was sent\.$/);
    expect(polls).toEqual([]);
  });
});

describe('waitFor of a payment intent without until', () => {
  const intent = (status: string, latest_charge_id: string | null) => ({
    ...paymentIntent,
    status,
    latest_charge_id,
  });
  const open = (charge: string | null) => intent('requires_payment_method', charge);

  it.each<readonly [what: string, states: readonly object[], status: string, charge: string | null]>([
    [
      'ends when the first attempt is declined',
      [open(null), open(null), open('ch_2')],
      'requires_payment_method',
      'ch_2',
    ],
    [
      'ends when a further attempt is declined',
      [open('ch_1'), open('ch_1'), open('ch_2')],
      'requires_payment_method',
      'ch_2',
    ],
    // The buyer may still pay.
    [
      'goes on while nobody has tried to pay',
      [open(null), open(null), intent('succeeded', 'ch_2')],
      'succeeded',
      'ch_2',
    ],
    [
      'goes on after a decline of before',
      [open('ch_1'), open('ch_1'), intent('succeeded', 'ch_2')],
      'succeeded',
      'ch_2',
    ],
    [
      'goes on after a charge that disappears',
      [open('ch_1'), open(null), intent('canceled', null)],
      'canceled',
      null,
    ],
    [
      'goes on after a charge in another state',
      [intent('requires_action', null), intent('requires_action', 'ch_1'), intent('canceled', null)],
      'canceled',
      null,
    ],
    [
      'goes on after a charge in a state that this version does not know',
      [intent('processing', null), intent('processing', 'ch_1'), intent('canceled', null)],
      'canceled',
      null,
    ],
  ])('%s', async (_what, states, status, latest_charge_id) => {
    const { polls, payments } = polling(...states);
    const result = await ended(payments.paymentIntents.waitFor('pi_1'));
    expect(result).toMatchObject({ status, latest_charge_id });
    expect(polls).toHaveLength(states.length);
  });

  it('keeps no state between two waits', async () => {
    const { payments } = polling(open(null), open('ch_1'), open('ch_1'), intent('canceled', null));
    const wait = () => ended(payments.paymentIntents.waitFor('pi_1'));
    expect((await wait()).latest_charge_id).toBe('ch_1');
    expect((await wait()).status).toBe('canceled');
  });

  it('leaves the decision to until if there is one', async () => {
    const { payments } = polling(open(null), open('ch_1'), intent('succeeded', 'ch_2'));
    const wait = payments.paymentIntents.waitFor('pi_1', { until: () => false });
    expect(await ended(wait)).toMatchObject({ status: 'succeeded' });
  });
});
