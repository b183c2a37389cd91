/** Promise 10: gaps are named, not papered over. */

import { ApiError, PaymentsClient } from 'payments-client';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { paymentIntent } from '../support/fixtures.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import { response, startWireServer } from '../support/socket-server.ts';
import { ok, wireClient } from './wire.ts';

const notFound = response('404 Not Found', '');

it('a path that is inferred is called so, and the caller corrects it', async () => {
  const server = await startWireServer((connection) =>
    connection.write(connection.request.startsWith('GET /v1/right/pi_1 ') ? ok(paymentIntent) : notFound),
  );
  const options = { baseUrl: server.url, secretKey: 'sk_v1_test_promise10' };
  const error = await failureOf(new PaymentsClient(options).paymentIntents.retrieve('pi_1'), ApiError);
  expect(error.message).toMatch(/is inferred, not documented.*routes: \{ 'paymentIntents.retrieve'/);
  const routes = { 'paymentIntents.retrieve': 'GET /v1/right/{id}' } as const;
  expect(await new PaymentsClient({ ...options, routes }).paymentIntents.retrieve('pi_1')).toMatchObject({
    id: 'pi_1',
  });
});

it('a path that is documented is not called inferred', async () => {
  const { payments } = await wireClient(notFound);
  const error = await failureOf(payments.customers.delete('cus_1'), ApiError);
  expect(error.message).not.toContain('is inferred');
});

it.each(['data', 'items', 'products', 'anything'])(
  'the items of a page are found in %s',
  async (itemsField) => {
    const sandbox = await startSandbox({ interface: { itemsField } });
    sandbox.add('product', { name: 'Tea' });
    expect(await clientOf(sandbox).products.list().toArray({ max: 10 })).toHaveLength(1);
  },
);
