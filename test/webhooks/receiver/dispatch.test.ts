/** `receiver.dispatch()` handles a queued event once, and passes a failure to the queue. */

import { PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type { DeliveryReport, ReceiverOptions, WebhookEvent } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { chargeback, delivery, envelope, eventOf, secret, webhooksAt } from '../../support/deliveries.ts';

const failed = eventOf('refund.failed');

/** Returns an event as a worker gets it from a queue of JSON. */
function queued(event: unknown): WebhookEvent {
  return JSON.parse(JSON.stringify(event));
}

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
    const event = queued(failed);
    expect(await receiver.dispatch(event, { scope: 'acct_1' })).toBe('handled');
    expect(await receiver.dispatch(event, { scope: 'acct_1' })).toBe('duplicate');
    expect((await receiver.handle(await delivery(failed))).outcome).toBe('duplicate');
    expect(await receiver.dispatch(event)).toBe('handled');
    expect(keys).toEqual(['webhook.default/test/acct_1/evt_1', 'webhook.default/test//evt_1']);
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
      const bare = { ...chargeback, event };
      const { body, headers } = await delivery(bare);
      const verified = await webhooksAt().verify(body, headers);
      expect(await receiver.dispatch(queued(verified))).toBe('handled');
      expect(await receiver.dispatch(queued(bare))).toBe('duplicate');
    }
  });

  it('counts an event without a handler as handled', async () => {
    const { receiver } = receiverOf();
    expect(await receiver.dispatch(queued(envelope('a.b', {})))).toBe('handled');
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
    await expect(receiver.dispatch(queued(failed))).rejects.toBe(error);
    expect(failures).toEqual([error]);
    works = true;
    expect(await receiver.dispatch(queued(failed))).toBe('handled');
  });

  it('throws while another process handles the event', async () => {
    const inner: unknown[] = [];
    const { receiver } = receiverOf({
      on: {
        'refund.failed': async () => {
          inner.push(await receiver.dispatch(queued(failed)).catch((error: unknown) => error));
        },
      },
    });
    await receiver.dispatch(queued(failed));
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
      /^receiver\.dispatch: expected a job or an event, got a string of 5 characters/,
    );
  });
});
