import {
  InvalidRequestError,
  isTerminal,
  NotFoundError,
  RequestAbortedError,
  TimeoutError,
} from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { paymentIntent, product, refund } from '../support/fixtures.ts';
import { answered, createClient, json, useMockService } from '../support/mock-service.ts';
import { validObject } from '../support/sample-objects.ts';

const service = useMockService();
const soon = { interval: 1 };
const pending = json(refund);
const succeeded = json({ ...refund, status: 'succeeded' });

describe('waitFor', () => {
  it('polls until the resource is terminal', async () => {
    service.answers(pending, pending, succeeded);
    expect(await createClient().refunds.waitFor('rf_1', soon)).toMatchObject({ status: 'succeeded' });
    expect(service.arrivals.map(({ url }) => url.pathname)).toEqual(Array(3).fill('/v1/refunds/rf_1'));
  });

  it('polls until the condition of the caller is met', async () => {
    const settledRefund = { ...refund, status: 'later', settled_at: 5, settlement_batch_id: 'tmb_1' };
    service.answers(succeeded, json({ ...refund, status: 'later', settled_at: null }), json(settledRefund));
    const settled = await createClient()
      .charges.waitFor('ch_1', { ...soon, until: () => true })
      .catch(() => 'not a charge');
    expect(settled).toBe('not a charge');
    const until = ({ settled_at }: { settled_at: number | null }) => settled_at !== null;
    expect(await createClient().refunds.waitFor('rf_1', { ...soon, until })).toMatchObject({ settled_at: 5 });
  });

  it('awaits the condition of the caller', async () => {
    service.answers(json(product('prod_1')));
    let polls = 0;
    const until = anything(async () => {
      polls += 1;
      return polls === 2;
    });
    const { products } = createClient();
    expect(await products.waitFor('prod_1', { ...soon, until })).toMatchObject({ id: 'prod_1' });
    expect(polls).toBe(2);
    const failing = anything(async () => {
      throw new RangeError('trapped');
    });
    await expect(products.waitFor('prod_1', { ...soon, until: failing })).rejects.toThrow(RangeError);
  });

  it('stops at a terminal resource, even if the condition of the caller is not met', async () => {
    service.answers(json({ ...refund, status: 'failed', failure_message: 'already_refunded' }));
    const result = await createClient().refunds.waitFor('rf_1', {
      ...soon,
      until: ({ status }) => status === 'succeeded',
    });
    expect(result.status).toBe('failed');
  });

  it('stops at a reconciled batch, which may still change later', async () => {
    const batch = validObject('terminal_batch');
    const at = (reconciliation_status: string) => json({ ...batch, reconciliation_status });
    service.answers(at('pending'), at('incomplete'), at('reconciled'));
    const result = await createClient().terminalBatches.waitFor('tmb_1', soon);
    expect(result.reconciliation_status).toBe('reconciled');
    expect(isTerminal(result)).toBe(false);
  });

  it('requires until if the states are unknown', async () => {
    service.answers(
      json({ ...product('prod_1'), ready: false }),
      json({ ...product('prod_1'), ready: true }),
    );
    const { products } = createClient();
    const ready = await products.waitFor('prod_1', {
      ...soon,
      until: (one) => 'ready' in one && one.ready === true,
    });
    expect(ready).toMatchObject({ ready: true });
    // @ts-expect-error no until
    await failureOf(products.waitFor('prod_1', { timeout: 1 }), InvalidRequestError);
  });

  it('stops when its time-out elapses', async () => {
    service.answers(pending);
    const error = await failureOf(
      createClient().refunds.waitFor('rf_1', { interval: 50, timeout: 40 }),
      TimeoutError,
    );
    expect(error).toMatchObject({ code: 'WAIT_TIMEOUT', outcome: 'not_executed' });
    expect(error.message).toContain('the timeout of waitFor');
  });

  it('stops when it is aborted, also between two requests', async () => {
    const controller = new AbortController();
    service.answers(pending);
    let polls = 0;
    const until = () => {
      polls += 1;
      if (polls === 2) queueMicrotask(() => controller.abort('closed'));
      return false;
    };
    const call = createClient().refunds.waitFor('rf_1', {
      interval: 1,
      timeout: 120_000,
      signal: controller.signal,
      until,
    });
    expect(await failureOf(call, RequestAbortedError)).toMatchObject({
      message: 'The call was aborted by its signal. refunds.waitFor: 2 attempts.',
      outcome: 'not_executed',
      cause: 'closed',
      attempts: 2,
    });
  });

  it('polls less and less often, at last every ten seconds', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const polls: number[] = [];
    const until = () => polls.push(Math.round(performance.now() - startedAt)) === 8;
    const startedAt = performance.now();
    const wait = answered(refund).refunds.waitFor('rf_1', { timeout: 120_000, until });
    await vi.advanceTimersByTimeAsync(120_000);
    await wait;
    expect(polls).toEqual([0, 500, 1500, 3500, 7500, 15_500, 25_500, 35_500]);
  });

  it('polls until shortly before its time-out, also with an interval that is longer', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const polls: number[] = [];
    const until = () => polls.push(Math.round(performance.now() - startedAt)) === 0;
    const startedAt = performance.now();
    const wait = failureOf(
      answered(refund).refunds.waitFor('rf_1', { interval: 4000, timeout: 3200, until }),
      TimeoutError,
    );
    await vi.advanceTimersByTimeAsync(3200);
    expect(await wait).toMatchObject({ code: 'WAIT_TIMEOUT', attempts: 5 });
    expect(polls).toEqual([0, 1600, 2400, 2800, 3000]);
  });

  it.each([
    ['its time-out elapses', { timeout: 60 }, TimeoutError, 'WAIT_TIMEOUT'],
    ['it is aborted', { signal: AbortSignal.timeout(20) }, RequestAbortedError, 'ABORTED'],
  ])('stops within a request when %s', async (_, options, reason, code) => {
    const fetch = () => new Promise<Response>(() => {});
    const error = await failureOf(createClient({ fetch }).refunds.waitFor('rf_1', options), reason);
    expect(error.code).toBe(code);
  });

  it('fails if the resource cannot be retrieved', async () => {
    service.answers(json({}, { status: 404 }));
    await failureOf(createClient().refunds.waitFor('rf_1', soon), NotFoundError);
  });

  it.each([
    ['options.interval', { interval: 0 }],
    ['options.timeout', { timeout: -1 }],
    ['options.until', { until: 'done' as never }],
  ])('refuses a wrong %s', async (path, options) => {
    const error = await failureOf(createClient().refunds.waitFor('rf_1', options), InvalidRequestError);
    expect(error.issues).toMatchObject([{ path }]);
  });
});

describe('waitFor of a payment intent without until', () => {
  const intent = (status: string, latest_charge_id: string | null) =>
    json({ ...paymentIntent, status, latest_charge_id });
  const wait = (options: object = {}) =>
    createClient().paymentIntents.waitFor('pi_1', { interval: 1, ...options });

  it.each([
    ['the first attempt', null],
    ['a further attempt', 'ch_1'],
  ])('ends when %s is declined meanwhile', async (_what, before) => {
    service.answers(
      intent('requires_payment_method', before),
      intent('requires_payment_method', before),
      intent('requires_payment_method', 'ch_2'),
    );
    expect(await wait()).toMatchObject({ status: 'requires_payment_method', latest_charge_id: 'ch_2' });
    expect(service.arrivals).toHaveLength(3);
  });

  it.each([
    ['nobody has tried to pay', null],
    ['an attempt was declined before', 'ch_1'],
  ])('goes on while %s, since the buyer may still pay', async (_what, before) => {
    service.answers(
      intent('requires_payment_method', before),
      intent('requires_payment_method', before),
      intent('succeeded', 'ch_2'),
    );
    expect(await wait()).toMatchObject({ status: 'succeeded' });
    service.answers(intent('requires_payment_method', before));
    expect(await failureOf(wait({ timeout: 5 }), TimeoutError)).toMatchObject({ code: 'WAIT_TIMEOUT' });
  });

  it.each([
    ['a charge that disappears', 'requires_payment_method', 'ch_1', null],
    ['a charge in another state', 'requires_action', null, 'ch_1'],
    ['a charge in a state that this version does not know', 'processing', null, 'ch_1'],
  ])('goes on after %s', async (_what, status, before, after) => {
    service.answers(intent(status, before), intent(status, after), intent('canceled', null));
    expect(await wait()).toMatchObject({ status: 'canceled' });
  });

  it('keeps no state between two waits', async () => {
    const declined = intent('requires_payment_method', 'ch_1');
    service.answers(intent('requires_payment_method', null), declined, declined, intent('canceled', null));
    expect((await wait()).latest_charge_id).toBe('ch_1');
    expect((await wait()).status).toBe('canceled');
  });

  it('leaves the decision to until if there is one', async () => {
    service.answers(
      intent('requires_payment_method', null),
      intent('requires_payment_method', 'ch_1'),
      intent('succeeded', 'ch_2'),
    );
    expect(await wait({ until: () => false })).toMatchObject({ status: 'succeeded' });
  });
});

const offlineClient = createClient({
  fetch: () => {
    throw new Error('expected nothing to be sent');
  },
});

const { refunds } = offlineClient;

describe('a call of waitFor', () => {
  it('that times out reports the number of requests', async () => {
    const fetch = () => new Promise<Response>(() => {});
    const wait = createClient({ fetch }).refunds.waitFor('rf_1', { timeout: 50 });
    expect(await failureOf(wait, TimeoutError)).toMatchObject({
      message: expect.stringMatching(
        /^No object in the awaited state within 50 ms \(the timeout of waitFor; 30 s is 30_000\)\. refunds\.waitFor: \d+ attempts?\.$/,
      ),
      attempts: 1,
      idempotencyKey: undefined,
    });
  });

  it.each([
    ['options.interval: expected an integer from 1 to 2147483647, in ms, got the number 0', { interval: 0 }],
    [
      'options.timeout: expected an integer from 1 to 2147483647, in ms, got the number 2147483648',
      { timeout: 2 ** 31 },
    ],
  ])('refuses: %s', async (message, options) => {
    const error = await failureOf(refunds.waitFor('rf_1', options), InvalidRequestError);
    expect(error.message).toBe(`refunds.waitFor: ${message}. Nothing was sent.`);
  });
});
