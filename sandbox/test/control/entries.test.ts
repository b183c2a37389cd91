/** Reaches inside: an entry's type is not public. */

import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../test/support/sandbox.ts';
import type { ListedEntries } from '../../src/control/entry-routes.ts';
import type { Entry } from '../../src/stories/entry.ts';
import { record } from '../stories/support.ts';

const order = { amount: 5500, currency: 'USD' } as const;

/** Returns a short description of an entry. */
function textOf(entry: Entry): string {
  switch (entry.kind) {
    case 'request':
      return `${entry.method} ${entry.path}`;
    case 'change':
      return entry.events.map(({ type }) => type).join() || `${entry.object.kind} changed`;
    case 'delivery':
      return `${entry.event.type} → ${entry.responseStatus}`;
    case 'action':
      return entry.name;
  }
}

/** Records requests, a page view, an action, and an event that no endpoint took. */
async function recorded() {
  const parts = record();
  const { sandbox, payments, entries } = parts;
  await payments.customers.list();
  await payments.customers.retrieve('cus_nobody').catch(() => undefined);
  sandbox.faults.inject({ kind: 'drop_request' });
  await payments.customers.create({}, { idempotencyKey: 'key-1' }).catch(() => undefined);
  const session = sandbox.add('checkout_session');
  await sandbox.fetch(new Request(pageOf(sandbox, session.id)));
  sandbox.webhooks.deliverTo(() => new Response(null, { status: 500 }));
  const refund = sandbox.add('refund');
  await sandbox.settled();
  const found = async (query: string) => (await entries(query)).map(textOf);
  return { ...parts, session, refund, found };
}

describe('GET /entries', () => {
  const queries: readonly (readonly [query: string, found: readonly string[]])[] = [
    ['kind=request&status=2xx', ['GET /v1/customers']],
    ['status=4xx', ['GET /v1/customers/cus_nobody']],
    ['status=none', ['POST /v1/customers']],
    ['status=fault', ['POST /v1/customers']],
    ['status=5xx', ['refund.created → 500']],
    ['status=failing', ['refund.created → 500']],
    ['status=3xx', []],
    ['kind=event', ['refund.created', 'checkout.session.created']],
    ['kind=delivery', ['refund.created → 500']],
    ['kind=action&type=faults.inject', ['faults.inject']],
    ['type=customers.list', ['GET /v1/customers']],
    ['type=refund.created', ['refund.created → 500', 'refund.created']],
    ['q=cus_nobody', ['GET /v1/customers/cus_nobody']],
    ['q=lost', ['POST /v1/customers']],
    ['q=KEY-1', ['POST /v1/customers']],
    ['q=drop_request', ['POST /v1/customers', 'faults.inject']],
    ['q=dlv_', ['refund.created → 500']],
    ['q=teapot', []],
  ];

  it('finds entries by kind, status, type and text', async () => {
    const { found } = await recorded();
    for (const [query, expected] of queries) expect([query, await found(query)]).toEqual([query, expected]);
  });

  it('finds page views apart from requests, and entries by the ids of their objects and events', async () => {
    const { sandbox, session, refund, found } = await recorded();
    const page = new URL(pageOf(sandbox, session.id)).pathname;
    expect(await found('kind=page_view')).toEqual([`GET ${page}`]);
    expect(await found('kind=request')).not.toContain(`GET ${page}`);
    expect(await found(`q=${refund.id}`)).toEqual(['refund.created → 500', 'refund.created']);
    expect(await found(`q=${sandbox.events.at(-1)?.id}`)).toEqual(['refund.created → 500', 'refund.created']);
    expect(await found(`q=${sandbox.webhooks.endpoints()[0]?.id}`)).toContain('refund.created → 500');
  });

  it('separates changes that emitted an event from others', async () => {
    const { sandbox, payments, entries } = record();
    const { id } = await payments.paymentIntents.create(order, { operationId: 'order-1' });
    sandbox.pay(id);
    expect((await entries('kind=change')).map(textOf)).toEqual(['charge changed']);
    expect((await entries('kind=event')).map(textOf)).toEqual([
      'payment_intent.succeeded',
      'payment_intent.created',
    ]);
  });

  it('pages by number, newest first, with all deliveries of the events as they are now', async () => {
    const { sandbox, call, entries } = record();
    let status = 500;
    sandbox.webhooks.deliverTo(() => new Response(null, { status }));
    for (let count = 0; count < 3; count += 1) sandbox.trigger('customer.created');
    await sandbox.settled();
    status = 200;
    await sandbox.clock.advance('1 minute');
    const [third, second, first] = await entries('kind=event');
    const read = async (query: string) => (await call(`entries?${query}`)).body as ListedEntries;
    const newest = await read('kind=event&limit=2');
    expect(newest).toMatchObject({ data: [third, second], has_more: true });
    expect(newest.deliveries).toMatchObject([
      { status: 'delivered', attempts: [{ status: 500 }, { status: 200 }] },
      { status: 'delivered' },
    ]);
    expect(await read(`kind=event&limit=2&before=${second?.number}`)).toMatchObject({
      data: [first],
      has_more: false,
    });
  });

  it('lists the last attempt of each failing delivery, as many as the state counts', async () => {
    const { sandbox, call, entries } = record();
    let status = 500;
    sandbox.webhooks.deliverTo(() => new Response(null, { status }));
    sandbox.add('refund');
    await sandbox.settled();
    await sandbox.clock.advance('20 seconds');
    const failing = async () => {
      const counted = Object((await call('state')).body).failing_deliveries;
      return [
        (await entries('status=failing')).map((one) => one.kind === 'delivery' && one.attempt),
        counted,
      ];
    };
    expect(await failing()).toEqual([[2], 1]);
    status = 200;
    sandbox.webhooks.replay(sandbox.events[0]?.id ?? '');
    await sandbox.settled();
    expect(await failing()).toEqual([[], 0]);
  });

  it.each([
    ['kind=requests', 'kind'],
    ['status=lost', 'status'],
    ['operation=customers.list', 'operation'],
    ['limit=501', 'limit'],
  ])('rejects %s', async (query, param) => {
    const { call } = record();
    expect(await call(`entries?${query}`)).toMatchObject({ status: 400, body: { error: { param } } });
  });
});

describe('GET /entries/:number', () => {
  it('lists the changes of a request, and their deliveries', async () => {
    const { sandbox, payments, call, entries } = record();
    sandbox.webhooks.deliverTo(() => new Response());
    await payments.paymentIntents.create(order, { operationId: 'order-1' });
    await payments.paymentIntents.create(order, { operationId: 'order-2' });
    await sandbox.settled();
    const [second, first] = await entries('kind=request');
    const { body } = await call(`entries/${first?.number}`);
    expect(body).toMatchObject({
      entry: { operationId: 'order-1' },
      story: 'order-1',
      effects: [
        { kind: 'change', cause: first?.number },
        { kind: 'delivery', event: { type: 'payment_intent.created' } },
      ],
      deliveries: [{ type: 'payment_intent.created', status: 'delivered' }],
    });
    expect(second).toMatchObject({ operationId: 'order-2' });
    expect((await call('entries/999')).status).toBe(404);
  });
});
