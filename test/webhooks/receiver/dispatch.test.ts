/** `receiver.dispatch()` handles a queued event once, and passes a failure to the queue. */

import { PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { type DeliveryReport, parseEvent, type ReceiverOptions } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { chargeback, delivery, envelope, eventOf, secret, webhooksAt } from '../../support/deliveries.ts';

const failed = eventOf('refund.failed');

function receiverOf(options: Partial<ReceiverOptions> = {}) {
  const reports: DeliveryReport[] = [];
  const failures: unknown[] = [];
  const receiver = webhooksAt({ secrets: { acct_1: secret } }).receiver({
    store: memoryStore(),
    on: { 'refund.failed': () => undefined },
    onError: ({ error }) => failures.push(error),
    onDelivery: (report) => reports.push(report),
    ...options,
  });
  return { receiver, reports, failures };
}

describe('receiver.dispatch', () => {
  it('handles an event once, under the same key as its delivery', async () => {
    const keys: string[] = [];
    const { receiver, reports } = receiverOf({
      on: { 'refund.failed': (_event, { operationId }) => keys.push(operationId) },
    });
    const event = parseEvent(failed);
    expect(await receiver.dispatch(event, { scope: 'acct_1' })).toBe('handled');
    expect(await receiver.dispatch(event, { scope: 'acct_1' })).toBe('duplicate');
    expect((await receiver.handle(await delivery(failed))).outcome).toBe('duplicate');
    expect(await receiver.dispatch(event)).toBe('handled');
    expect(keys).toEqual(['webhook/default/test/acct_1/evt_1', 'webhook/default/test//evt_1']);
    expect(reports[0]).toMatchObject({
      outcome: 'handled',
      source: 'dispatch',
      status: undefined,
      scope: 'acct_1',
      eventId: 'evt_1',
      attempt: 1,
    });
  });

  it('handles a bare chargeback notification, which has no mode, although a mode is required', async () => {
    const receiver = webhooksAt({ livemode: true }).receiver({ store: memoryStore(), onEvent: () => {} });
    for (const event of ['chargeback.received', 'chargeback.won']) {
      const queued = JSON.stringify(parseEvent({ ...chargeback, event }));
      expect(await receiver.dispatch(parseEvent(queued))).toBe('handled');
    }
  });

  it('reports a missing handler', async () => {
    const { receiver } = receiverOf();
    expect(await receiver.dispatch(parseEvent(envelope('a.b', {})))).toBe('ignored');
  });

  it('throws the error of the handler, so that the queue retries', async () => {
    const error = new Error('no stock');
    let works = false;
    const { receiver, failures } = receiverOf({
      on: {
        'refund.failed': () => {
          if (!works) throw error;
        },
      },
    });
    await expect(receiver.dispatch(parseEvent(failed))).rejects.toBe(error);
    expect(failures).toEqual([error]);
    works = true;
    expect(await receiver.dispatch(parseEvent(failed))).toBe('handled');
  });

  it('throws while another process handles the event', async () => {
    const inner: unknown[] = [];
    const { receiver } = receiverOf({
      on: {
        'refund.failed': async () => {
          inner.push(await receiver.dispatch(parseEvent(failed)).catch((error: unknown) => error));
        },
      },
    });
    await receiver.dispatch(parseEvent(failed));
    expect(inner).toEqual([expect.any(PaymentsError)]);
    expect(inner[0]).toMatchObject({
      code: 'WEBHOOK_IN_PROGRESS',
      retryable: true,
      // The lease of a minute has just begun.
      retryAfter: 60,
      message:
        'webhooks: expected evt_1 to be unclaimed, but another process is handling it. Dispatch it again in 60 seconds.',
    });
  });

  it('refuses a value that is not an event', async () => {
    const { receiver } = receiverOf();
    const message = /the event differs from the interface: expected an event/;
    await expect(receiver.dispatch(anything({ id: 7 }))).rejects.toThrow(message);
    await expect(receiver.dispatch(anything('evt_1'))).rejects.toThrow(
      /^receiver\.dispatch: expected an event, got a string of 5 characters/,
    );
  });
});
