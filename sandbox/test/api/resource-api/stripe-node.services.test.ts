/** A third-party client paginates the sandbox's lists like ours. */

import { Stripe } from 'stripe';
import { expect, it } from 'vitest';
import { clientOf, startSandbox } from '../../../../test/support/sandbox.ts';

async function outsideClientOf({ url, secretKey }: { readonly url: string; readonly secretKey: string }) {
  const { hostname: host, port } = new URL(url);
  return new Stripe(secretKey, {
    host,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

it('stripe-node pages through products and customers by itself', async () => {
  const sandbox = await startSandbox();
  for (let count = 0; count < 257; count += 1) {
    sandbox.add('product', { name: `Tea ${count}` });
    sandbox.add('customer');
  }
  const outside = await outsideClientOf(sandbox);
  const payments = clientOf(sandbox);

  for (const [theirs, ours] of [
    [outside.products.list({ limit: 20 }), payments.products.list({ limit: 20 })],
    [outside.customers.list({ limit: 7 }), payments.customers.list({ limit: 100 })],
  ] as const) {
    const ids: string[] = [];
    for await (const { id } of theirs) ids.push(id);
    const own: string[] = [];
    for await (const { id } of ours) own.push(id);
    expect(ids).toHaveLength(257);
    expect(ids).toEqual(own);
  }
});

it('stripe-node retrieves an object, and is rejected with a wrong key', async () => {
  const sandbox = await startSandbox();
  const { id } = sandbox.add('product', { name: 'Tea' });
  expect(await (await outsideClientOf(sandbox)).products.retrieve(id)).toMatchObject({ id, name: 'Tea' });
  const stranger = await outsideClientOf({ url: sandbox.url, secretKey: 'sk_v1_test_another' });
  await expect(stranger.products.retrieve(id)).rejects.toMatchObject({ statusCode: 401 });
});
