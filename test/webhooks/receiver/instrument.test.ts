/** `instrument` wraps each delivery, and does not affect it. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { memoryStore } from 'payments-client/stores';
import type { DeliveryReport, WebhooksOptions } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { delivery, eventOf, otherSecret, webhooksAt } from '../../support/deliveries.ts';

const failed = eventOf('refund.failed');

function receiverOf(instrument: WebhooksOptions['instrument'], handle = () => {}) {
  const reports: DeliveryReport[] = [];
  const receiver = webhooksAt({ instrument }).receiver({
    store: memoryStore(),
    on: { 'refund.failed': handle },
    onError: () => {},
    onDelivery: (report) => reports.push(report),
  });
  return { receiver, reports };
}

describe('instrument', () => {
  it('receives the report of each delivery, verified or not', async () => {
    const seen: DeliveryReport[] = [];
    const { receiver, reports } = receiverOf(async (handle) => seen.push(await handle()));
    await receiver.handle(await delivery(failed));
    await receiver.handle(await delivery(failed, webhooksAt({ secret: otherSecret })));
    expect(seen.map(({ outcome }) => outcome)).toEqual(['handled', 'refused']);
    expect(seen).toEqual(reports);
  });

  it('runs the handler in its context', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const { receiver } = receiverOf(
      (handle) => context.run('inside', handle),
      () => seen.push(context.getStore()),
    );
    await receiver.handle(await delivery(failed));
    expect(seen).toEqual(['inside']);
  });

  it.each<[string, NonNullable<WebhooksOptions['instrument']>]>([
    ['never calls', async () => {}],
    ['calls twice', async (handle) => [await handle(), await handle()]],
    ['rejects at once', () => Promise.reject(new Error('no tracer'))],
    [
      'throws',
      () => {
        throw new Error('no tracer');
      },
    ],
    [
      'rejects at the end',
      async (handle) => {
        await handle();
        throw new Error('no tracer');
      },
    ],
  ])('does not change the result if it %s', async (_how, instrument) => {
    let handled = 0;
    const { receiver, reports } = receiverOf(instrument, () => {
      handled += 1;
    });
    expect((await receiver.handle(await delivery(failed))).status).toBe(200);
    expect([handled, reports.length]).toEqual([1, 1]);
  });
});
