/** Reaches inside: an entry's type is not public. Tests the stories and entries of the control API. */

import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/sandbox/stories/entry.ts';
import { record } from '../stories/support.ts';

const order = { amount: 5500, currency: 'USD' } as const;

describe('GET /stories', () => {
  it('paginates, newest first', async () => {
    const { payments, call } = await record();
    for (const number of [1, 2, 3])
      await payments.paymentIntents.create(order, { operationId: `order-${number}` });
    expect((await call('stories?limit=2')).body).toMatchObject({
      data: [{ id: 'order-3' }, { id: 'order-2' }],
      has_more: true,
    });
    expect((await call('stories?limit=2&before=order-2')).body).toMatchObject({
      data: [{ id: 'order-1' }],
      has_more: false,
    });
  });

  it.each(['q=order-1', 'q=ADA@', 'q=55.00', 'verdict=charged_once', 'q=cus_&verdict=charged_once'])(
    'finds an order by %s',
    async (query) => {
      const { sandbox, payments, stories } = await record();
      const customer = sandbox.add('customer', { email: 'ada@example.com' });
      const { id } = await payments.paymentIntents.create(
        { ...order, customer: customer.id },
        { operationId: 'order-1' },
      );
      sandbox.pay(id);
      await payments.paymentIntents.create({ ...order, amount: 700 }, { operationId: 'order-2' });
      expect((await stories(query)).map((story) => story.id)).toEqual(['order-1']);
    },
  );

  it('rejects an unknown filter', async () => {
    const { call } = await record();
    expect(await call('stories?status=open')).toMatchObject({
      status: 400,
      body: { error: { param: 'status' } },
    });
    expect(await call('stories/order-9')).toMatchObject({ status: 404 });
  });
});

describe('GET /entries', () => {
  it('lists the changes of a request, and their deliveries', async () => {
    const { sandbox, payments, call, entries } = await record();
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
    });
    expect(second).toMatchObject({ operationId: 'order-2' });
    expect((await call('entries/999')).status).toBe(404);
  });

  it.each([
    ['status=2xx', ['GET /v1/customers']],
    ['status=4xx', ['GET /v1/customers/cus_nobody']],
    ['status=none', ['POST /v1/customers']],
    ['operation=customers.list', ['GET /v1/customers']],
    ['q=cus_nobody', ['GET /v1/customers/cus_nobody']],
    ['q=lost', ['POST /v1/customers']],
  ])('finds requests by %s', async (query, found) => {
    const { sandbox, payments, entries } = await record();
    await payments.customers.list();
    await payments.customers.retrieve('cus_nobody').catch(() => undefined);
    sandbox.faults.inject({ kind: 'drop_request' });
    await payments.customers.create({}).catch(() => undefined);
    const requests = await entries(`kind=request&${query}`);
    expect(requests.map((one: Entry) => one.kind === 'request' && `${one.method} ${one.path}`)).toEqual(
      found,
    );
  });
});

describe('POST /stories/:id/actions', () => {
  async function act(name: string, prepare: (parts: Awaited<ReturnType<typeof record>>) => Promise<unknown>) {
    const parts = await record();
    await prepare(parts);
    const action = (await parts.story('order-1')).actions.find((one) => one.name === name);
    const { body } = await parts.call('stories/order-1/actions', { name, target: action?.target });
    await parts.sandbox.clock.advance('2 minutes');
    return { action, body, story: await parts.story('order-1') };
  }

  const create = ({ payments }: Awaited<ReturnType<typeof record>>) =>
    payments.paymentIntents.create(order, { operationId: 'order-1' });

  it('pays as the buyer', async () => {
    const { action, body, story } = await act('pay', create);
    expect(action).toMatchObject({
      label: 'Pay $55.00',
      expected: 'The buyer pays, and the amount is charged.',
    });
    expect(body).toEqual({ message: expect.stringContaining('succeeded') });
    expect(story.verdict).toBe('charged_once');
  });

  it('refunds what is left', async () => {
    const { action, story } = await act('refund', async (parts) => {
      const { id } = await create(parts);
      parts.sandbox.pay(id);
      await parts.payments.refunds.create(
        { payment_intent_id: id, amount: 1000 },
        { operationId: 'order-1' },
      );
    });
    expect(action?.label).toBe('Refund $45.00');
    expect(story).toMatchObject({ net: 0, charges: 1 });
  });

  it('retries a refund that failed', async () => {
    const { action, story } = await act('retry refund', async (parts) => {
      const { id } = await create(parts);
      parts.sandbox.pay(id, { payment_method: 'pm_card_refund_fails_once' });
      await parts.payments.refunds.create({ payment_intent_id: id }, { operationId: 'order-1' });
      await parts.sandbox.clock.advance('2 minutes');
    });
    expect(action?.label).toBe('Retry the refund of $55.00');
    expect(story.notes).toEqual(['refund failed', 'refunded']);
  });

  it('cancels', async () => {
    const { story } = await act('cancel', create);
    expect(story).toMatchObject({
      verdict: 'nothing_happened',
      notes: ['canceled'],
      actions: [{ name: 'repeat' }],
    });
  });

  it('repeats a request that was not executed, and reports the result', async () => {
    const { action, body, story } = await act('repeat', async (parts) => {
      parts.sandbox.faults.inject({ kind: 'unavailable' });
      await create(parts).catch(() => undefined);
    });
    expect(action?.expected).toBe(
      'The service has not executed a request with this key yet, so it executes this one.',
    );
    expect(body).toEqual({
      message: expect.stringMatching(/^The service replied 200: 'pi_\w+' is requires_payment_method\.$/),
    });
    expect(story).toMatchObject({ verdict: 'open' });
  });

  it('redelivers a failed delivery', async () => {
    let status = 500;
    const { action, story } = await act('redeliver', async (parts) => {
      parts.sandbox.webhooks.deliverTo(() => new Response(null, { status }));
      await create(parts);
      await parts.sandbox.settled();
      await parts.sandbox.clock.advance('30 days');
      status = 200;
    });
    expect(action?.label).toBe('Redeliver payment_intent.created');
    expect(story.webhooks).toMatchObject({ delivered: 1 });
  });

  it('rejects an unknown action, and a request that was not recorded completely', async () => {
    const parts = await record();
    await create(parts);
    const path = 'stories/order-1/actions';
    expect(await parts.call(path, { name: 'explode', target: '1' })).toMatchObject({
      status: 400,
      body: { error: { param: 'name' } },
    });
    expect(await parts.call(path, { name: 'repeat', target: '999' })).toMatchObject({ status: 409 });
  });

  it('reports the refusal of the service', async () => {
    const parts = await record();
    const { id } = await create(parts);
    const { body } = await parts.call('stories/order-1/actions', { name: 'capture', target: id });
    expect(body).toEqual({
      message: expect.stringMatching(/^The service rejected the request with 4\d\d: /),
    });
  });
});
