/** Whatever happens to orders, their verdicts and needs are what the state, the ledger and the network say. */

import { PaymentsError } from 'payments-client';
import { createSandbox, type Sandbox, testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { type Draw, drawsOf } from '../../../test/support/draws.ts';
import { clientOf } from '../../../test/support/sandbox.ts';
import { stateOf } from '../../../test/support/sandbox-state.ts';
import { bySize } from '../../../test/support/size.ts';
import { type KnownOrder, ledgerOf, newOrder, noteNamed, truthOf } from './truth.ts';

const pages = { success_url: 'https://shop.example/paid', cancel_url: 'https://shop.example/cart' };
const methods = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_declined',
  'pm_card_refund_fails',
  'pm_card_refund_fails_once',
  'pm_card_fails_on_renewal',
] as const;
const faults = [
  { kind: 'drop_reply' },
  { kind: 'drop_reply' },
  { kind: 'drop_request' },
  { kind: 'bad_gateway', committed: true },
  { kind: 'truncate_body' },
  { kind: 'rate_limit' },
  { kind: 'unavailable' },
] as const;
/** Ids of every shape: some look like card numbers, keys or escapes. */
const shapes = [
  (n: number) => `order-${n}`,
  (n: number) => `17323812345${n}7`,
  (n: number) => (n % 2 === 0 ? '4111111111111111' : '5555555555554444') + (n > 1 ? `/${n}` : ''),
  (n: number) => `sk_v1_test_${'a'.repeat(20)}${n}`,
  (n: number) => `Größe~0041 ${n}:é/${n}`,
  (n: number) => `cart-${(n % 2) + 1}/${n}`,
] as const;

/** A shop whose network loses requests and replies. */
class Shop {
  readonly sandbox: Sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 15, 9) });
  readonly orders: KnownOrder[] = [];
  readonly acknowledged = new Set<string>();
  /** The ids of all payments, in the order in which they were made. */
  readonly paid = new Set<string>();
  readonly #draw: Draw;
  readonly #payments;
  #isUp = true;

  constructor(draw: Draw) {
    this.#draw = draw;
    // Without an address nothing is recorded until the first look at a story.
    this.sandbox.story('');
    this.#payments = clientOf(this.sandbox, {
      baseUrl: 'http://localhost',
      fetch: this.sandbox.fetch,
      maxRetries: 0,
    });
    this.sandbox.webhooks.deliverTo(async (request) => {
      const { id }: { readonly id: string } = JSON.parse(await request.text());
      if (this.#isUp) this.acknowledged.add(id);
      return new Response(null, { status: this.#isUp ? 200 : 503 });
    });
  }

  #pick<T>(from: readonly T[]): T {
    // An item may be undefined, so its absence says nothing.
    return from[this.#draw(from.length)] as T;
  }

  #moved(): string {
    const { objects } = stateOf(this.sandbox);
    const all = [objects.payment_intent, objects.charge, objects.refund, objects.checkout_session].flatMap(
      (kind) => kind.all().map((one) => JSON.stringify(one)),
    );
    return [...all, ...objects.transaction.all().map((one) => JSON.stringify(one))].join();
  }

  #captured(): ReadonlySet<string> {
    const { objects } = stateOf(this.sandbox);
    return new Set([
      ...objects.charge.all().flatMap(({ id, status }) => (status === 'succeeded' ? [id] : [])),
      ...objects.transaction.all().flatMap(({ id, captured }) => (Number(captured) > 0 ? [id] : [])),
    ]);
  }

  /** Notes the payments that were made since it was last called. */
  #notePayments(): void {
    for (const id of this.#captured()) this.paid.add(id);
  }

  #made(): readonly string[] {
    const { objects } = stateOf(this.sandbox);
    const { payment_intent, checkout_session, refund, transaction } = objects;
    return [payment_intent, checkout_session, refund, transaction].flatMap((kind) =>
      kind.all().map(({ id }) => id),
    );
  }

  /** Sends a request about objects, which a fault may hit, and notes what the network did. */
  async #send<T>(
    order: KnownOrder,
    key: string,
    work: () => Promise<T>,
    ...named: readonly string[]
  ): Promise<T | undefined> {
    noteNamed(order, named);
    const fault = this.#draw(3) === 0 ? this.#pick(faults) : undefined;
    if (fault !== undefined) this.sandbox.faults.inject(fault);
    const [before, captured, known] = [this.#moved(), this.#captured(), this.#made()];
    const sent = order.sent.get(key) ?? { executed: false, known: false };
    let result: T | undefined;
    try {
      result = await work();
      sent.known = true;
    } catch (error) {
      // A refusal is an answer too, unless a fault came in between.
      if (!(error instanceof PaymentsError)) throw error;
      if (fault === undefined) sent.known = true;
    }
    this.sandbox.faults.clear();
    if (this.#moved() !== before) sent.executed = true;
    // A capture is the shop's, so that no buyer pays again because of it.
    if (!key.includes('/end-')) {
      for (const id of this.#captured()) if (!captured.has(id)) order.made.set(`${key} ${id}`, id);
    }
    for (const id of this.#made()) if (!known.includes(id)) order.makers.set(id, key);
    this.#notePayments();
    order.sent.set(key, sent);
    return result;
  }

  #newOrder(): KnownOrder {
    const order = newOrder(this.#pick(shapes)(this.orders.length));
    order.customer = this.#pick([undefined, undefined, ...this.#customers]);
    this.orders.push(order);
    return order;
  }

  /** An operation id such as `cart-1/2` is the second attempt at `cart-1`. */
  #nameAttempt({ id, names }: KnownOrder): void {
    const [cart, number] = id.split('/');
    if (cart?.startsWith('cart-') && Number(number) < 10) names.add(cart);
  }

  readonly #customers: readonly `cus_${string}`[] = [1, 2].map(() => this.sandbox.add('customer').id);

  /** Each makes something happen to an order. */
  readonly #beginnings = [
    async () => {
      const order = this.#newOrder();
      const { customer } = order;
      this.#nameAttempt(order);
      const metadata = this.#pick([
        undefined,
        undefined,
        { cart: '1' },
        { cart: '2' },
        { order_id: 'cart-1' },
      ]);
      if (metadata !== undefined) order.metadata = JSON.stringify(metadata);
      if (metadata?.order_id !== undefined) order.names.add(metadata.order_id);
      const params = {
        amount: this.#pick([1200, 3100]),
        currency: this.#pick(['USD', 'USD', 'JPY']),
        ...(customer !== undefined && { customer }),
        ...(metadata !== undefined && { metadata }),
        ...(this.#draw(5) === 0 && { capture_method: 'manual' as const }),
      };
      const create = () => this.#payments.paymentIntents.create(params, { operationId: order.id });
      const before = this.#ids('payment_intent');
      await this.#send(order, 'create', create);
      if (this.#draw(2) === 0) await this.#send(order, 'create', create);
      for (const id of this.#ids('payment_intent')) if (!before.includes(id)) order.intents.add(id);
      for (const id of order.intents) await this.#confirm(order, id);
    },
    async () => {
      const order = this.#newOrder();
      const { customer } = order;
      const mode = this.#pick(['payment', 'payment', 'subscription'] as const);
      const client_reference_id = this.#pick([undefined, 'cart-1', 'cart-2']);
      this.#nameAttempt(order);
      if (client_reference_id !== undefined) order.names.add(client_reference_id);
      const line_items = [{ name: 'Tea', amount: this.#pick([1200, 3100]), currency: 'usd', quantity: 1 }];
      const params = {
        ...pages,
        mode,
        line_items,
        ...(customer !== undefined && { customer }),
        ...(client_reference_id !== undefined && { client_reference_id }),
      };
      const before = this.#ids('checkout_session');
      await this.#send(order, 'session', () =>
        this.#payments.checkoutSessions.create(params, { operationId: order.id }),
      );
      for (const id of this.#ids('checkout_session')) if (!before.includes(id)) order.sessions.add(id);
      for (const id of order.sessions) if (this.#draw(3) > 0) this.#payPage(order, id);
    },
    async () => {
      const order = this.#newOrder();
      order.customer = undefined;
      order.email = this.#pick([undefined, 'ada@example.com', 'grace@example.com']);
      const sell = async () => {
        const payment_token = await this.sandbox.tokenize({
          ccnumber: testCards[this.#pick(['fullMatch', 'fullMatch', 'insufficientFunds'] as const)].number,
          ccexp: '1230',
          cvv: '123',
        });
        const { id: orderid, email } = order;
        const amount = this.#pick(['12.00', '31.00']);
        return this.#payments.transact.sale({ amount, payment_token, orderid, ...(email && { email }) });
      };
      await this.#send(order, `sale ${this.#draw(1e9)}`, sell);
      if (this.#draw(3) === 0) await this.#send(order, `sale ${this.#draw(1e9)}`, sell);
      const { transaction } = stateOf(this.sandbox).objects;
      for (const { id, orderid } of transaction.all()) if (orderid === order.id) order.transactions.add(id);
    },
  ];

  #ids(kind: 'payment_intent' | 'checkout_session'): readonly string[] {
    return stateOf(this.sandbox)
      .objects[kind].all()
      .map(({ id }) => id);
  }

  #payPage(order: KnownOrder, id: string): void {
    const payment_method = this.#pick(methods);
    this.sandbox.pay(id, { payment_method });
    this.#notePayments();
    const { subscription } = stateOf(this.sandbox).objects;
    const [newest] = subscription.all().toReversed();
    const session = stateOf(this.sandbox).objects.checkout_session.get(id);
    if (session?.mode === 'subscription' && session.status === 'complete')
      order.customer ??= newest?.customer;
  }

  async #confirm(order: KnownOrder, id: string): Promise<void> {
    const payment_method = this.#pick(methods);
    const confirm = () =>
      this.#payments.paymentIntents.confirm(
        `pi_${id.slice(3)}`,
        { payment_method },
        { operationId: order.id },
      );
    await this.#send(order, `confirm ${id}`, confirm, id);
    if (this.#draw(2) === 0) await this.#send(order, `confirm ${id}`, confirm, id);
  }

  readonly #sequels = [
    async (order: KnownOrder) => {
      const [intent] = order.intents;
      if (intent === undefined) return;
      const amount = this.#pick([undefined, 500]);
      const operationId = `${order.id}/refund-${this.#draw(1e9)}`;
      const params = { payment_intent_id: `pi_${intent.slice(3)}` as const, ...(amount && { amount }) };
      const create = () => this.#payments.refunds.create(params, { operationId });
      await this.#send(order, operationId, create, intent);
      if (this.#draw(2) === 0) await this.#send(order, operationId, create, intent);
    },
    async (order: KnownOrder) => {
      const failed = stateOf(this.sandbox)
        .objects.refund.all()
        .find(
          ({ status, payment_intent_id }) =>
            status === 'failed' && order.intents.has(payment_intent_id ?? ''),
        );
      const operationId = `${order.id}/retry-${this.#draw(1e9)}`;
      if (failed !== undefined)
        await this.#send(
          order,
          operationId,
          () => this.#payments.refunds.retry(failed.id, { operationId }),
          failed.id,
        );
    },
    async (order: KnownOrder) => {
      for (const id of order.intents) {
        const operationId = `${order.id}/end-${this.#draw(1e9)}`;
        const intent = `pi_${id.slice(3)}` as const;
        const end = this.#pick([
          () => this.#payments.paymentIntents.cancel(intent, { operationId }),
          () => this.#payments.paymentIntents.capture(intent, {}, { operationId }),
        ]);
        await this.#send(order, operationId, end, id);
      }
    },
    async (order: KnownOrder) => {
      const [transactionid] = order.transactions;
      if (transactionid === undefined) return;
      const key = `form ${this.#draw(1e9)}`;
      const follow = this.#pick([
        () => this.#payments.transact.void({ transactionid }),
        () => this.#payments.transact.refund({ transactionid, amount: '5.00' }),
      ]);
      await this.#send(order, key, follow, transactionid);
    },
    async ({ transactions }: KnownOrder) => {
      const [transaction_id] = transactions;
      const due_date = this.#pick(['2026-01-20', '2026-03-01', '2027-01-01']);
      if (transaction_id !== undefined)
        this.sandbox.trigger('chargeback.received', { transaction_id, amount: '12.00', due_date });
    },
    async ({ sessions }: KnownOrder) => {
      for (const id of sessions) if (this.#draw(2) === 0) await this.#tryTo(() => this.sandbox.pay(id));
    },
    async () => {
      this.#isUp = this.#draw(3) > 0;
    },
    async () => this.sandbox.clock.advance(this.#pick(['1 minute', '4 minutes', '11 minutes', '1 hour'])),
    async () => this.sandbox.clock.advance(this.#pick(['1 day', '3 days', '31 days'])),
  ];

  /** What the state does not allow fails. */
  async #tryTo(work: () => unknown): Promise<void> {
    try {
      await work();
    } catch {
      // As it may.
    }
  }

  async happen(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      if (this.orders.length === 0 || this.#draw(3) === 0) await this.#pick(this.#beginnings)();
      else await this.#pick(this.#sequels)(this.#pick(this.orders));
      await this.sandbox.settled();
      this.#notePayments();
    }
  }
}

const cases = Array.from({ length: bySize({ short: 12, all: 150, long: 3_000 }) }, (_, number) => number);

it.each(cases)('agree with the truth: case %i', async (number) => {
  const shop = new Shop(drawsOf(46, number));
  await shop.happen(15);
  const { sandbox, orders, acknowledged, paid } = shop;
  const truths = truthOf(sandbox, orders, { events: acknowledged, paid: [...paid] });
  const sums: Record<string, number> = {};
  for (const [order, truth] of truths) {
    const isSent = [...order.sent.values()].length > 0;
    const story = sandbox.story(order.id);
    if (story === undefined && isSent && truth.charges === 0) continue;
    expect({
      order: order.id,
      verdict: story?.verdict,
      charges: story?.charges,
      net: story?.net,
      why: story?.needs?.why ?? null,
    }).toEqual({ order: order.id, ...truth });
    const currency = story?.money?.currency ?? '';
    sums[currency] = (sums[currency] ?? 0) + truth.net;
  }
  const ledger = ledgerOf(sandbox);
  for (const [currency, sum] of Object.entries(ledger)) expect(sums[currency] ?? 0).toBe(sum);
});
