/** `onDelivery` receives one report for each delivery, whatever its server and its outcome. */

import { createServer } from 'node:http';
import { memoryStore } from 'payments-client/stores';
import type { DeliveryReport, ReceiverOptions, WebhooksOptions } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { delivery, envelope, eventOf, otherSecret, secret, webhooksAt } from '../../support/deliveries.ts';
import { listen } from './running.ts';
import { disconnectHalfway, send, summary } from './send.ts';
import { servers } from './servers.ts';

const settings: Partial<WebhooksOptions> = { secrets: { platform: secret }, maxBodyBytes: 100_000 };

function receiverOf(options: Partial<ReceiverOptions> = {}) {
  const reports: DeliveryReport[] = [];
  const receiver = webhooksAt(settings).receiver({
    store: memoryStore(),
    consumer: 'billing',
    on: {
      'refund.failed': (_event, { attempt }) => {
        if (attempt === 1) throw new Error('not at first');
      },
    },
    onError: () => {},
    onDelivery: (report) => reports.push(report),
    ...options,
  });
  return { receiver, reports };
}

const failed = eventOf('refund.failed');
const drifted = eventOf('refund.failed', { id: 'evt_2', created: 7 });

const common = {
  duration: expect.any(Number),
  source: 'request',
  consumer: 'billing',
  verified: true,
  reason: undefined,
  error: undefined,
  scope: 'platform',
  eventId: 'evt_1',
  type: 'refund.failed',
  created: new Date('2026-01-31T12:00:00Z'),
  attempt: undefined,
  issues: [],
};
const error = expect.any(Error);
const unread = { eventId: undefined, type: undefined, created: undefined };
const unverified = { error, verified: false, scope: undefined, ...unread };

describe.each(Object.entries(servers))('on %s', (_name, start) => {
  it('reports each delivery once', async () => {
    const { receiver, reports } = receiverOf();
    const url = `${await start(receiver)}/hooks/shop`;
    const responses: string[] = [];
    const sent = [failed, failed, failed, drifted, eventOf('refund.created'), envelope('a.b', {}), 'text'];
    for (const value of sent) responses.push(summary(await send(url, await delivery(value))));
    responses.push(summary(await send(url, await delivery(failed, webhooksAt({ secret: otherSecret })))));
    const { headers } = await delivery(failed);
    responses.push(summary(await send(url, { body: 'x'.repeat(100_001), headers })));
    const issues = [{ path: 'created', expected: 'an ISO 8601 time in UTC', received: 'the number 7' }];
    const error = new Error('not at first');
    expect(reports).toEqual([
      { ...common, outcome: 'failed', status: 500, attempt: 1, error },
      { ...common, outcome: 'handled', status: 200, attempt: 2 },
      { ...common, outcome: 'duplicate', status: 200 },
      {
        ...common,
        outcome: 'failed',
        status: 500,
        eventId: 'evt_2',
        created: undefined,
        attempt: 1,
        issues,
        error,
      },
      { ...common, outcome: 'handled', status: 200, type: 'refund.created' },
      { ...common, outcome: 'handled', status: 200, type: 'a.b' },
      {
        ...common,
        outcome: 'failed',
        status: 500,
        ...unread,
        attempt: 1,
        error: expect.objectContaining({ reason: 'invalid_payload' }),
        issues: [expect.objectContaining({ path: '(root)' })],
      },
      { ...common, ...unverified, outcome: 'refused', status: 400, reason: 'no_match' },
      { ...common, ...unverified, outcome: 'refused', status: 400, reason: 'invalid_payload' },
    ]);
    expect(responses).toEqual(
      reports.map(({ outcome, status, reason }) => `${status} ${outcome}${reason ? ` ${reason}` : ''}`),
    );
    for (const { duration } of reports) expect(duration).toBeGreaterThanOrEqual(0);
  });
});

describe('onDelivery', () => {
  it('reports a delivery whose connection broke', async () => {
    let report = (_report: DeliveryReport) => {};
    const reported = new Promise<DeliveryReport>((resolve) => {
      report = resolve;
    });
    const { receiver } = receiverOf({ onDelivery: (received) => report(received) });
    const { body, headers } = await delivery(failed);
    await disconnectHalfway(`${await listen(createServer(receiver.node))}/`, headers, body);
    expect(await reported).toMatchObject({ outcome: 'refused', reason: 'invalid_payload', verified: false });
  });

  it('reports a delivery of an event in progress', async () => {
    const replies: Promise<unknown>[] = [];
    const { receiver, reports } = receiverOf({
      on: {
        'refund.failed': async () => {
          replies.push(receiver.handle(await delivery(failed)));
          await replies[0];
        },
      },
    });
    await receiver.handle(await delivery(failed));
    expect(reports).toMatchObject([
      { outcome: 'in_progress', status: 409, attempt: undefined },
      { outcome: 'handled', attempt: 1 },
    ]);
  });

  it('is not called for other methods', async () => {
    const { receiver, reports } = receiverOf();
    expect((await send(await listen(createServer(receiver.node)), { method: 'GET' })).status).toBe(405);
    expect(reports).toEqual([]);
  });
});
