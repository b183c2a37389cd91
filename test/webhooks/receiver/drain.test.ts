/** What `receiver.drain` does with deliveries that come later, that are being handled, and that take too long. */

import { ConfigurationError, PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type { DeliveryReport, ReceiverOptions } from 'payments-client/webhooks';
import { expect, it } from 'vitest';
import { gate } from '../../journal/shop.ts';
import { anything } from '../../support/anything.ts';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { failureOf } from '../../support/failure.ts';

const failed = eventOf('refund.failed');

/** A receiver whose handler waits for the test, and what it reports. */
function receiverWaiting(options: Partial<ReceiverOptions> = {}) {
  const [started, mayEnd] = [gate(), gate()];
  const reports: DeliveryReport[] = [];
  const failures: unknown[] = [];
  const receiver = webhooksAt().receiver({
    store: memoryStore(),
    on: {
      'refund.failed': () => {
        started.open();
        return mayEnd.opened;
      },
    },
    onDelivery: (report) => reports.push(report),
    onError: ({ error }) => failures.push(error),
    ...options,
  });
  const handle = async () => receiver.handle(await delivery(failed));
  return { receiver, handle, started: started.opened, end: mayEnd.open, reports, failures };
}

it('waits for a handler, and for the store that remembers it', async () => {
  const memory = memoryStore();
  const [completes, mayComplete] = [gate(), gate()];
  const complete: typeof memory.complete = async (...args) => {
    completes.open();
    await mayComplete.opened;
    return memory.complete(...args);
  };
  const { receiver, handle, started, end } = receiverWaiting({ store: { ...memory, complete } });
  const reply = handle();
  await started;
  const ended: string[] = [];
  const drained = receiver.drain().then((unfinished) => {
    ended.push('drained');
    return unfinished;
  });
  end();
  await completes.opened;
  expect(ended).toEqual([]);
  mayComplete.open();
  expect(await reply).toMatchObject({ outcome: 'handled', status: 200 });
  expect(await drained).toEqual([]);
});

it('turns a later delivery away, and tells nobody of a failure', async () => {
  const { receiver, handle, reports, failures } = receiverWaiting();
  expect(await receiver.drain()).toEqual([]);
  const reply = await handle();
  expect(reply).toMatchObject({ outcome: 'draining', status: 503, body: '{"outcome":"draining"}' });
  expect(reply.headers['retry-after']).toBe('1');
  const error = await failureOf(receiver.dispatch(anything(failed)), PaymentsError);
  expect(error).toMatchObject({ code: 'WEBHOOK_DRAINING', retryable: true, outcome: 'not_an_operation' });
  expect(error.message).toMatch(/Dispatch it in a process that goes on/);
  expect(reports.map(({ outcome, source, verified }) => [outcome, source, verified])).toEqual([
    ['draining', 'request', false],
    ['draining', 'dispatch', false],
  ]);
  expect(failures).toEqual([]);
});

it('reports a handler that takes longer, which keeps its lease and goes on', async () => {
  const store = memoryStore();
  const { receiver, handle, started, end } = receiverWaiting({ store });
  const reply = handle();
  await started;
  expect(await receiver.drain({ timeout: 0 })).toEqual([{ eventId: 'evt_1', type: 'refund.failed' }]);
  const next = receiverWaiting({ store });
  expect(await next.handle()).toMatchObject({ outcome: 'in_progress' });
  end();
  expect(await reply).toMatchObject({ outcome: 'handled' });
  expect(await next.handle()).toMatchObject({ outcome: 'duplicate' });
  expect(await receiver.drain()).toEqual([]);
});

it('waits for a job of a queue, on both of its sides', async () => {
  const [enqueues, mayEnqueue] = [gate(), gate()];
  const enqueue = () => {
    enqueues.open();
    return mayEnqueue.opened;
  };
  const endpoint = receiverWaiting({ enqueue });
  const reply = endpoint.handle();
  await enqueues.opened;
  expect(await endpoint.receiver.drain({ timeout: 0 })).toEqual([{ eventId: undefined, type: undefined }]);
  mayEnqueue.open();
  expect(await endpoint.receiver.drain()).toEqual([]);
  expect(await reply).toMatchObject({ outcome: 'enqueued' });

  const worker = receiverWaiting();
  const job = worker.receiver.dispatch(anything(failed));
  await worker.started;
  expect(await worker.receiver.drain({ timeout: 0 })).toHaveLength(1);
  worker.end();
  expect(await job).toBe('handled');
});

it('refuses wrong options, and goes on', async () => {
  const { receiver, handle, end } = receiverWaiting();
  for (const options of [{ timeout: -1 }, { timout: 5 }, 'now', null]) {
    await failureOf(receiver.drain(anything(options)), ConfigurationError);
  }
  end();
  expect(await handle()).toMatchObject({ outcome: 'handled' });
});
