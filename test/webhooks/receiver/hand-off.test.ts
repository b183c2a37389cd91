/** `enqueue` hands verified deliveries to a queue, and `dispatch` handles each of its jobs once in the worker. */

import { memoryStore } from 'payments-client/stores';
import type { DeliveryReport, ReceiverOptions, WebhookJob, WebhooksOptions } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { delivery, eventOf, now, otherSecret, secret, webhooksAt } from '../../support/deliveries.ts';

const failed = eventOf('refund.failed');

/** A store whose use is an error. */
const untouched = anything(
  new Proxy(memoryStore(), {
    get: (store, name) =>
      typeof Reflect.get(store, name) === 'function'
        ? () => Promise.reject(new Error('the store was used'))
        : Reflect.get(store, name),
  }),
);

function shop(options: Partial<ReceiverOptions> = {}, settings: Partial<WebhooksOptions> = {}) {
  const jobs: WebhookJob[] = [];
  const reports: DeliveryReport[] = [];
  const failures: unknown[] = [];
  const handled: string[] = [];
  const common = {
    onError: ({ error }: { readonly error: unknown }) => failures.push(error),
    onDelivery: (report: DeliveryReport) => reports.push(report),
  };
  const webhooks = webhooksAt(settings);
  const endpoint = webhooks.receiver({
    ...common,
    store: untouched,
    // Through JSON, as a queue keeps it.
    enqueue: (job) => jobs.push(JSON.parse(JSON.stringify(job))),
    ...options,
  });
  const worker = webhooks.receiver({
    ...common,
    store: memoryStore(),
    onEvent: ({ id, type }, { operationId, rawBody }) => {
      handled.push(`${type} ${id} ${operationId} ${String(rawBody).length}`);
    },
  });
  return { endpoint, worker, jobs, reports, failures, handled };
}

describe('a receiver with enqueue', () => {
  it('responds 200 once the queue has the delivery, and uses no store', async () => {
    const { endpoint, jobs, reports } = shop();
    const given = await delivery(failed);
    expect(await endpoint.handle(given)).toMatchObject({ outcome: 'enqueued', status: 200 });
    expect(jobs).toEqual([{ body: given.body, receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) }]);
    expect(reports).toMatchObject([{ outcome: 'enqueued', status: 200, verified: true, eventId: undefined }]);
  });

  it('waits for the queue', async () => {
    const order: string[] = [];
    const { endpoint } = shop({
      enqueue: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push('stored');
      },
    });
    await endpoint.handle(await delivery(failed));
    order.push('answered');
    expect(order).toEqual(['stored', 'answered']);
  });

  it('responds 500 if the queue does not take the delivery', async () => {
    const error = new Error('the queue is down');
    const { endpoint, failures, reports } = shop({
      enqueue: () => {
        throw error;
      },
    });
    expect(await endpoint.handle(await delivery(failed))).toMatchObject({ outcome: 'failed', status: 500 });
    expect(failures).toEqual([error]);
    expect(reports).toMatchObject([{ outcome: 'failed', error }]);
  });

  it('enqueues nothing that the service did not sign', async () => {
    const { endpoint, jobs } = shop();
    const { body, headers } = await delivery(failed);
    expect(await endpoint.handle({ body: `${body} `, headers })).toMatchObject({
      outcome: 'refused',
      status: 400,
    });
    expect(jobs).toEqual([]);
  });

  it('enqueues what it cannot read: only the worker reads', async () => {
    const { endpoint, worker, jobs, reports } = shop();
    const webhooks = webhooksAt();
    const body = 'maintenance';
    await endpoint.handle({ body, headers: await webhooks.sign(body) });
    expect(jobs).toMatchObject([{ body }]);
    await expect(worker.dispatch(anything(jobs[0]))).rejects.toThrow(/expected JSON in UTF-8/);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['enqueued', 'failed']);
  });

  it('hands over bytes as their text, a byte order mark included', async () => {
    const { endpoint, jobs } = shop();
    const bytes = new TextEncoder().encode(`\u{FEFF}${JSON.stringify(failed)} ☕`);
    await endpoint.handle({ body: bytes, headers: await webhooksAt().sign(bytes) });
    expect(new TextEncoder().encode(jobs[0]?.body)).toEqual(bytes);
  });

  it('hands over bytes that are not UTF-8 as base64, and the worker gets them unchanged', async () => {
    const { endpoint, jobs } = shop();
    const bytes = Uint8Array.of(0xff, 0xfe, 0x7b);
    await endpoint.handle({ body: bytes, headers: await webhooksAt().sign(bytes) });
    expect(jobs).toMatchObject([{ body: '//57', encoding: 'base64' }]);
    const unreadable: unknown[] = [];
    const worker = webhooksAt().receiver({
      store: memoryStore(),
      on: {},
      onError: () => {},
      onUnreadable: ({ rawBody }) => unreadable.push(rawBody),
    });
    await worker.dispatch(anything(jobs[0])).catch(() => {});
    expect(unreadable).toEqual([bytes]);
  });

  it('needs no handlers of its own, and a receiver without it does', () => {
    const store = memoryStore();
    expect(() => webhooksAt().receiver({ store, enqueue: () => {} })).not.toThrow();
    expect(() => webhooksAt().receiver({ store })).toThrow(/^on: expected handlers/);
    expect(() => webhooksAt().receiver({ store, enqueue: anything('webhooks') })).toThrow(
      /^enqueue: expected a function, got/,
    );
  });
});

describe('receiver.dispatch with a job', () => {
  it('handles its event once, however often the queue delivers it', async () => {
    const { endpoint, worker, jobs, handled } = shop();
    const given = await delivery(failed);
    await endpoint.handle(given);
    await endpoint.handle(given);
    const outcomes = [];
    for (const job of [...jobs, ...jobs]) outcomes.push(await worker.dispatch(job));
    expect(outcomes).toEqual(['handled', 'duplicate', 'duplicate', 'duplicate']);
    expect(handled).toEqual([`refund.failed evt_1 webhook.default/test//evt_1 ${given.body.length}`]);
  });

  it('has the scope whose secret signed the delivery', async () => {
    const { endpoint, worker, jobs, handled } = shop(
      {},
      { secret: undefined, secrets: { acct_1: secret, acct_2: otherSecret } },
    );
    const { body } = await delivery(failed);
    const headers = await webhooksAt({ secret: otherSecret }).sign(body, { timestamp: now });
    await endpoint.handle({ body, headers });
    expect(jobs).toMatchObject([{ scope: 'acct_2' }]);
    await worker.dispatch(anything(jobs[0]));
    expect(handled).toEqual([expect.stringContaining('webhook.default/test/acct_2/evt_1')]);
  });

  it.each([
    {},
    { body: 7, receivedAt: 'now' },
    { body: '{}' },
    { body: '{}', receivedAt: 'now', scope: 7 },
    { body: '{}', receivedAt: 'now', encoding: 'base64' },
  ])('refuses %j, which is neither a job nor an event', async (value) => {
    const { worker } = shop();
    await expect(worker.dispatch(anything(value))).rejects.toThrow(/expected an event/);
  });
});
