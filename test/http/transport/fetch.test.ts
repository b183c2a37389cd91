/** Deno itself sends some requests twice, but not those with a blob as body. */

import { inspect } from 'node:util';
import { ConnectionError, TimeoutError } from 'payments-client';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { createClient, json, secretKey } from '../../support/mock-service.ts';

const operation = { operationId: 'return-1' };

test('a body is a blob, which Deno sends once, and a GET has none', async () => {
  vi.stubGlobal('Deno', {});
  vi.resetModules();
  onTestFinished(() => void vi.unstubAllGlobals());
  const bodies: unknown[] = [];
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(url: string, init: RequestInit) {
        super(url, init);
        bodies.push(init.body);
      }
    },
  );
  const { PaymentsClient } = await import('payments-client');
  const keys = { secretKey: 'sk_v1_test_deno', securityKey: 'security-key-1' };
  const fetch = async () => Response.json({ ...refund, response: 1 });
  const payments = new PaymentsClient({ baseUrl: 'https://payments.test', ...keys, fetch });
  await payments.refunds.retrieve('rf_1');
  await payments.refunds.create(refundParams, operation);
  await payments.refunds.retry('rf_1', operation);
  await payments.transact.sale(saleParams);
  expect(bodies.map((body) => body instanceof Blob)).toEqual([false, true, true, true]);
  expect(bodies[0]).toBeUndefined();
  const [, created, retried] = bodies.map((body) => (body instanceof Blob ? body : new Blob([])));
  expect(JSON.parse((await created?.text()) ?? '')).toEqual(refundParams);
  expect(await retried?.text()).toBe('');
});

const order = { operationId: 'order-1' };

describe('a custom fetch', () => {
  it('gets a Request, and its response is used', async () => {
    const fetch = vi.fn(async (request: Request) => json({ ...refund, reason: await request.text() }));
    const result = await createClient({ fetch }).refunds.create(refundParams, order);
    expect(result.reason).toBe('{"payment_intent_id":"pi_1"}');
  });

  it('that throws a programming error is not called again', async () => {
    const fetch = vi.fn(async () => {
      throw new TypeError(`cannot read ${secretKey}`);
    });
    const error = await failureOf(
      createClient({ fetch }).refunds.create(refundParams, order),
      ConnectionError,
    );
    expect(error).toMatchObject({ code: 'FETCH_THREW', outcome: 'unknown', attempts: 1 });
    expect(fetch).toHaveBeenCalledOnce();
    expect(inspect(error, { depth: 9 })).not.toContain(secretKey);
  });

  it('that ignores the signal cannot delay a call beyond its time-out', async () => {
    const fetch = () => new Promise<Response>(() => {});
    const call = createClient({ fetch, timeout: 10, maxRetries: 0 }).refunds.create(refundParams, order);
    expect(await failureOf(call, TimeoutError)).toMatchObject({ code: 'ATTEMPT_TIMEOUT' });
  });
});
