/** A repeated call returns the object as it is now, or says that it does not. */

import { isRecorded, type PaymentsClientOptions } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import { customer, intentParams, paymentIntent, refund, saleParams } from '../../support/fixtures.ts';
import { json, skipBackOff } from '../../support/mock-service.ts';
import { startAnew } from '../../support/new-process.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const by = { operationId: 'return-77' };

/** A paid order, and a client with its requests and events. */
async function startShop(options: Partial<PaymentsClientOptions> = {}) {
  const sandbox = await startSandbox();
  const requests: string[] = [];
  const errors: unknown[] = [];
  const start = (more: Partial<PaymentsClientOptions> = {}) => {
    startAnew();
    return clientOf(sandbox, {
      maxRetries: 0,
      hooks: {
        request: ({ method, path }) => requests.push(`${method} ${path.replace(/_\w+$/, '_')}`),
        error: ({ error }) => errors.push(error),
      },
      ...options,
      ...more,
    });
  };
  const { id } = await start().paymentIntents.create(intentParams, { operationId: 'order-77' });
  sandbox.pay(id);
  requests.length = 0;
  return { sandbox, start, requests, errors, params: { payment_intent_id: id } };
}

const journal = () => createJournal({ store: memoryStore() });

describe.each<
  [where: string, options: () => Partial<PaymentsClientOptions>, firstRequest: readonly string[]]
>([
  ["the service's replay", () => ({}), ['POST /v1/refunds']],
  ["the journal's record", () => ({ journal: journal() }), []],
])('a refund that failed since, by %s', (_where, options, repeated) => {
  async function repeat(more: Partial<PaymentsClientOptions> = {}) {
    const shop = await startShop(options());
    const first = await shop.start().refunds.create(shop.params, by);
    shop.sandbox.update('refund', first.id, { status: 'failed' });
    shop.requests.length = 0;
    return { ...shop, first, refunds: shop.start(more).refunds };
  }

  it('is returned as it is now', async () => {
    const { first, refunds, params, requests } = await repeat();
    const now = await refunds.create(params, by);
    expect(first.status).toBe('pending');
    expect(now).toEqual({ ...(await refunds.retrieve(first.id)) });
    expect(now).toMatchObject({ id: first.id, status: 'failed' });
    expect(isRecorded(now)).toBe(false);
    expect(requests.slice(0, repeated.length + 1)).toEqual([...repeated, 'GET /v1/refunds/rf_']);
  });

  it('is returned as it was recorded, with a mark, if it cannot be retrieved, and emits no error', async () => {
    const { sandbox, first, refunds, params, errors } = await repeat();
    sandbox.faults.inject({ kind: 'respond', operation: 'refunds.retrieve', status: 500 });
    const recorded = await refunds.create(params, by);
    expect(recorded).toEqual({ ...first, $recorded: true });
    expect(isRecorded(recorded)).toBe(true);
    expect(isRecorded(structuredClone(recorded)) && isRecorded(JSON.parse(JSON.stringify(recorded)))).toBe(
      true,
    );
    expect(errors).toEqual([]);
  });

  it('is as it was recorded, with a mark, if the client wants it, or the response: neither costs a request', async () => {
    const { first, refunds, params, requests } = await repeat({ repeats: 'recorded' });
    expect(await refunds.create(params, by)).toEqual({ ...first, $recorded: true });
    expect(requests).toEqual(repeated);
    const other = await repeat();
    const call = other.refunds.create(other.params, by);
    expect((await call.withResponse()).data).toEqual({ ...other.first, $recorded: true });
    expect(await call).toEqual({ ...other.first, $recorded: true });
    expect(other.requests).toEqual(repeated);
  });

  it('has its recorded result beside the response, also once the present object was awaited', async () => {
    const { first, refunds, params } = await repeat();
    const call = refunds.create(params, by);
    expect((await call).status).toBe('failed');
    const { data, response } = await call.withResponse();
    expect(data).toEqual({ ...first, $recorded: true });
    expect(response.fromJournal || response.idempotentReplayed).toBe(true);
  });
});

const service = useScriptedService();
const replayed = (body: object) => json(body, { headers: { 'idempotent-replayed': 'true' } });

it('is retrieved within the total timeout of the call', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { paymentIntents } = service.createClient({ timeout: 60_000, maxRetries: 5 });
  service.answers(replayed(paymentIntent), () => new Promise<Response>(() => {}));
  const call = Promise.resolve(paymentIntents.create(intentParams, { ...by, totalTimeout: 1_000 }));
  await vi.waitFor(() => expect(service.arrivals).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isRecorded(await call)).toBe(true);
  expect(service.arrivals).toHaveLength(2);
});

it('is retrieved in the time that the call has left, if that is at least 1 ms', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const start = vi.fn();
  const { paymentIntents } = service.createClient({ hooks: { start }, totalTimeout: 1_000 });
  const spend = (milliseconds: number) => {
    vi.advanceTimersByTime(milliseconds);
    return replayed(paymentIntent);
  };
  service.answers(
    () => spend(400),
    () => new Promise<Response>(() => {}),
  );
  const call = Promise.resolve(paymentIntents.create(intentParams, by));
  await vi.waitFor(() => expect(service.arrivals).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(600);
  expect(isRecorded(await call)).toBe(true);
  service.arrivals.length = 0;
  start.mockClear();
  service.answers(() => spend(999), json(paymentIntent));
  expect(isRecorded(await paymentIntents.create(intentParams, by))).toBe(false);
  expect(start).toHaveBeenCalledTimes(2);
  service.arrivals.length = 0;
  start.mockClear();
  const clock = vi.spyOn(performance, 'now');
  service.answers(() => {
    clock.mockReturnValue(performance.now() + 999.5);
    return replayed(paymentIntent);
  });
  expect(isRecorded(await paymentIntents.create(intentParams, by))).toBe(true);
  expect(start).toHaveBeenCalledTimes(1);
});

it('is not waited for once the signal of the call is aborted', async () => {
  const { paymentIntents } = service.createClient();
  const controller = new AbortController();
  service.answers(replayed(paymentIntent), () => {
    controller.abort();
    return new Promise<Response>(() => {});
  });
  const call = paymentIntents.create(intentParams, { ...by, signal: controller.signal });
  expect(isRecorded(await call)).toBe(true);
});

it('is retrieved with the headers of the call, such as that of a merchant', async () => {
  const { paymentIntents } = service.createClient();
  service.answers(replayed(paymentIntent), json(paymentIntent));
  await paymentIntents.create(intentParams, { ...by, headers: { 'x-merchant': 'tea' } });
  expect(service.arrivals.map(({ headers }) => headers.get('x-merchant'))).toEqual(['tea', 'tea']);
});

it('keeps what only the creation returned', async () => {
  const { paymentIntents } = service.createClient();
  service.answers(
    replayed({
      ...paymentIntent,
      client_secret: 'pi_1_secret',
      public_key: 'old',
      key_id: 'old',
      key: 'old',
    }),
    json({ ...paymentIntent, public_key: null, key_id: null, key: 'new', metadata: { paid: 'yes' } }),
  );
  const intent = await paymentIntents.create(intentParams, by);
  const now = { public_key: null, key_id: null, key: 'new', metadata: { paid: 'yes' } };
  expect(intent).toEqual({ ...paymentIntent, client_secret: 'pi_1_secret', ...now });
});

it('takes the reply to its own second request for that to its first, unless it knows of an earlier call', async () => {
  skipBackOff();
  const { paymentIntents } = service.createClient({ maxRetries: 1 });
  const failed = new Response('', { status: 500 });
  service.answers(failed, replayed(paymentIntent));
  expect(isRecorded(await paymentIntents.create(intentParams, by))).toBe(false);
  expect(service.arrivals.map(({ method }) => method)).toEqual(['POST', 'POST']);
  service.arrivals.length = 0;
  service.answers(failed, replayed(paymentIntent), json({ ...paymentIntent, metadata: { paid: 'yes' } }));
  expect(await paymentIntents.create(intentParams, by)).toMatchObject({ metadata: { paid: 'yes' } });
  // A call without a name has no earlier one.
  service.arrivals.length = 0;
  service.answers(failed, replayed(customer));
  expect(isRecorded(await service.createClient({ maxRetries: 1 }).customers.create({}))).toBe(false);
  expect(service.arrivals).toHaveLength(2);
  // An earlier call that may have taken effect counts too.
  startAnew();
  const { paymentIntents: anew } = service.createClient({ maxRetries: 1 });
  service.arrivals.length = 0;
  service.answers(failed, failed, failed, replayed(paymentIntent), failed);
  await anew.create(intentParams, by).catch(() => {});
  expect(isRecorded(await anew.create(intentParams, by))).toBe(true);
});

it('returns the present object of another collection, by the path that was corrected', async () => {
  const { paymentIntents } = service.createClient({
    routes: { 'refunds.retrieve': 'GET /v1/money-back/{id}' },
  });
  service.answers(replayed(refund), json({ ...refund, status: 'succeeded' }));
  expect(await paymentIntents.refund('pi_1', {}, by)).toMatchObject({ status: 'succeeded' });
  expect(service.arrivals[1]?.url.pathname).toBe('/v1/money-back/rf_1');
});

it('stays as it was recorded if the path that was corrected leads to another object', async () => {
  const { paymentIntents } = service.createClient({
    routes: { 'refunds.retrieve': 'GET /v1/money-back/{id}' },
  });
  service.answers(replayed(refund), json({ ...refund, id: 'rf_2', status: 'succeeded' }));
  expect(await paymentIntents.refund('pi_1', {}, by)).toEqual({ ...refund, $recorded: true });
});

it('marks a result that nothing can retrieve: of a sale, of a request', async () => {
  const { sandbox } = await startShop();
  startAnew();
  const payments = clientOf(sandbox, { journal: journal() });
  const sale = () => payments.transact.sale(saleParams, by);
  expect(isRecorded(await sale())).toBe(false);
  expect(isRecorded(await sale())).toBe(true);
  const client = service.createClient();
  const request = { method: 'POST', path: '/v1/payouts' } as const;
  service.answers(replayed({ id: 'po_1' }));
  expect(await client.request(request, by)).toEqual({ id: 'po_1', $recorded: true });
  service.answers(json([{ id: 'po_1' }], { headers: { 'idempotent-replayed': 'true' } }));
  expect(Object.keys(Object(await client.request(request, by)))).toEqual(['0']);
});

it('has a typed reader', () => {
  const session = { id: 'cs_1' };
  if (isRecorded(session)) expectTypeOf(session.$recorded).toEqualTypeOf<true>();
  expect([
    isRecorded(undefined),
    isRecorded(null),
    isRecorded('x'),
    isRecorded({ $recorded: 'yes' }),
  ]).toEqual([false, false, false, false]);
});
