/** The cost of a call in objects and operations: counts do not depend on the machine, so they show every increase. */

import { PaymentsClient } from 'payments-client';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { customer, paymentIntent } from '../../support/fixtures.ts';
import { serve } from '../../support/serve.ts';

const calls = 5;
const expensive = ['Request', 'Response', 'Headers', 'ReadableStream'] as const;

async function start(body: unknown): Promise<PaymentsClient> {
  const { url, close } = await serve((_request, response) => response.end(JSON.stringify(body)));
  onTestFinished(close);
  const payments = new PaymentsClient({ baseUrl: url, secretKey: 'sk_v1_test_economy' });
  // The first call opens the connection.
  await payments.paymentIntents.retrieve('pi_0').catch(() => {});
  return payments;
}

/** How many of each of the runtime's expensive objects a function creates. */
async function createdBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const created: Record<string, number> = {};
  for (const name of expensive) {
    created[name] = 0;
    const original: new (...args: never[]) => object = globalThis[name];
    const counting = new Proxy(original, {
      construct(target, args, newTarget) {
        created[name] = (created[name] ?? 0) + 1;
        return Reflect.construct(target, args, newTarget);
      },
    });
    vi.stubGlobal(name, counting);
  }
  await work().finally(() => vi.unstubAllGlobals());
  return created;
}

/** The objects for attempts without `withResponse`: one request of ky each, and no response of the runtime. */
const createdByKy = (attempts: number) => ({ Request: attempts, Response: 0, ReadableStream: 0 });

beforeEach(() => void vi.unstubAllGlobals());

test('on Node a call creates no fetch object except the request of ky', async () => {
  const payments = await start(paymentIntent);
  const create = async () => {
    for (let call = 0; call < calls; call += 1) {
      const options = { operationId: `order-${call}` };
      await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, options);
    }
  };
  expect(await createdBy(create)).toMatchObject(createdByKy(calls));
});

test('the headers of a response are created on demand', async () => {
  const payments = await start(paymentIntent);
  const withoutResponse = await createdBy(() => payments.paymentIntents.retrieve('pi_1'));
  const withResponse = await createdBy(() => payments.paymentIntents.retrieve('pi_1').withResponse());
  expect(withResponse).toEqual({ ...withoutResponse, Headers: Number(withoutResponse['Headers']) + 1 });
});

test('a call parses its response once, serializes its body once, and sets one timer', async () => {
  const payments = await start(paymentIntent);
  const [parse, stringify] = [vi.spyOn(JSON, 'parse'), vi.spyOn(JSON, 'stringify')];
  const timer = vi.spyOn(globalThis, 'setTimeout');
  await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId: 'order-1' });
  const ofCall = parse.mock.calls.filter(([text]) => text.includes('pi_1'));
  const bodies = stringify.mock.calls.filter(
    ([value]) => Object(value).amount === 1200 && !('id' in Object(value)),
  );
  expect([ofCall.length, bodies.length, timer.mock.calls.filter(([, ms]) => ms === 30_000).length]).toEqual([
    1, 1, 1,
  ]);
});

test('a successful call without observers generates no id', async () => {
  const payments = await start(paymentIntent);
  const draw = vi.spyOn(crypto, 'randomUUID');
  await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId: 'order-1' });
  expect(draw).not.toHaveBeenCalled();
  await payments.paymentIntents.retrieve('ch_1').catch(() => {});
  expect(draw).toHaveBeenCalledOnce();
});

test('a list sends one request per page, and creates no expensive object itself', async () => {
  let requests = 0;
  const { url, close } = await serve((request, response) => {
    requests += 1;
    const isLast = request.url?.includes('starting_after=3') === true;
    const data = Array.from({ length: 4 }, (_, index) => ({ ...customer, id: `cus_${requests}_${index}` }));
    const next = String(requests % 4);
    response.end(JSON.stringify({ data, has_more: !isLast, next_cursor: isLast ? null : next }));
  });
  onTestFinished(close);
  const payments = new PaymentsClient({ baseUrl: url, secretKey: 'sk_v1_test_economy' });
  const created = await createdBy(async () => {
    for await (const _ of payments.customers.list({ limit: 4 }));
  });
  expect(requests).toBe(4);
  expect(created).toMatchObject(createdByKy(4));
});
