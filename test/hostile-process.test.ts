/** The entries load and work where `process` is not what Node has, as on the Edge runtime of Next.js. */

import { beforeAll, describe, expect, it, vi } from 'vitest';
import { intentParams } from './support/fixtures.ts';
import { hostileProcesses } from './support/hostile-processes.ts';
import { startSandbox } from './support/sandbox.ts';
import { everyNth } from './support/size.ts';

/** Loads both entries of the client, and that of webhooks, which share their modules. */
async function load() {
  const [overFetch, overHttp, webhooks] = [
    await import('../src/index.ts'),
    await import('payments-client'),
    await import('payments-client/webhooks'),
  ];
  return { 'over fetch': overFetch, 'over node:http': overHttp, webhooks };
}

/** Does something under another `process`. */
async function under<T>(process: unknown, work: () => Promise<T>): Promise<T> {
  vi.stubGlobal('process', process);
  return work().finally(() => vi.unstubAllGlobals());
}

describe.each(everyNth(hostileProcesses, 4))('with %s for process', (_, process) => {
  let entries: Awaited<ReturnType<typeof load>>;

  beforeAll(async () => {
    vi.resetModules();
    entries = await under(process, load);
  });

  it.each(['over fetch', 'over node:http'] as const)('a client makes a payment intent %s', async (name) => {
    const { url: baseUrl, secretKey } = await startSandbox();
    const intent = await under(process, async () => {
      const payments = new entries[name].PaymentsClient({ baseUrl, secretKey });
      return payments.paymentIntents.create(intentParams, { operationId: 'order-1' });
    });
    expect(intent.amount).toBe(intentParams.amount);
  });

  it.each([
    ['an HMAC secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['a private key', `whsk_${btoa('a seed that has thirty-two bytes')}`],
  ])('a delivery that was signed with %s is verified, and a forged one refused', async (_, secret) => {
    const body = JSON.stringify({ id: 'evt_1', type: 'order.shipped', data: { object: {} } });
    const [event, forged] = await under(process, async () => {
      const webhooks = new entries.webhooks.Webhooks({ secret });
      const headers = await webhooks.sign(body);
      const refusal = webhooks.verify(`${body} `, headers).catch((reason: unknown) => reason);
      return [await webhooks.verify(body, headers), await refusal];
    });
    expect([event, forged]).toMatchObject([{ type: 'order.shipped' }, { reason: 'no_match' }]);
  });
});
