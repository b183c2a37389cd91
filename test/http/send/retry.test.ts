/** When a call is tried again: the history of its attempts, and the waits between them. */

import fc from 'fast-check';
import {
  ApiError,
  type Outcome,
  PaymentsError,
  RateLimitError,
  RequestAbortedError,
  ServerError,
  TimeoutError,
} from 'payments-client';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams } from '../../support/fixtures.ts';
import { createClient, json, skipBackOff } from '../../support/mock-service.ts';
import { startAnew } from '../../support/new-process.ts';
import { bySize } from '../../support/size.ts';
import { everyForm, type Form } from '../forms.ts';

const operation = { operationId: 'order-1' };
const neverResponds = () => new Promise<Response>(() => {});

beforeEach(skipBackOff);

/** A client that gets these answers in order, the last one again and again; and the requests that it sent. */
function scripted(answers: readonly (() => Response | Promise<Response>)[], options = {}) {
  const requests: { readonly key: string | null; readonly url: string; readonly body: string }[] = [];
  const fetch = async (request: Request) => {
    const { url, headers } = request;
    requests.push({ key: headers.get('idempotency-key'), url, body: await request.text() });
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer === undefined) throw new Error('expected an answer');
    return answer();
  };
  return { requests, payments: createClient({ fetch, ...options }) };
}

interface Step {
  readonly answer: (form: Form) => Response | Promise<Response>;
  /** What this attempt alone may have done; `accepted` depends on the form of the call. */
  readonly proves: Outcome | 'accepted';
  readonly mayPass: boolean;
  /** Whether the request never left, so that even a sale may be sent again. */
  readonly neverLeft?: boolean;
  /** Whether it is the end of the operation that a POST's key names, so that what came before no longer counts. */
  readonly answersKey?: boolean;
}

const status =
  (code: number, body: unknown = {}, headers = {}) =>
  () =>
    json(body, { status: code, headers });
const failing = (code: string, syscall: string) => () =>
  Promise.reject(Object.assign(new Error('it broke'), { code, syscall }));
const cutBody = () => {
  const body = new ReadableStream({ pull: (stream) => stream.error(new Error('cut')) });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
};
const replayed = { 'idempotent-replayed': 'true' };

const steps: Readonly<Record<string, Step>> = {
  'refused connection': {
    answer: failing('ECONNREFUSED', 'connect'),
    proves: 'not_executed',
    mayPass: true,
    neverLeft: true,
  },
  reset: { answer: failing('ECONNRESET', 'read'), proves: 'unknown', mayPass: true },
  'broken write': { answer: failing('EPIPE', 'write'), proves: 'unknown', mayPass: true },
  500: { answer: status(500), proves: 'unknown', mayPass: true },
  408: { answer: status(408), proves: 'unknown', mayPass: true },
  429: { answer: status(429), proves: 'not_executed', mayPass: true },
  'no key store': {
    answer: status(503, { code: 'IDEMPOTENCY_STORE_UNAVAILABLE' }),
    proves: 'not_executed',
    mayPass: true,
  },
  'in progress': {
    answer: status(409, { code: 'IDEMPOTENCY_KEY_IN_PROGRESS' }),
    proves: 'unknown',
    mayPass: true,
  },
  'cut result': { answer: cutBody, proves: 'accepted', mayPass: true },
  refusal: { answer: status(400, { code: 'BAD' }), proves: 'not_executed', mayPass: false },
  'refusal of before': {
    answer: status(422, { code: 'BAD' }, replayed),
    proves: 'not_executed',
    mayPass: false,
    answersKey: true,
  },
  decline: {
    answer: status(402, { code: 'CARD_DECLINED' }),
    proves: 'not_executed',
    mayPass: false,
    answersKey: true,
  },
  '429 of before': {
    answer: status(429, { code: 'BUSY' }, replayed),
    proves: 'not_executed',
    mayPass: true,
  },
  page: { answer: () => new Response('<html>'), proves: 'unknown', mayPass: false },
  'spoiled result': { answer: () => new Response('{"odd":'), proves: 'accepted', mayPass: false },
  success: { answer: ({ result }) => json(result), proves: 'not_executed', mayPass: false },
};

const certainty: readonly Outcome[] = ['not_executed', 'unknown', 'executed'];
const greater = (one: Outcome, other: Outcome) =>
  certainty.indexOf(one) > certainty.indexOf(other) ? one : other;

/** What the caller must learn of a call with these steps: how many attempts, and what they may have done together. */
function expectedOf(form: Form, names: readonly string[], maxRetries: number) {
  let outcome = form.unsent;
  for (let attempts = 1; ; attempts += 1) {
    const name = names[Math.min(attempts, names.length) - 1] ?? '';
    const step = steps[name];
    if (step === undefined) throw new Error(`no step ${name}`);
    if (name === 'success') return { attempts, outcome: 'none' };
    const own = step.proves === 'accepted' ? form.accepted : step.proves;
    const isEnd = step.answersKey === true && form.method === 'POST' && form.idempotencyKey !== undefined;
    outcome = isEnd ? own : greater(outcome, own);
    if (form.method === 'GET') outcome = form.unsent;
    const isSafe = form.isRepeatable || (step.neverLeft === true && outcome === 'not_executed');
    if (!step.mayPass || !isSafe || attempts > maxRetries) return { attempts, outcome };
  }
}

describe.each(everyForm)('%s', (_name, form) => {
  const history = fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 1, maxLength: 5 });

  it('is tried again only where that is safe, and only an answer to its key lowers what an attempt may have done', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat({ max: 3 }), async (names, maxRetries) => {
        startAnew();
        const answers = names.map((name) => () => steps[name]?.answer(form) ?? neverResponds());
        const { requests, payments } = scripted(answers, { maxRetries });
        const seen = await form
          .call(payments)
          .withResponse()
          .then(
            ({ response: { attempts } }) => ({ attempts, outcome: 'none' }),
            (error) => ({ attempts: error.attempts ?? requests.length, outcome: error.outcome }),
          );
        expect(seen).toEqual(expectedOf(form, names, maxRetries));
        expect(requests).toHaveLength(seen.attempts);
        // Each attempt sends the same bytes with the same key.
        expect(new Set(requests.map((request) => JSON.stringify(request))).size).toBe(1);
        expect(requests[0]?.key ?? undefined).toEqual(form.idempotencyKey);
      }),
      {
        numRuns: bySize({ short: 25, all: 400 }),
        examples: [
          [['500', 'refusal of before'], 3],
          [['500', 'decline'], 3],
          [['500', '429 of before'], 1],
        ],
      },
    );
  });

  it('is tried again after a time-out if that is safe', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { requests, payments } = scripted([neverResponds, () => json(form.result)], { timeout: 1_000 });
    const call = form.call(payments);
    const settled: Promise<unknown> = form.isRepeatable ? call : failureOf(call, TimeoutError);
    await vi.runAllTimersAsync();
    const result = await settled;
    expect(requests).toHaveLength(form.isRepeatable ? 2 : 1);
    const error = { code: 'ATTEMPT_TIMEOUT', outcome: 'unknown', attempts: 1, retryable: false };
    if (!form.isRepeatable) expect(result).toMatchObject(error);
  });
});

it('an aborted call is not retried', async () => {
  const controller = new AbortController();
  const retry = vi.fn();
  const abort = () => {
    controller.abort();
    return neverResponds();
  };
  const { payments } = scripted([abort], { hooks: { retry } });
  const call = payments.refunds.create(refundParams, { ...operation, signal: controller.signal });
  expect(await failureOf(call, RequestAbortedError)).toMatchObject({ attempts: 1 });
  expect(retry).not.toHaveBeenCalled();
});

it('maxRetries is 2 by default, and a call has its own', async () => {
  const { payments } = scripted([status(500)]);
  const { payments: patient } = scripted([status(500)], { maxRetries: 4 });
  const attempts = async (client: typeof payments, options = {}) =>
    (await failureOf(client.refunds.create(refundParams, { ...operation, ...options }), ServerError))
      .attempts;
  expect(await attempts(payments)).toBe(3);
  expect(await attempts(patient)).toBe(5);
  expect(await attempts(patient, { maxRetries: 0 })).toBe(1);
  expect(await attempts(payments, { maxRetries: 3 })).toBe(4);
});

describe('the wait before a retry', () => {
  /** The waits of a refund that fails in this way. The caller gives up during the last of them. */
  async function waitsOf(headers: Record<string, string>, { draw = 0.001, times = 1, ...options } = {}) {
    vi.mocked(Math.random).mockReturnValue(draw);
    vi.useFakeTimers({ now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const controller = new AbortController();
    const waits: number[] = [];
    const hooks = {
      retry: ({ wait }: { wait: number }) => {
        waits.push(wait);
        if (waits.length === times) controller.abort();
      },
    };
    const more = { hooks, maxRetries: 100, totalTimeout: 2 ** 31 - 1, ...options };
    const { payments } = scripted([status(503, {}, headers)], more);
    const call = payments.refunds.create(refundParams, { ...operation, signal: controller.signal });
    const error = failureOf(call, PaymentsError);
    await vi.runAllTimersAsync();
    await error;
    return waits;
  }

  it.each<readonly [after: string, wait: number]>([
    ['0', 0],
    ['0.01', 10],
    ['12', 12_000],
    [' 12 ', 12_000],
    ['1.5', 1_500],
    ['2026', 2_026_000],
    ['Thu, 01 Jan 2026 00:00:07 GMT', 7_000],
    ['2025-12-31T23:59:59Z', 0],
  ])(
    'is at least what Retry-After says, and up to a half or a second more: %s is %s ms',
    async (after, wait) => {
      const headers = { 'retry-after': after, date: 'Thu, 01 Jan 2026 00:00:00 GMT' };
      const spread = Math.max(1_000, wait / 2);
      for (const draw of [0, 0.5, 0.999])
        expect(await waitsOf(headers, { draw })).toEqual([wait + draw * spread]);
    },
  );

  it.each(['', '-1', 'x12', '12x', '1.2.3', 'soon'])(
    'is left to the back-off by a Retry-After that cannot be read: %s',
    async (after) => {
      expect(await waitsOf({ 'retry-after': after })).toEqual([0.5]);
    },
  );

  it('spreads 50 clients that were asked to come back together', async () => {
    const draws = Array.from({ length: 50 }, (_, index) => index / 50);
    const waits: number[] = [];
    for (const draw of draws) waits.push(...(await waitsOf({ 'retry-after': '2' }, { draw })));
    expect(Math.min(...waits)).toBe(2_000);
    expect(Math.max(...waits)).toBeGreaterThan(2_950);
    expect(new Set(waits).size).toBe(50);
  });

  it('is drawn from a range that begins at 0 and doubles up to 8 s', async () => {
    const ranges = [500, 1000, 2000, 4000, 8000, 8000, 8000];
    for (const draw of [0, 0.0001, 0.5, 0.999])
      expect(await waitsOf({}, { draw, times: 7 })).toEqual(ranges.map((range) => range * draw));
  });

  it('passes before the next attempt', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const later = status(429, {}, { 'retry-after': '7' });
    const { requests, payments } = scripted([later, () => json(refund)]);
    const call = payments.refunds.create(refundParams, operation);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await call).id).toBe(refund.id);
  });

  it.each([
    ['0.499', { totalTimeout: 500 }, 2],
    ['0.5', { totalTimeout: 500 }, 1],
    // The default is two minutes.
    ['119.999', {}, 2],
    ['120', {}, 1],
  ])('of %s s with %j is never shortened: %i attempts', async (after, options, attempts) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const later = status(429, {}, { 'retry-after': after });
    const { requests, payments } = scripted([later, status(400)], options);
    const error = failureOf(payments.refunds.create(refundParams, operation), ApiError);
    await vi.runAllTimersAsync();
    expect((await error).attempts).toBe(attempts);
    expect(requests).toHaveLength(attempts);
    if (attempts > 1) return;
    expect(await error).toBeInstanceOf(RateLimitError);
    expect(await error).toMatchObject({ retryable: true, retryAfter: Number(after) });
  });
});

describe('the total time', () => {
  it('limits all attempts and waits together', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const started = performance.now();
    const { requests, payments } = scripted([neverResponds], {
      timeout: 30,
      totalTimeout: 75,
      maxRetries: 50,
    });
    const error = failureOf(payments.refunds.create(refundParams, operation), TimeoutError);
    await vi.advanceTimersByTimeAsync(75);
    expect(await error).toMatchObject({ code: 'TOTAL_TIMEOUT', outcome: 'unknown', attempts: 3 });
    expect(requests).toHaveLength(3);
    expect(performance.now() - started).toBe(75);
  });

  it('is not extended by a retry, even if a timer fires early', async () => {
    // The clock is stopped, so time seems to remain when the timer of the total time fires.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const { requests, payments } = scripted([neverResponds], { timeout: 1_000, totalTimeout: 10 });
    const error = await failureOf(payments.refunds.create(refundParams, operation), TimeoutError);
    expect(error).toMatchObject({ code: 'TOTAL_TIMEOUT', attempts: 1 });
    expect(requests).toHaveLength(1);
  });
});
