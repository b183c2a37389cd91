/** Whatever way a state takes into another sandbox, all of it arrives: nothing is lost, repeated, or done twice. */

import {
  createSandbox,
  openSandbox,
  type Sandbox,
  type SandboxOptions,
  testCards,
} from 'payments-client-sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clientOf } from '../../../test/support/sandbox.ts';
import { inProcess, json, readPage } from '../../../test/support/sandbox-requests.ts';
import { temporaryFile } from '../../../test/support/temporary-file.ts';
import { dashboardOf } from '../stories/support.ts';

const startsAt = Date.UTC(2026, 0, 1);
const options: SandboxOptions = { startsAt, velocityRules: 'typical' };
const card = { ccnumber: '4111111111111111', ccexp: '1230', cvv: '123' };
const pay = (sandbox: Sandbox, operationId = 'order-1') =>
  clientOf(sandbox, { fetch: sandbox.fetch, maxRetries: 0 })
    .paymentIntents.create({ amount: 1200, currency: 'jpy' }, { operationId })
    .withResponse();

/** Each way: how the sandbox is made, and how its state gets on. */
const ways: Readonly<
  Record<string, { make?: () => Promise<Sandbox>; move: (from: Sandbox) => Sandbox | Promise<Sandbox> }>
> = {
  'restored in the same sandbox': {
    move: async (from) => {
      const snapshot = from.snapshot();
      await pay(from, 'since');
      from.add('customer');
      await from.clock.advance('40 days');
      from.restore(snapshot);
      return from;
    },
  },
  'restored in another sandbox, as a structured clone': {
    move: (from) => {
      const { secretKey, securityKey } = from;
      const other = createSandbox({ ...options, secretKey, securityKey, startsAt: 0 });
      other.add('product');
      other.restore(structuredClone(from.snapshot()));
      return other;
    },
  },
  forked: { move: (from) => from.fork() },
  'stored in a file that is opened again': {
    make: async () => {
      const file = await temporaryFile();
      const sandbox = await openSandbox(file, options);
      files.set(sandbox, file);
      return sandbox;
    },
    move: async (from) => {
      await from.close();
      const again = await openSandbox(files.get(from) ?? '', { ...options, startsAt: 0 });
      onTestFinished(() => again.close());
      return again;
    },
  },
};
const files = new Map<Sandbox, string>();

describe.each(Object.entries(ways))('a state that is %s', (_, { make, move }) => {
  /** Makes something of every kind, and moves the state. */
  async function moved() {
    const before = make === undefined ? createSandbox(options) : await make();
    before.story('');
    const created = await pay(before);
    before.pay(created.data.id);
    const token = await before.tokenize(testCards.fullMatch);
    const used = await before.tokenize(card);
    const { transact } = clientOf(before, { fetch: before.fetch });
    await transact.sale({ amount: '12.00', payment_token: used, orderid: 'shop-1' });
    await transact.sale({ amount: '12.00', ...card });
    const session = before.add('checkout_session', { expires_at: startsAt / 1000 + 3_600 });
    const products = [before.add('product'), before.add('product'), before.add('product')];
    const gone = products[1]?.id ?? '';
    await inProcess(before)(`/v1/products/${gone}`, json(before, { method: 'DELETE' }));
    before.webhooks.deliverTo('http://127.0.0.1:1/hooks', { events: ['customer.created'] });
    // A sandbox that is closed has no faults, so neither has its file.
    if (make === undefined) before.faults.inject({ kind: 'drop_delivery', times: 1 });
    await before.clock.advance('10 s');
    const told = await tell(before);
    const after = await move(before);
    return { after, told, created, token, used, session, products, gone };
  }

  /** All that a sandbox shows. */
  async function tell(sandbox: Sandbox) {
    const { stories, call } = dashboardOf(sandbox);
    const state: { due: unknown; objects: unknown; books: unknown } = Object((await call('state')).body);
    return {
      now: sandbox.clock.now(),
      events: sandbox.events,
      transactions: sandbox.transactions,
      deliveries: sandbox.webhooks.deliveries(),
      endpoints: sandbox.webhooks.endpoints(),
      stories: await stories(),
      due: state.due,
      objects: state.objects,
      books: state.books,
    };
  }

  test('shows the same, and has balanced books', async () => {
    const { after, told } = await moved();
    expect(told.books).toEqual({ balanced: true, problem: null });
    expect(await tell(after)).toEqual(told);
  });

  test('replays the request of a key, and repeats no id', async () => {
    const { after, created } = await moved();
    const again = await pay(after);
    expect([again.response.idempotentReplayed, again.data.id]).toEqual([true, created.data.id]);
    const other = await pay(after, 'order-2');
    expect(other.response.idempotentReplayed).toBe(false);
    expect(other.data.id).not.toBe(created.data.id);
  });

  test('goes on with its schedule, to the millisecond, once', async () => {
    const { after, session } = await moved();
    const status = () => after.get('checkout_session', session.id)?.status;
    await after.clock.advance(3_590_000 - 1);
    expect(status()).toBe('open');
    await after.clock.advance(1);
    expect(status()).toBe('expired');
    await after.clock.advance('2 days');
    expect(after.events.filter(({ type }) => type === 'checkout.session.expired')).toHaveLength(1);
    expect(after.transactions.map((one) => one.status)).toEqual(['settled', 'settled']);
  });

  test('keeps removed ids as cursors, and used tokens used', async () => {
    const { after, gone, products, token, used } = await moved();
    const page = await inProcess(after)(`/v1/products?starting_after=${gone}`, json(after));
    expect((await readPage(page)).data).toEqual([products[0]]);
    const { transact } = clientOf(after, { fetch: after.fetch });
    expect((await transact.sale({ amount: '12.00', payment_token: used })).responsetext).toMatch(
      /used before/,
    );
    expect((await transact.sale({ amount: '12.00', payment_token: token })).approved).toBe(true);
  });

  test('counts on for velocity rules, and has its faults of deliveries', async () => {
    const { after } = await moved();
    const { transact } = clientOf(after, { fetch: after.fetch });
    // The third of three, and one too many.
    expect((await transact.sale({ amount: '12.00', ...card })).approved).toBe(true);
    expect((await transact.sale({ amount: '12.00', ...card })).responsetext).toBe(
      'Velocity rule card-10-minutes',
    );
    after.add('customer');
    after.add('customer');
    expect(after.webhooks.deliveries().map(({ status }) => status)).toEqual([
      make === undefined ? 'dropped' : 'pending',
      'pending',
    ]);
  });
});

test('a fork and its origin do not see each other', async () => {
  const origin = createSandbox(options);
  const fork = origin.fork();
  await pay(fork);
  await fork.clock.advance('1 day');
  fork.faults.inject({ kind: 'respond', status: 503 });
  expect([origin.events, origin.clock.now()]).toEqual([[], startsAt]);
  expect((await pay(origin)).response.idempotentReplayed).toBe(false);
});
