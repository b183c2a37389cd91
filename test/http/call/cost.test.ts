/** What a call makes and does: counts that no machine changes, so that it does not grow dearer unnoticed. */

import { PaymentsClient } from 'payments-client';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { customer, paymentIntent } from '../../support/fixtures.ts';
import { serve } from '../../support/serve.ts';

const calls = 5;
const dear = ['Request', 'Response', 'Headers', 'ReadableStream'] as const;

async function start(answer: unknown): Promise<PaymentsClient> {
  const { url, close } = await serve((_request, response) => response.end(JSON.stringify(answer)));
  onTestFinished(close);
  const payments = new PaymentsClient({ baseUrl: url, secretKey: 'sk_v1_test_economy' });
  // The first call opens the connection.
  await payments.paymentIntents.retrieve('pi_0').catch(() => {});
  return payments;
}

/** How often each of the runtime's dear objects is made while something is done. */
async function madeBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const made: Record<string, number> = {};
  for (const name of dear) {
    made[name] = 0;
    const original: new (...args: never[]) => object = globalThis[name];
    const counting = new Proxy(original, {
      construct(target, args, newTarget) {
        made[name] = (made[name] ?? 0) + 1;
        return Reflect.construct(target, args, newTarget);
      },
    });
    vi.stubGlobal(name, counting);
  }
  await work().finally(() => vi.unstubAllGlobals());
  return made;
}

/** What is made for attempts whose responses nobody asks for: ky's request, and no response of the runtime. */
const byKy = (attempts: number) => ({ Request: attempts, Response: 0, ReadableStream: 0 });

beforeEach(() => void vi.unstubAllGlobals());

test('on Node a call makes no object of fetch but the request of ky', async () => {
  const payments = await start(paymentIntent);
  const create = async () => {
    for (let call = 0; call < calls; call += 1) {
      const options = { operationId: `order-${call}` };
      await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, options);
    }
  };
  expect(await madeBy(create)).toMatchObject(byKy(calls));
});

test('the headers of a response are made for those who ask', async () => {
  const payments = await start(paymentIntent);
  const leave = await madeBy(() => payments.paymentIntents.retrieve('pi_1'));
  const ask = await madeBy(() => payments.paymentIntents.retrieve('pi_1').withResponse());
  expect(ask).toEqual({ ...leave, Headers: Number(leave['Headers']) + 1 });
});

test('a call parses its answer once, writes its body once, and sets one timer', async () => {
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

test('a call that nobody watches and that goes well draws no id', async () => {
  const payments = await start(paymentIntent);
  const draw = vi.spyOn(crypto, 'randomUUID');
  await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId: 'order-1' });
  expect(draw).not.toHaveBeenCalled();
  await payments.paymentIntents.retrieve('ch_1').catch(() => {});
  expect(draw).toHaveBeenCalledOnce();
});

test('a list takes one request a page, and makes no dear object of its own', async () => {
  let requests = 0;
  const { url, close } = await serve((request, response) => {
    requests += 1;
    const isLast = request.url?.includes('starting_after=3') === true;
    const data = Array.from({ length: 4 }, () => customer);
    const next = String(requests % 4);
    response.end(JSON.stringify({ data, has_more: !isLast, next_cursor: isLast ? null : next }));
  });
  onTestFinished(close);
  const payments = new PaymentsClient({ baseUrl: url, secretKey: 'sk_v1_test_economy' });
  const made = await madeBy(async () => {
    for await (const _ of payments.customers.list({ limit: 4 }));
  });
  expect(requests).toBe(4);
  expect(made).toMatchObject(byKy(4));
});
