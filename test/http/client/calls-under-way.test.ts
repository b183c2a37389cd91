/** Too many calls of a client at once: the one beyond the limit is not sent, is recorded nowhere, and leaves no doubt. */

import {
  ConfigurationError,
  ConnectionError,
  type EndEvent,
  InvalidRequestError,
  isRecorded,
  type PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
  RequestAbortedError,
  type ShedEvent,
} from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { createClient } from '../../support/mock-service.ts';
import { startAnew } from '../../support/new-process.ts';
import { everyForm, forms } from '../forms.ts';

const read = (payments: PaymentsClient, options = {}) => payments.refunds.retrieve('rf_1', options);

/** A service that answers no request until it is told to. */
function holdingService(options: PaymentsClientOptions = {}) {
  const held: ((response: Response) => void)[] = [];
  const paths: string[] = [];
  const shed: ShedEvent[] = [];
  const fetch = (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return new Promise<Response>((resolve) => held.push(resolve));
  };
  const hooks = { shed: (event: ShedEvent) => shed.push(event) };
  const payments = createClient({ fetch, hooks, maxConcurrency: 1, maxRetries: 0, ...options });
  const answer = (body: object = refund, init = {}) => held.shift()?.(Response.json(body, init));
  /** Makes a call that is under way until the service answers. */
  const occupy = async () => {
    const call = read(payments);
    await vi.waitFor(() => expect(held).toHaveLength(1));
    return { call };
  };
  return { payments, paths, shed, answer, held, occupy };
}

describe.each(everyForm)('%s beyond the limit', (_name, form) => {
  it('is not sent, and leaves no doubt about its operation', async () => {
    startAnew();
    const warn = vi.fn();
    const beforeCall = vi.fn();
    const { payments, paths, shed, answer, held, occupy } = holdingService({ logger: { warn }, beforeCall });
    const first = await occupy();
    beforeCall.mockClear();
    const error = await failureOf(form.call(payments), ConnectionError);
    expect(error).toMatchObject({
      code: 'TOO_MANY_CALLS',
      outcome: form.unsent,
      retryable: true,
      attempts: 0,
      message:
        `${form.operation}: expected at most 1 calls of the client at once (maxConcurrency), got one more. ` +
        'Nothing was sent or recorded: call again when others have ended.',
    });
    expect(PaymentsError.from(JSON.parse(JSON.stringify(error)))).toMatchObject({ code: 'TOO_MANY_CALLS' });
    const { callId } = error;
    expect(shed).toEqual([{ callId, operation: form.operation, what: 'call' }]);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      `${form.operation}: not sent, since too many calls of the client are under way`,
      shed[0],
    );
    expect(beforeCall).not.toHaveBeenCalled();
    expect(paths).toHaveLength(1);
    answer();
    await first.call;
    // A doubt would raise the outcome of a refusal.
    const again = form.call(payments);
    await vi.waitFor(() => expect(held).toHaveLength(1));
    answer({ code: 'SLOW_DOWN' }, { status: 429 });
    expect((await failureOf(again, PaymentsError)).outcome).toBe(form.unsent);
  });
});

describe('with a journal, a call beyond the limit is not recorded', () => {
  const operationId = 'order-1';
  const { 'a POST with a key': keyed, 'a raw POST with a key': raw } = forms;

  it.each<readonly [what: string, call: (payments: PaymentsClient) => PromiseLike<unknown>]>([
    ['a POST with a key', (payments) => keyed.call(payments)],
    ['a raw POST with a key', (payments) => raw.call(payments)],
    ['a sale', (payments) => payments.transact.sale(saleParams, { operationId })],
  ])('%s', async (_what, call) => {
    const store = memoryStore();
    const claim = vi.spyOn(store, 'claim');
    const { payments, answer, occupy } = holdingService({ journal: createJournal({ store }) });
    const first = await occupy();
    const error = await failureOf(call(payments), ConnectionError);
    expect(error).toMatchObject({ code: 'TOO_MANY_CALLS', outcome: 'not_executed', retryable: true });
    expect(claim).not.toHaveBeenCalled();
    expect(await payments.journal.backlog()).toMatchObject({ count: 0 });
    answer();
    await first.call;
  });
});

it('speaks of earlier calls of its operation too', async () => {
  startAnew();
  const { payments, answer, held, occupy } = holdingService();
  const create = () => payments.refunds.create(refundParams, { operationId: 'order-1' });
  const done = create();
  await vi.waitFor(() => expect(held).toHaveLength(1));
  answer();
  await done;
  const first = await occupy();
  const error = await failureOf(create(), ConnectionError);
  expect(error).toMatchObject({ code: 'TOO_MANY_CALLS', outcome: 'executed', retryable: true });
  answer();
  await first.call;
});

describe('a place', () => {
  it('is free again when a call ends, however it ends', async () => {
    const { payments, answer, held, occupy, shed } = holdingService();
    const controller = new AbortController();
    const ends: (readonly [call: () => PromiseLike<unknown>, end: () => void])[] = [
      [() => read(payments), () => answer()],
      [() => read(payments), () => answer({}, { status: 500 })],
      [() => read(payments, { signal: controller.signal }), () => controller.abort()],
    ];
    for (const [call, end] of ends) {
      const ended = Promise.resolve(call()).catch(() => {});
      await vi.waitFor(() => expect(held).not.toEqual([]));
      await failureOf(read(payments), ConnectionError);
      end();
      await ended;
      held.length = 0;
    }
    // What is refused before it is sent takes none for long.
    await failureOf(read(payments, { timeout: -1 }), InvalidRequestError);
    await failureOf(read(payments, { signal: AbortSignal.abort() }), RequestAbortedError);
    const first = await occupy();
    expect(shed).toHaveLength(ends.length);
    answer();
    await first.call;
  });

  it('is not taken by a call that is not let pass', async () => {
    const { payments, answer, occupy } = holdingService();
    const first = await occupy();
    for (let time = 0; time < 3; time += 1) await failureOf(read(payments), ConnectionError);
    answer();
    await first.call;
    const next = await occupy();
    answer();
    expect(await next.call).toEqual(refund);
  });

  it('is that of one client, which shares it with its form endpoint', async () => {
    const one = holdingService();
    const other = holdingService();
    const first = await one.occupy();
    await failureOf(one.payments.transact.sale(saleParams), ConnectionError);
    const second = await other.occupy();
    one.answer();
    other.answer();
    expect(await Promise.all([first.call, second.call])).toEqual([refund, refund]);
  });
});

it('the retrieval after a replay belongs to its call, also if another one has taken the place between', async () => {
  startAnew();
  const between: PromiseLike<unknown>[] = [];
  const shed = vi.fn();
  const end = ({ operation }: EndEvent) => {
    if (operation === 'refunds.create') between.push(read(payments));
  };
  const { payments, answer, held } = holdingService({ hooks: { end, shed } });
  const repeated = payments.refunds.create(refundParams, { operationId: 'order-1' });
  await vi.waitFor(() => expect(held).toHaveLength(1));
  answer({ ...refund, status: 'pending' }, { headers: { 'idempotent-replayed': 'true' } });
  await vi.waitFor(() => expect(held).toHaveLength(2));
  for (const _ of [1, 2]) answer({ ...refund, status: 'succeeded' });
  const result = await repeated;
  expect([result.status, isRecorded(result)]).toEqual(['succeeded', false]);
  await Promise.all(between);
  expect(shed).not.toHaveBeenCalled();
});

it('a thousand calls are made at once by default', async () => {
  const { payments, answer, held, shed } = holdingService({ maxConcurrency: undefined });
  const calls = Array.from({ length: 1_000 }, () => read(payments));
  await failureOf(read(payments), ConnectionError);
  await vi.waitFor(() => expect(held).toHaveLength(1_000));
  while (held.length > 0) answer();
  expect(await Promise.all(calls)).toHaveLength(1_000);
  expect(shed).toHaveLength(1);
});

it.each([0, -1, 1.5, 1_000_001, '10', null])('a limit of %j is refused', (maxConcurrency) => {
  const make = () => createClient({ maxConcurrency: anything(maxConcurrency) });
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow(/maxConcurrency: expected an integer from 1 to 1000000, got /);
});
