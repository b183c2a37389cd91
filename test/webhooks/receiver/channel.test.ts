/** The diagnostics channel `payments-client:delivery` publishes the report of each delivery. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { memoryStore } from 'payments-client/stores';
import { expect, it, onTestFinished, vi } from 'vitest';
import { delivery, eventOf, otherSecret, webhooksAt } from '../../support/deliveries.ts';

const name = 'payments-client:delivery';
const failed = eventOf('refund.failed');

function receiverOf(onDelivery?: (report: unknown) => void) {
  return webhooksAt().receiver({ store: memoryStore(), on: {}, onDelivery });
}

it('publishes what onDelivery receives', async () => {
  const published: unknown[] = [];
  const received: unknown[] = [];
  const listener = (message: unknown) => published.push(message);
  const { handle } = receiverOf((report) => received.push(report));
  subscribe(name, listener);
  onTestFinished(() => void unsubscribe(name, listener));
  await handle(await delivery(failed));
  await handle(await delivery(failed, webhooksAt({ secret: otherSecret })));
  expect(published).toMatchObject([
    { outcome: 'ignored', eventId: 'evt_1', type: 'refund.failed' },
    { outcome: 'refused', reason: 'no_match' },
  ]);
  expect(published).toEqual(received);
});

it('publishes nothing without a subscriber', async () => {
  const publish = vi.fn();
  const channel = () => ({ hasSubscribers: false, publish });
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(Object({ channel }));
  await receiverOf().handle(await delivery(failed));
  expect(publish).not.toHaveBeenCalled();
});

it.each<[what: string, module: unknown]>([
  ['there are no channels', undefined],
  [
    'the channel fails',
    {
      channel: () => ({
        hasSubscribers: true,
        publish: () => {
          throw new Error('a broken channel');
        },
      }),
    },
  ],
])('does not change the result if %s', async (_what, module) => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(module && Object(module));
  expect(await receiverOf().handle(await delivery(failed))).toMatchObject({
    status: 200,
    outcome: 'ignored',
  });
});
