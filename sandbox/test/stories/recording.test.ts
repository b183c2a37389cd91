import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientOf } from '../../../test/support/sandbox.ts';
import { dashboardOf, fails, record } from './support.ts';

/** What is awaited comes, however busy the machine is. */
const patient = { timeout: 15_000 };
const order = { amount: 5500, currency: 'USD' } as const;

it('orders a request before its changes, and these before a later request', async () => {
  const { sandbox, payments, entries } = record();
  const held = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.create' });
  const slow = payments.paymentIntents.create(order, { operationId: 'slow' });
  await held.reached;
  await payments.paymentIntents.create(order, { operationId: 'fast' });
  held.release();
  await slow;
  const told = (await entries()).toReversed().map((entry) => {
    if (entry.kind === 'request') return `${entry.number} ${entry.operationId}`;
    return entry.kind === 'change' ? `${entry.number} by ${entry.cause}` : `${entry.number} ${entry.kind}`;
  });
  expect(told).toEqual(['1 action', '2 fast', '3 by 2', '4 slow', '5 by 4']);
});

it('records the changes of a request whose connection broke during execution', async () => {
  const { sandbox, payments, story } = record();
  const work = sandbox.faults.inject({ kind: 'drop_during', operation: 'paymentIntents.create' });
  await fails(payments.paymentIntents.create(order, { operationId: 'order-100' }));
  expect((await story('order-100')).verdict).toBe('nothing_happened');
  work.release();
  await sandbox.settled();
  await expect.poll(async () => (await story('order-100')).verdict, patient).toBe('unknown_to_app');
});

it('begins when the sandbox listens', async () => {
  const sandbox = createSandbox();
  const { id } = sandbox.add('payment_intent', order);
  await sandbox.listen();
  onTestFinished(() => sandbox.close());
  sandbox.pay(id);
  // Only the payment: nobody recorded the intent.
  expect((await dashboardOf(sandbox).entries()).map(({ kind }) => kind)).toEqual([
    'change',
    'change',
    'action',
  ]);
});

it('records actions of code, but not failed ones', async () => {
  const { sandbox, entries } = record();
  const { id } = sandbox.add('payment_intent', order);
  sandbox.pay(id);
  expect(() => sandbox.pay(id)).toThrow();
  await sandbox.clock.advance('1 hour');
  sandbox.settle();
  sandbox.faults.clear();
  const actions = (await entries('kind=action&limit=50')).toReversed();
  expect(actions.map((entry) => entry.kind === 'action' && entry.name)).toEqual([
    'add',
    'pay',
    'clock.advance',
    'settle',
    'faults.clear',
  ]);
});

it('records the signed bytes of a delivery, its signature and the response', async () => {
  const { sandbox, payments, entries } = record();
  const received: { body: string; signature: string | null }[] = [];
  sandbox.webhooks.deliverTo(async (request) => {
    received.push({ body: await request.text(), signature: request.headers.get('webhook-signature') });
    return new Response('not yet', { status: received.length === 1 ? 500 : 200 });
  });
  await payments.paymentIntents.create(order, { operationId: 'order-100' });
  await sandbox.settled();
  await sandbox.clock.advance('1 hour');
  const deliveries = (await entries('kind=delivery')).toReversed();
  expect(deliveries).toMatchObject([
    { attempt: 1, status: 'pending', responseStatus: 500, responseText: 'not yet' },
    { attempt: 2, status: 'delivered', responseStatus: 200 },
  ]);
  expect(deliveries.map((one) => one.kind === 'delivery' && one.request)).toMatchObject(
    received.map(({ body, signature }) => ({ body, headers: { 'webhook-signature': signature } })),
  );
});

it('records whether each reply arrived', async () => {
  const { sandbox, payments, entries } = record();
  for (const kind of ['drop_request', 'drop_reply', 'truncate_body', 'malformed_body'] as const) {
    sandbox.faults.inject({ kind, operation: 'customers.create' });
    await fails(payments.customers.create({}, { operationId: kind }));
  }
  await payments.customers.create({});
  const requests = (await entries('kind=request&type=customers.create')).toReversed();
  expect(
    requests.map((one) => one.kind === 'request' && [one.fault?.kind, one.arrived, one.reply?.status]),
  ).toEqual([
    ['drop_request', false, undefined],
    ['drop_reply', false, 200],
    ['truncate_body', false, 200],
    ['malformed_body', false, 200],
    [undefined, true, 200],
  ]);
});

it('keeps the latest 4,000 entries, and marks a story whose start was dropped', async () => {
  const { sandbox, payments, story, entries } = record();
  const intent = await payments.paymentIntents.create(order, { operationId: 'order-100' });
  for (let count = 0; count < 2_100; count += 1) sandbox.add('product');
  sandbox.pay(intent.id);
  expect(sandbox.story('order-100')).toBeUndefined();
  expect(await story(intent.id)).toMatchObject({ verdict: 'charged_once', isCut: true });
  expect((await entries('limit=1'))[0]?.number).toBeGreaterThan(4_000);
});

it('is cleared by a reset, and complete from then on', async () => {
  const { sandbox, payments, story, stories, entries } = record();
  await payments.paymentIntents.create(order, { operationId: 'order-100' });
  sandbox.reset();
  expect([await stories(), await entries()]).toMatchObject([[], [{ kind: 'action', name: 'reset' }]]);
  await payments.paymentIntents.create(order, { operationId: 'order-101' });
  expect(await story('order-101')).toMatchObject({ isCut: false, entries: [{ number: 4 }, { number: 5 }] });
});

describe('a snapshot', () => {
  const visa = { payment_method: 'pm_card_visa' } as const;

  it('has the stories of its state: a restore forgets what happened since', async () => {
    const { sandbox, payments, stories, entries } = record();
    const options = { operationId: 'order-100' };
    const intent = await payments.paymentIntents.create(order, options);
    const unpaid = await stories();
    const snapshot = sandbox.snapshot();
    await payments.paymentIntents.confirm(intent.id, visa, options);
    await payments.paymentIntents.create(order, { operationId: 'order-101' });
    const numbers = (await entries()).map(({ number }) => number);
    sandbox.restore(snapshot);
    expect(await stories()).toEqual(unpaid);

    await payments.paymentIntents.confirm(intent.id, visa, options);
    expect(sandbox.story('order-100')).toMatchObject({ verdict: 'charged_once', charges: 1, attempts: 1 });
    const [, , restore] = (await entries()).toReversed();
    expect(restore).toMatchObject({ kind: 'action', name: 'restore' });
    // No number stands for two entries.
    expect(restore?.number).toBeGreaterThan(Math.max(...numbers));
  });

  it('is equal to another one without a change between them', async () => {
    const { sandbox, payments } = record();
    await payments.paymentIntents.create(order, { operationId: 'order-100' });
    expect(sandbox.snapshot()).toEqual(sandbox.snapshot());
  });

  it('brings its stories to another sandbox, where no id names two requests', async () => {
    const { sandbox, payments, stories } = record();
    for (const operationId of ['order-100', 'order-101'])
      await payments.paymentIntents.create(order, { operationId });
    const other = record();
    await other.payments.customers.create({});
    other.sandbox.restore(structuredClone(sandbox.snapshot()));
    expect(await other.stories()).toEqual(await stories());
    const [intent] = (await other.payments.paymentIntents.list()).items;
    await other.payments.paymentIntents.confirm(intent?.id ?? '', visa, { operationId: 'order-101' });
    expect((await other.stories()).map(({ id, verdict }) => [id, verdict])).toEqual([
      ['order-101', 'charged_once'],
      ['order-100', 'open'],
    ]);
    const all = await other.entries();
    const requests = all.flatMap((entry) => (entry.kind === 'request' ? [entry.requestId] : []));
    expect(new Set(requests).size).toBe(requests.length);
    expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
  });

  it('takes no part in a request that is still running', async () => {
    const { sandbox, payments } = record();
    await payments.paymentIntents.create(order, { operationId: 'order-100' });
    const other = record();
    const work = other.sandbox.faults.inject({ kind: 'drop_during', operation: 'paymentIntents.create' });
    await fails(other.payments.paymentIntents.create(order, { operationId: 'order-101' }));
    other.sandbox.restore(sandbox.snapshot());
    work.release();
    await expect.poll(async () => (await other.stories()).length, patient).toBe(2);
    expect((await other.story('order-100')).objects).toHaveLength(1);
  });

  it('has no stories while nothing is recorded', () => {
    const sandbox = createSandbox();
    sandbox.add('payment_intent', order);
    const other = createSandbox();
    other.restore(sandbox.snapshot());
    expect(other.story(other.events[0]?.id ?? '')).toBeUndefined();
  });
});

it('goes on in a fork, for itself', async () => {
  const { sandbox, payments } = record();
  const { id } = await payments.paymentIntents.create(order, { operationId: 'order-100' });
  const fork = sandbox.fork();
  fork.pay(id);
  expect([fork.story('order-100')?.verdict, sandbox.story('order-100')?.verdict]).toEqual([
    'charged_once',
    'open',
  ]);
});

it('has no sample data, which both the command and the missing story say', async () => {
  const { payments, call, stories } = record();
  const { body } = await call('commands', { name: 'seed', args: { customers: 1, intents: 2, months: 1 } });
  expect(body).toMatchObject({
    message: expect.stringMatching(
      / 2 payment intents, .*\. They have no stories: demo makes orders that have\.$/,
    ),
  });
  expect(await stories()).toEqual([]);
  const [intent] = (await payments.paymentIntents.list()).items;
  expect(await call(`stories/${intent?.id}`)).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining('Sample data has none') } },
  });
});

describe('an executed request whose reply a fault delays', () => {
  const sale = { amount: '12.00', payment_token: 'tok_1', orderid: 'order-9' } as const;

  /** Sends sales, and waits until they are executed. `faults.clear()` ends the wait for their replies. */
  async function sell(count: number, options: { readonly signal?: AbortSignal } = {}) {
    const recorded = record();
    const { sandbox, payments } = recorded;
    const fault = { kind: 'latency', committed: true, ms: 60_000, times: count } as const;
    sandbox.faults.inject({ ...fault, operation: 'transact.submit' });
    const sales = Array.from({ length: count }, () =>
      Promise.resolve(payments.transact.sale(sale, options)).catch(() => undefined),
    );
    await expect.poll(() => sandbox.transactions.length, patient).toBe(count);
    return { ...recorded, sales };
  }

  it('belongs to its order at once, unknown to the app until the reply arrives', async () => {
    const { sandbox, sales, call, entries } = await sell(1);
    expect(sandbox.story('order-9')).toMatchObject({ verdict: 'unknown_to_app', charges: 1 });
    expect(await entries('kind=request')).toMatchObject([{ arrived: false, reply: { status: 200 } }]);
    expect([sandbox.requests, (await call('requests')).body]).toMatchObject([[], { data: [] }]);
    const fork = sandbox.fork();
    sandbox.faults.clear();
    const [sold] = await Promise.all(sales);
    expect(sandbox.story('order-9')).toMatchObject({ verdict: 'charged_once', charges: 1, attempts: 1 });
    expect(await entries('kind=request')).toMatchObject([{ arrived: true, reply: { status: 200 } }]);
    expect(sandbox.story(String(sold?.transactionid))?.id).toBe('order-9');
    expect([sandbox.requests.length, (await call('requests')).body]).toMatchObject([1, { data: [{}] }]);
    // The copy never sends the reply.
    expect(fork.story('order-9')).toMatchObject({ verdict: 'unknown_to_app' });
  });

  it('is known to the app once its reply arrives, also if a snapshot was restored meanwhile', async () => {
    const { sandbox, sales, entries } = await sell(1);
    sandbox.restore(sandbox.snapshot());
    expect(sandbox.story('order-9')).toMatchObject({ verdict: 'unknown_to_app' });
    sandbox.faults.clear();
    await Promise.all(sales);
    expect(sandbox.story('order-9')).toMatchObject({ verdict: 'charged_once', attempts: 1 });
    expect(await entries('kind=request')).toMatchObject([{ arrived: true }]);
  });

  it('shows a second sale of the order', async () => {
    const { sandbox, sales } = await sell(2);
    expect(sandbox.story('order-9')).toMatchObject({ verdict: 'charged_twice', charges: 2 });
    sandbox.faults.clear();
    await Promise.all(sales);
  });

  it('stays unknown to an app whose connection ends with the sandbox', async () => {
    const { sandbox } = record();
    await sandbox.listen();
    sandbox.faults.inject({ kind: 'latency', committed: true, ms: 60_000, operation: 'transact.submit' });
    const sold = fails(clientOf(sandbox).transact.sale(sale));
    await expect.poll(() => sandbox.transactions.length, patient).toBe(1);
    await sandbox.close();
    await sold;
    await expect.poll(() => sandbox.requests.length, patient).toBe(1);
    expect(sandbox.story('order-9')).toMatchObject({ verdict: 'unknown_to_app', attempts: 1 });
  });

  it('stays unknown to an app that went away meanwhile', async () => {
    const app = new AbortController();
    const { sandbox, sales } = await sell(1, { signal: app.signal });
    app.abort();
    await Promise.all(sales);
    sandbox.faults.clear();
    await expect.poll(() => sandbox.requests.length, patient).toBe(1);
    expect(sandbox.story('order-9')).toMatchObject({ verdict: 'unknown_to_app', attempts: 1 });
  });
});

it('counts the deliveries of a story as they are, also after one was canceled without an entry', async () => {
  const { sandbox } = record();
  const endpoint = sandbox.webhooks.deliverTo(() => new Response());
  const { id } = sandbox.add('payment_intent', order);
  sandbox.update('webhook_endpoint', endpoint.id, { status: 'disabled' });
  expect(sandbox.story(id)?.webhooks).toMatchObject({ total: 1 });
  await sandbox.settled();
  expect(sandbox.story(id)?.webhooks).toMatchObject({ total: 0 });
});
