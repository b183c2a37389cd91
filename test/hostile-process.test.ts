/** The entries load and work where `process` is not what Node has, as on the Edge runtime of Next.js. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { intentParams } from './support/fixtures.ts';
import { hostileProcesses } from './support/hostile-processes.ts';
import { startSandbox } from './support/sandbox.ts';
import { everyNth } from './support/size.ts';

/** Modules that are loaded from now on are loaded under another `process`. */
function replaceProcess(process: unknown): void {
  vi.resetModules();
  vi.stubGlobal('process', process);
}

afterEach(() => void vi.unstubAllGlobals());

describe.each(everyNth(hostileProcesses, 4))('with %s for process', (_, process) => {
  it.each([
    ['over fetch', () => import('../src/index.ts')],
    ['over node:http', () => import('payments-client')],
  ])('a client makes a payment intent %s', async (_, load) => {
    const { url: baseUrl, secretKey } = await startSandbox();
    replaceProcess(process);
    const { PaymentsClient } = await load();
    const payments = new PaymentsClient({ baseUrl, secretKey });
    const { amount } = await payments.paymentIntents.create(intentParams, { operationId: 'order-1' });
    vi.unstubAllGlobals();
    expect(amount).toBe(intentParams.amount);
  });

  it.each([
    ['an HMAC secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['a private key', `whsk_${btoa('a seed that has thirty-two bytes')}`],
  ])('a delivery that was signed with %s is verified, and a forged one refused', async (_, secret) => {
    replaceProcess(process);
    const { Webhooks } = await import('payments-client/webhooks');
    const webhooks = new Webhooks({ secret });
    const body = JSON.stringify({ id: 'evt_1', type: 'order.shipped', data: { object: {} } });
    const headers = await webhooks.sign(body);
    const { type } = await webhooks.verify(body, headers);
    const forged: unknown = await webhooks.verify(`${body} `, headers).catch((reason) => reason);
    vi.unstubAllGlobals();
    expect({ type, forged }).toMatchObject({ type: 'order.shipped', forged: { reason: 'no_match' } });
  });
});
