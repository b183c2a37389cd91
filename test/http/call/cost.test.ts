/** The cost of a call in objects and operations: counts do not depend on the machine, so they show every increase. */

import { beforeEach, expect, test, vi } from 'vitest';
import { paymentIntent, product } from '../../support/fixtures.ts';
import { client, startServer } from '../transport/support.ts';

const expensive = ['Request', 'Response', 'Headers', 'ReadableStream'] as const;
const by = { operationId: 'order-1' };

/** A client of a service with this body, whose connection is open. */
async function start(body: unknown) {
  const url = await startServer((_request, response) => response.end(JSON.stringify(body)));
  const payments = client(url);
  await payments.request({ method: 'GET', path: '/v1/first' });
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

beforeEach(() => void vi.unstubAllGlobals());

test('on Node a call creates one Request, which is that of ky, and the headers of a response on demand', async () => {
  const { paymentIntents } = await start(paymentIntent);
  const params = { amount: 1200, currency: 'usd' };
  const without = await createdBy(async () => paymentIntents.create(params, by));
  expect(without).toMatchObject({ Request: 1, Response: 0, ReadableStream: 0 });
  const withResponse = await createdBy(() => paymentIntents.create(params, by).withResponse());
  expect(withResponse).toEqual({ ...without, Headers: Number(without['Headers']) + 1 });
});

test('a list creates one Request for each page', async () => {
  const { products } = await start({ data: [product('prod_1')], has_more: false });
  expect(await createdBy(() => products.list().toArray({ max: 9 }))).toMatchObject({
    Request: 1,
    Response: 0,
    ReadableStream: 0,
  });
});

test('a call parses its response once, serializes its body once, sets one timer, and draws no id', async () => {
  const { paymentIntents } = await start(paymentIntent);
  const [parse, stringify] = [vi.spyOn(JSON, 'parse'), vi.spyOn(JSON, 'stringify')];
  const [timer, draw] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(crypto, 'randomUUID')];
  await paymentIntents.create({ amount: 1300, currency: 'usd' }, by);
  const parsed = parse.mock.calls.filter(([text]) => text.includes('pi_1'));
  const bodies = stringify.mock.calls.filter(([value]) => Object(value).amount === 1300);
  const timers = timer.mock.calls.filter(([, ms]) => ms === 30_000);
  expect([parsed, bodies, timers, draw.mock.calls].map((calls) => calls.length)).toEqual([1, 1, 1, 0]);
  await paymentIntents.retrieve('ch_1').catch(() => {});
  expect(draw).toHaveBeenCalledOnce();
});
