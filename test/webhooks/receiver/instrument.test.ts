/** `instrument` runs around each delivery, and whatever it does, the delivery is handled exactly once. */

import { memoryStore } from 'payments-client/stores';
import type { DeliveryInstrument } from 'payments-client/webhooks';
import { expect, it, vi } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';

it.each<[what: string, instrument: DeliveryInstrument]>([
  ['calls the function', (handle) => handle()],
  ['calls it twice', (handle) => Promise.all([handle(), handle()])],
  ['does not call it', async () => undefined],
  ['calls it later', async (handle) => Promise.resolve().then(handle)],
  ['never ends', (handle) => handle().then(() => new Promise(() => {}))],
  ['rejects', (handle) => handle().then(() => Promise.reject(new Error('x')))],
  [
    'throws',
    () => {
      throw new Error('x');
    },
  ],
])('one that %s', async (_what, instrument) => {
  const handler = vi.fn();
  const onDelivery = vi.fn();
  const on = { 'refund.failed': handler };
  const receiver = webhooksAt().receiver({ store: memoryStore(), on, onDelivery, instrument });
  const reply = await receiver.handle(await delivery(eventOf('refund.failed')));
  expect(reply).toMatchObject({ outcome: 'handled', status: 200 });
  expect(handler).toHaveBeenCalledOnce();
  expect(onDelivery).toHaveBeenCalledOnce();
});
