/** Spans have the ids by which a call, and the webhooks of its object, are found. */

import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../support/deliveries.ts';
import { refund, refundParams, saleParams } from '../support/fixtures.ts';
import { by, startClient } from './client.ts';

it('a call has those of its operation, its key and its object', async () => {
  const card = '4111111111111111';
  const { payments, spans } = startClient([
    [200, refund],
    [404, {}],
    [200, 'response=1&transactionid=7'],
  ]);
  await payments.refunds.create(refundParams, { operationId: `order ${card}` });
  await payments.paymentIntents.confirm('pi_7', {}, by).catch(() => {});
  await payments.transact.sale(saleParams);
  const ids = ['operation_id', 'idempotency_key', 'object_id'].map((id) => `payments.${id}`);
  const calls = spans().filter(({ name }) => name.startsWith('payments '));
  expect(calls.map(({ attributes }) => ids.map((id) => attributes[id]))).toEqual([
    // The key is made of the id, in which the card number could not be found.
    [undefined, undefined, refund.id],
    ['order-1', 'pc1:paymentIntents.confirm:order-1', 'pi_7'],
    [undefined, undefined, '7'],
  ]);
});

it('a webhook has that of its object, as the call that returned it', async () => {
  const { payments, instrument, spans } = startClient([[200, refund]]);
  await payments.refunds.create(refundParams, by);
  const receiver = webhooksAt({ instrument }).receiver({ store: memoryStore(), onEvent: () => {} });
  await receiver.handle(await delivery(eventOf('refund.failed')));
  const found = spans().filter(({ attributes }) => attributes['payments.object_id'] === refund.id);
  expect(found.map(({ name }) => name)).toEqual([
    'payments refunds.create',
    expect.stringMatching(/^process /),
  ]);
});
