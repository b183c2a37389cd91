/** `enqueue` hands verified deliveries to a queue, and `dispatch` takes its jobs; `suite-of-modes.ts` has their handling. */

import { PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type { DeliveryReport, ReceiverOptions, WebhookEvent, WebhookJob } from 'payments-client/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { chargeback, delivery, eventOf, otherSecret, secret, webhooksAt } from '../../support/deliveries.ts';

const failed = eventOf('refund.failed');
const secrets = { acct_1: secret, acct_2: otherSecret };

/** An endpoint whose store must not be used. */
function endpointOf(options: Partial<ReceiverOptions> = {}) {
  const jobs: WebhookJob[] = [];
  const reports: DeliveryReport[] = [];
  const failures: unknown[] = [];
  const refuse = () => Promise.reject(new Error('the store was used'));
  const store = { claim: refuse, renew: refuse, complete: refuse, release: refuse, open: refuse };
  const endpoint = webhooksAt({ secrets }).receiver({
    store,
    enqueue: (job) => jobs.push(JSON.parse(JSON.stringify(job))),
    onError: ({ error }) => failures.push(error),
    onDelivery: (report) => reports.push(report),
    ...options,
  });
  return { endpoint, jobs, reports, failures };
}

function workerOf(onEvent: ReceiverOptions['onEvent'], options: Partial<ReceiverOptions> = {}) {
  return webhooksAt({ secrets }).receiver({ store: memoryStore(), onEvent, onError: () => {}, ...options });
}

describe('enqueue', () => {
  it('hands over the body, its scope and the time, and responds 200', async () => {
    const { endpoint, jobs, reports, failures } = endpointOf();
    const { body } = await delivery(failed);
    for (const signer of [secret, otherSecret]) {
      const headers = await webhooksAt({ secret: signer }).sign(body);
      expect(await endpoint.handle({ body, headers })).toMatchObject({ outcome: 'enqueued', status: 200 });
    }
    const receivedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(jobs).toEqual([
      { body, receivedAt, scope: 'acct_1' },
      { body, receivedAt, scope: 'acct_2' },
    ]);
    expect(reports[1]).toMatchObject({
      outcome: 'enqueued',
      verified: true,
      scope: 'acct_2',
      eventId: undefined,
    });
    expect(failures).toEqual([]);
  });

  it.each([
    ['text that is not JSON', 'maintenance', { body: 'maintenance' }],
    ['bytes of UTF-8, with their mark', '\ufeff{"a":"☕"}', { body: '\ufeff{"a":"☕"}' }],
    ['other bytes as base64', Uint8Array.of(0xff, 0xfe, 0x7b), { body: '//57', encoding: 'base64' }],
  ])('hands over %s, and the worker gets the same bytes', async (_what, given, job) => {
    const { endpoint, jobs } = endpointOf();
    const body = Buffer.from(given);
    await endpoint.handle({ body, headers: await webhooksAt().sign(body) });
    expect(jobs).toEqual([{ ...job, scope: 'acct_1', receivedAt: expect.any(String) }]);
    const read: Buffer[] = [];
    const worker = workerOf(undefined, {
      on: {},
      onUnreadable: ({ rawBody }) => read.push(Buffer.from(rawBody)),
    });
    await worker.dispatch(anything(jobs[0])).catch(() => {});
    expect(read).toEqual([body]);
  });

  it('responds only when the queue has the job', async () => {
    const order: string[] = [];
    const { endpoint } = endpointOf({
      enqueue: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push('stored');
      },
    });
    await endpoint.handle(await delivery(failed));
    order.push('answered');
    expect(order).toEqual(['stored', 'answered']);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('the queue is down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the queue is down'))],
  ])('responds 500 if it %s, so that the service delivers again', async (_how, enqueue) => {
    const { endpoint, failures, reports } = endpointOf({ enqueue });
    expect(await endpoint.handle(await delivery(failed))).toMatchObject({ outcome: 'failed', status: 500 });
    expect(failures).toEqual([new Error('the queue is down')]);
    expect(reports).toMatchObject([{ outcome: 'failed', status: 500, error: failures[0] }]);
  });

  it('hands over nothing that the service did not sign', async () => {
    const { endpoint, jobs } = endpointOf();
    const { body, headers } = await delivery(failed);
    const refused = await endpoint.handle({ body: `${body} `, headers });
    expect([refused.outcome, refused.status, jobs]).toEqual(['refused', 400, []]);
  });
});

describe('dispatch', () => {
  it('of the receiver that enqueued it handles the job, and enqueues it no second time', async () => {
    const onEvent = vi.fn();
    const { endpoint, jobs } = endpointOf({ onEvent, store: memoryStore() });
    await endpoint.handle(await delivery(failed));
    expect(await endpoint.dispatch(anything(jobs[0]))).toBe('handled');
    expect([onEvent.mock.calls.length, jobs.length]).toEqual([1, 1]);
  });

  it.each<[what: string, given: unknown, scope?: string]>([
    ['a job', { body: JSON.stringify(failed), receivedAt: 'now', scope: 'acct_1' }],
    ['an event with a scope', failed, 'acct_1'],
  ])('of %s handles it once, under the same key as its delivery', async (_what, given, scope) => {
    const keys: string[] = [];
    const reports: DeliveryReport[] = [];
    const worker = workerOf((_event, { operationId }) => keys.push(operationId), {
      onDelivery: (report) => reports.push(report),
    });
    expect(await worker.dispatch(anything(given), anything(scope && { scope }))).toBe('handled');
    expect(await worker.dispatch(anything(given), anything(scope && { scope }))).toBe('duplicate');
    expect(await worker.handle(await delivery(failed))).toMatchObject({ outcome: 'duplicate' });
    // Without a scope it is another event.
    expect(await worker.dispatch(anything(failed))).toBe('handled');
    expect(keys).toEqual(['webhook.default/test/acct_1/evt_1', 'webhook.default/test//evt_1']);
    const common = {
      source: 'dispatch',
      status: undefined,
      verified: true,
      scope: 'acct_1',
      eventId: 'evt_1',
    };
    expect(reports[0]).toMatchObject({ ...common, outcome: 'handled', attempt: 1 });
  });

  it.each(['chargeback.received', 'chargeback.won'])(
    'takes a verified %s without an envelope, although a mode is required',
    async (event) => {
      const bare = { ...chargeback, event };
      const { body, headers } = await delivery(bare);
      const verified: WebhookEvent = JSON.parse(JSON.stringify(await webhooksAt().verify(body, headers)));
      const receiver = webhooksAt({ livemode: true }).receiver({ store: memoryStore(), onEvent: () => {} });
      expect(await receiver.dispatch(verified)).toBe('handled');
      expect(await receiver.dispatch(anything(bare))).toBe('duplicate');
    },
  );

  it('throws the very error of the handler, so that the queue retries', async () => {
    const error = new Error('no stock');
    const worker = workerOf(() => Promise.reject(error));
    await expect(worker.dispatch(anything(failed))).rejects.toBe(error);
  });

  it('throws while another process handles the event, with the rest of its lease', async () => {
    const inner: unknown[] = [];
    const worker = workerOf(
      async () => {
        inner.push(await worker.dispatch(anything(failed)).catch((error: unknown) => error));
      },
      { lease: 30_500, store: memoryStore({ now: () => 1_000_000 }) },
    );
    await worker.dispatch(anything(failed));
    expect(inner).toEqual([expect.any(PaymentsError)]);
    expect(inner[0]).toMatchObject({
      code: 'WEBHOOK_IN_PROGRESS',
      outcome: 'not_an_operation',
      retryable: true,
      // In whole seconds, rounded up.
      retryAfter: 31,
      message: expect.stringMatching(/evt_1 .+another process is handling it.+again in 31 seconds/),
    });
  });

  it.each<[given: unknown, message: RegExp]>([
    [{}, /expected an event/],
    [{ id: 7 }, /expected an event/],
    [{ body: 7, receivedAt: 'now' }, /expected an event/],
    [{ body: '{}' }, /expected an event/],
    [{ body: '{}', receivedAt: 'now', scope: 7 }, /expected an event/],
    [{ body: '{}', receivedAt: 'now', encoding: 'base64' }, /expected an event/],
    [{ body: 'e30=', receivedAt: 'now', encoding: 'hex' }, /expected an event/],
    ['evt_1', /^receiver\.dispatch: expected a job or an event, got a string of 5 characters/],
  ])('refuses %j, which is neither a job nor an event', async (given, message) => {
    await expect(workerOf(() => {}).dispatch(anything(given))).rejects.toThrow(message);
  });
});
