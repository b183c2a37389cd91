import { describe, expect, it } from 'vitest';
import { fails, record } from '../stories/support.ts';

const order = { amount: 5500, currency: 'USD' } as const;

describe('GET /stories', () => {
  it('paginates, newest first', async () => {
    const { payments, call } = record();
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
      const { sandbox, payments, stories } = record();
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

  it('has the orders that need somebody first, or alone, and the time', async () => {
    const { sandbox, payments, stories, call } = record();
    const declined = { payment_method: 'pm_card_declined' } as const;
    for (const number of [1, 2, 3]) {
      const own = { operationId: `order-${number}` };
      const { id } = await payments.paymentIntents.create({ ...order, amount: number }, own);
      if (number < 3) await fails(payments.paymentIntents.confirm(id, declined, own));
    }
    const ids = async (query: string) => (await stories(query)).map(({ id }) => id);
    expect(await ids('needs=any')).toEqual(['order-2', 'order-1']);
    expect(await ids('needs=refund_failed')).toEqual([]);
    expect(await ids('')).toEqual(['order-2', 'order-1', 'order-3']);
    expect(await ids('before=order-2&limit=1')).toEqual(['order-1']);
    expect((await call('stories')).body).toMatchObject({ now: sandbox.clock.now() });
    expect(await call('stories?needs=declind')).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("got 'declind' (did you mean 'declined'?).") } },
    });
  });

  it('suggests the order that was probably meant', async () => {
    const { payments, call } = record();
    await payments.paymentIntents.create(order, { operationId: 'order-1042' });
    const messageOf = async (id: string) => Object(await call(`stories/${id}`)).body.error.message;
    expect(await messageOf('order-142')).toBe("There is no order 'order-142' (did you mean 'order-1042'?).");
    expect(await messageOf('invoice')).toMatch(/^There is no order 'invoice'\. Sample data/);
  });

  it('rejects an unknown filter', async () => {
    const { call } = record();
    expect(await call('stories?status=open')).toMatchObject({
      status: 400,
      body: { error: { param: 'status' } },
    });
    expect(await call('stories/order-9')).toMatchObject({ status: 404 });
  });
});

describe('the actions that a story offers', () => {
  async function act(
    label: string,
    prepare: (parts: Awaited<ReturnType<typeof record>>) => Promise<unknown>,
  ) {
    const parts = record();
    await prepare(parts);
    const action = (await parts.story('order-1')).actions.find((one) => one.label.startsWith(label));
    const { body } = await parts.call('commands', { name: action?.name, args: action?.args });
    await parts.sandbox.clock.advance('2 minutes');
    return { action, body, story: await parts.story('order-1') };
  }

  const create = ({ payments }: Awaited<ReturnType<typeof record>>) =>
    payments.paymentIntents.create(order, { operationId: 'order-1' });

  it('pays as the buyer', async () => {
    const { action, body, story } = await act('Pay', create);
    expect(action).toMatchObject({
      label: 'Pay $55.00',
      expected: 'The buyer pays, and the amount is charged.',
    });
    expect(body).toMatchObject({ message: expect.stringContaining('succeeded') });
    expect(story.verdict).toBe('charged_once');
  });

  it('refunds what is left', async () => {
    const { action, story } = await act('Refund', async (parts) => {
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
    const { action, story } = await act('Retry', async (parts) => {
      const { id } = await create(parts);
      parts.sandbox.pay(id, { payment_method: 'pm_card_refund_fails_once' });
      await parts.payments.refunds.create({ payment_intent_id: id }, { operationId: 'order-1' });
      await parts.sandbox.clock.advance('2 minutes');
    });
    expect(action?.label).toBe('Retry the refund of $55.00');
    expect(story.notes).toEqual(['refund failed', 'refunded']);
  });

  it('cancels', async () => {
    const { story } = await act('Cancel', create);
    expect(story).toMatchObject({
      verdict: 'nothing_happened',
      notes: ['canceled'],
      actions: [],
    });
  });

  it('repeats a request that was not executed, and reports the result', async () => {
    const { action, body, story } = await act('Repeat', async (parts) => {
      parts.sandbox.faults.inject({ kind: 'unavailable' });
      await create(parts).catch(() => undefined);
    });
    expect(action?.expected).toBe(
      'The service has not executed a request with this key yet, so it executes this one. The reply comes here: your app knows it only once it repeats the request itself.',
    );
    expect(body).toMatchObject({
      message: expect.stringMatching(/^The service replied 200: 'pi_\w+' is requires_payment_method\.$/),
    });
    expect(story).toMatchObject({ verdict: 'open' });
  });

  it('redelivers a failed delivery', async () => {
    let status = 500;
    const { action, story } = await act('Redeliver', async (parts) => {
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
    const parts = record();
    await create(parts);
    expect(await parts.call('commands', { name: 'explode' })).toMatchObject({
      status: 400,
      body: { error: { param: 'name' } },
    });
    const repeated = await parts.call('commands', { name: 'requests.repeat', args: { number: 999 } });
    expect(repeated).toMatchObject({ status: 409 });
  });

  it('reports the refusal of the service', async () => {
    const parts = record();
    const { id } = await create(parts);
    const args = { operation: 'paymentIntents.capture', id };
    const { body } = await parts.call('commands', { name: 'requests.send', args });
    expect(body).toMatchObject({
      message: expect.stringMatching(/^The service rejected the request with 4\d\d: /),
    });
  });
});
