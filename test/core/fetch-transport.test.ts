/** On Deno the runtime itself sends some requests twice, and none of those that have a blob for their body. */

import { expect, onTestFinished, test, vi } from 'vitest';
import { refund, refundParams, saleParams } from '../support/fixtures.ts';

const by = { operationId: 'return-1' };

test('what a body is made of is a blob, which Deno sends once, and a GET has none', async () => {
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
  const { PaymentsClient } = await import('../../src/index.ts');
  const keys = { secretKey: 'sk_v1_test_deno', securityKey: 'security-key-1' };
  const fetch = async () => Response.json({ ...refund, response: 1 });
  const payments = new PaymentsClient({ baseUrl: 'https://payments.test', ...keys, fetch });
  await payments.refunds.retrieve('rf_1');
  await payments.refunds.create(refundParams, by);
  await payments.refunds.retry('rf_1', by);
  await payments.transact.sale(saleParams);
  expect(bodies.map((body) => body instanceof Blob)).toEqual([false, true, true, true]);
  expect(bodies[0]).toBeUndefined();
  const [, created, retried] = bodies.map((body) => (body instanceof Blob ? body : new Blob([])));
  expect(JSON.parse((await created?.text()) ?? '')).toEqual(refundParams);
  expect(await retried?.text()).toBe('');
});
