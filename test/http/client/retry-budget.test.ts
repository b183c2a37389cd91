/** The retries that all calls of a client may make together: what takes one, what gives a part of one back, and what an empty budget does. */

import fc from 'fast-check';
import {
  ConfigurationError,
  ConnectionError,
  type PaymentsClient,
  PaymentsError,
  RateLimitError,
  RequestAbortedError,
  type RequestEvent,
  ServerError,
  type ShedEvent,
} from 'payments-client';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { createClient, skipBackOff } from '../../support/mock-service.ts';
import { bySize, everyNth } from '../../support/size.ts';

beforeEach(skipBackOff);

type Answer = () => Response | Promise<Response>;

const answer =
  (status: number, headers = {}): Answer =>
  () =>
    Response.json(status === 200 ? refund : { code: 'BAD' }, { status, headers });
const failing =
  (code: string, syscall: string): Answer =>
  () =>
    Promise.reject(Object.assign(new Error('it broke'), { code, syscall }));
const never: Answer = () => new Promise(() => {});
const cut: Answer = () => {
  const body = new ReadableStream({ pull: (stream) => stream.error(new Error('cut')) });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
};

/** A client whose service answers so until the test says otherwise, and the number of requests that it got. */
function clientOf(now: Answer, options = {}) {
  const service = { now, requests: 0 };
  const shed: ShedEvent[] = [];
  const fetch = async () => {
    service.requests += 1;
    return service.now();
  };
  const hooks = { shed: (event: ShedEvent) => shed.push(event) };
  return { service, shed, payments: createClient({ fetch, hooks, ...options }) };
}

let order = 0;
const retrieve = (payments: PaymentsClient, options = {}) => payments.refunds.retrieve('rf_1', options);
const create = (payments: PaymentsClient) => {
  order += 1;
  return payments.refunds.create(refundParams, { operationId: `order-${order}` });
};

/** How many requests a call makes that fails. */
async function requestsOf({ service, payments }: ReturnType<typeof clientOf>): Promise<number> {
  const before = service.requests;
  await retrieve(payments).catch(() => {});
  return service.requests - before;
}

describe('in an outage', () => {
  const seconds = bySize({ short: 17, all: 120 });
  const pace = 60;

  const outages: readonly (readonly [what: string, fails: Answer])[] = [
    ['breaks connections', failing('ECONNRESET', 'read')],
    ['answers 503', answer(503)],
    ['answers 429 with a Retry-After', answer(429, { 'retry-after': '1' })],
    ['never answers', never],
  ];

  it.each(everyNth(outages, 4, 1))(
    '60 calls/s send at most 1.1 requests each to a service that %s',
    async (_what, fails) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const { service, payments } = clientOf(fails, { timeout: 500 });
      const calls: Promise<unknown>[] = [];
      for (let second = 0; second < seconds; second += 1) {
        for (let call = 0; call < pace; call += 1) calls.push(create(payments).catch(() => {}));
        await vi.advanceTimersByTimeAsync(1_000);
      }
      await vi.runAllTimersAsync();
      await Promise.all(calls);
      expect(service.requests).toBe(seconds * pace + 100);
      expect(service.requests / calls.length).toBeLessThanOrEqual(1.1);
    },
  );

  it('any number of calls sends at most one request for each, and the budget', async () => {
    const failures = [failing('ECONNRESET', 'read'), answer(500), answer(408), answer(429), cut];
    const history = fc.array(fc.constantFrom(...failures), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.nat({ max: 20 }),
        fc.nat({ max: 5 }),
        async (ways, retryBudget, maxRetries) => {
          const { service, payments } = clientOf(never, { retryBudget, maxRetries });
          for (const way of ways) {
            service.now = way;
            await failureOf(retrieve(payments), PaymentsError);
          }
          expect(service.requests).toBe(ways.length + Math.min(retryBudget, ways.length * maxRetries));
        },
      ),
      { numRuns: bySize({ short: 20, all: 1_000 }) },
    );
  });

  it('time gives nothing back', async () => {
    const client = clientOf(answer(503), { retryBudget: 1 });
    expect(await requestsOf(client)).toBe(2);
    vi.useFakeTimers({ now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    await vi.advanceTimersByTimeAsync(86_400_000);
    const requests = requestsOf(client);
    await vi.runAllTimersAsync();
    expect(await requests).toBe(1);
  });
});

it('a healthy service with 1 % of 503 gets a retry for each of them', async () => {
  const client = clientOf(answer(200));
  const { service, payments, shed } = client;
  let requests = 0;
  service.now = () => {
    requests += 1;
    return requests % 100 === 0 ? answer(503)() : answer(200)();
  };
  const calls = 1_000;
  for (let call = 0; call < calls; call += 1) await retrieve(payments);
  expect(service.requests).toBe(calls + Math.floor(service.requests / 100));
  expect(service.requests).toBeGreaterThan(calls + 9);
  expect(shed).toEqual([]);
});

describe('a call with an empty budget', () => {
  it.each<readonly [what: string, fails: Answer, type: typeof PaymentsError, error: object]>([
    ['a 503', answer(503), ServerError, { outcome: 'unknown', retryable: true, status: 503 }],
    [
      'a 429',
      answer(429, { 'retry-after': '7' }),
      RateLimitError,
      { outcome: 'not_executed', retryable: true, retryAfter: 7 },
    ],
    [
      'a refused connection',
      failing('ECONNREFUSED', 'connect'),
      ConnectionError,
      { outcome: 'not_executed', retryable: true, code: 'ECONNREFUSED' },
    ],
  ])('fails at once with the error that it has: %s', async (_what, fails, type, error) => {
    const warn = vi.fn();
    const { service, payments, shed } = clientOf(fails, { retryBudget: 0, logger: { warn } });
    const failure = await failureOf(create(payments), type);
    expect(failure).toMatchObject({ ...error, attempts: 1 });
    expect(service.requests).toBe(1);
    const { callId } = failure;
    expect(shed).toEqual([{ callId, operation: 'refunds.create', what: 'retry' }]);
    const line = 'refunds.create: not retried, since the retry budget of the client is empty';
    expect(warn).toHaveBeenCalledExactlyOnceWith(line, shed[0]);
  });
});

describe('the budget', () => {
  it('is shared by all calls of a client: reads, writes, waits, lists, and the form endpoint', async () => {
    const refused = failing('ECONNREFUSED', 'connect');
    const { service, payments, shed } = clientOf(refused, { retryBudget: 5, maxRetries: 1 });
    const calls = [
      () => retrieve(payments),
      () => create(payments),
      () => payments.refunds.waitFor('rf_1'),
      () => payments.products.list().toArray({ max: 1 }),
      () => payments.transact.sale(saleParams),
    ];
    for (const call of calls) await failureOf(call(), ConnectionError);
    expect([service.requests, shed]).toEqual([10, []]);
    for (const call of calls) await failureOf(call(), ConnectionError);
    expect(service.requests).toBe(15);
    expect(shed.map(({ what }) => what)).toEqual(calls.map(() => 'retry'));
  });

  it('is that of one client', async () => {
    const one = clientOf(answer(503), { retryBudget: 2 });
    expect([await requestsOf(one), await requestsOf(one)]).toEqual([3, 1]);
    expect(await requestsOf(clientOf(answer(503), { retryBudget: 2 }))).toBe(3);
  });

  it.each<readonly [what: string, answers: Answer, isAnswer: boolean]>([
    ['a success', answer(200), true],
    ['a refusal', answer(400), true],
    ['a missing object', answer(404), true],
    ['a 408', answer(408), false],
    ['a 429', answer(429), false],
    ['a 500', answer(500), false],
    ['a broken connection', failing('ECONNRESET', 'read'), false],
    ['a result that breaks off', cut, false],
  ])('gets a tenth of a retry back by an answer: %s', async (_what, answers, isAnswer) => {
    const client = clientOf(answer(503), { retryBudget: 2 });
    await requestsOf(client);
    const answered = async (times: number) => {
      client.service.now = answers;
      for (let time = 0; time < times; time += 1) await retrieve(client.payments).catch(() => {});
      client.service.now = answer(503);
      return requestsOf(client);
    };
    expect(await answered(9)).toBe(1);
    // The tenth answer; a failure is none.
    expect(await answered(1)).toBe(isAnswer ? 2 : 1);
    // It holds no more than it began with.
    expect(await answered(50)).toBe(isAnswer ? 3 : 1);
    expect(await requestsOf(client)).toBe(1);
  });

  it('pays for no retry that is not made for another reason', async () => {
    const client = clientOf(answer(503), { retryBudget: 2, totalTimeout: 10_000 });
    const { service, payments, shed } = client;
    await failureOf(retrieve(payments, { maxRetries: 0 }), ServerError);
    await failureOf(payments.transact.sale(saleParams), ServerError);
    service.now = answer(503, { 'retry-after': '10' });
    await failureOf(retrieve(payments), ServerError);
    expect(shed).toEqual([]);
    service.now = answer(503);
    expect(await requestsOf(client)).toBe(3);
  });

  it('is in the events of attempts, whole retries of it', async () => {
    const seen: (readonly [string, number])[] = [];
    const see = (name: string) => (event: Pick<RequestEvent, 'retriesLeft'>) =>
      seen.push([name, event.retriesLeft]);
    const hooks = { request: see('request'), response: see('response'), retry: see('retry') };
    const { service, payments } = clientOf(answer(503), { retryBudget: 3, maxRetries: 1, hooks });
    await failureOf(retrieve(payments), ServerError);
    service.now = answer(200);
    await retrieve(payments);
    expect(seen).toEqual([
      ['request', 3],
      ['response', 3],
      ['retry', 2],
      ['request', 2],
      ['response', 2],
      ['request', 2],
      ['response', 2],
    ]);
  });

  it('is refilled by the answer of a call that was retried, too', async () => {
    const left: number[] = [];
    const hooks = { request: ({ retriesLeft }: Pick<RequestEvent, 'retriesLeft'>) => left.push(retriesLeft) };
    const { service, payments } = clientOf(answer(200), { retryBudget: 2, maxRetries: 1, hooks });
    for (const _time of [1, 2]) {
      let isFirst = true;
      service.now = () => {
        const status = isFirst ? 503 : 200;
        isFirst = false;
        return answer(status)();
      };
      await retrieve(payments);
    }
    service.now = answer(200);
    for (let time = 0; time < 9; time += 1) await retrieve(payments);
    // 20 tenths, less 2 retries, and 2 + 8 answers.
    expect(left.at(-1)).toBe(1);
  });

  it('does not pay for a wait that is aborted', async () => {
    const controller = new AbortController();
    const left: number[] = [];
    const hooks = {
      request: ({ retriesLeft }: Pick<RequestEvent, 'retriesLeft'>) => left.push(retriesLeft),
      retry: () => controller.abort(),
    };
    const { service, payments } = clientOf(answer(503), { retryBudget: 1, maxRetries: 1, hooks });
    await failureOf(retrieve(payments, { signal: controller.signal }), RequestAbortedError);
    service.now = answer(200);
    await retrieve(payments);
    expect(left).toEqual([1, 1]);
  });

  it.each([-1, 0.5, 1_000_001, '10', null, Number.NaN, Number.POSITIVE_INFINITY])(
    'is not %j',
    (retryBudget) => {
      const make = () => createClient({ retryBudget: anything(retryBudget) });
      expect(make).toThrow(ConfigurationError);
      expect(make).toThrow(/retryBudget: expected an integer from 0 to 1000000, got /);
    },
  );
});
