/** Whatever happens to orders, their verdicts, needs and sums are what the state, the ledger and the network say. */

import fc from 'fast-check';
import { PaymentsError, toDecimalAmount } from 'payments-client';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { stateOf } from '../../../test/support/sandbox-state.ts';
import { bySize } from '../../../test/support/size.ts';
import { record } from './support.ts';
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
/** Two, no and three decimals. */
const currencies = ['USD', 'USD', 'JPY', 'KWD'] as const;
const amounts = [1200, 3100] as const;
/** Ids of every shape: some look like card numbers, keys or escapes. */
const shapes = [
  (n: number) => `order-${n}`,
  (n: number) => `17323812345${n}7`,
  (n: number) => (n % 2 === 0 ? '4111111111111111' : '5555555555554444') + (n > 1 ? `/${n}` : ''),
  (n: number) => `sk_v1_test_${'a'.repeat(20)}${n}`,
  (n: number) => `Größe~0041 ${n}:é/${n}`,
  (n: number) => `cart-${(n % 2) + 1}/${n}`,
] as const;

const isIntent = (id: string): id is `pi_${string}` => id.startsWith('pi_');

/** Returns an integer from 0 to below this. */
type Draw = (below: number) => number;

/** A shop whose network loses requests and replies. */
class Shop {
  readonly orders: KnownOrder[] = [];
  readonly acknowledged = new Set<string>();
  /** The ids of all payments, in the order in which they were made. */
  readonly paid = new Set<string>();
  readonly sandbox;
  readonly #payments;
  readonly #draw: Draw;
  readonly #customers;
  #isUp = true;
  #numbered = 0;

  constructor(draw: Draw) {
    this.#draw = draw;
    const { sandbox, payments } = record({ startsAt: Date.UTC(2026, 0, 15, 9) });
    this.sandbox = sandbox;
    this.#payments = payments;
    this.#customers = [1, 2].map(() => sandbox.add('customer').id);
    sandbox.webhooks.deliverTo(async (request) => {
      const { id }: { readonly id: string } = JSON.parse(await request.text());
      if (this.#isUp) this.acknowledged.add(id);
      return new Response(null, { status: this.#isUp ? 200 : 503 });
    });
  }

  #pick<T>(from: readonly T[]): T {
    // An item may be undefined, so its absence says nothing.
    return from[this.#draw(from.length)] as T;
  }

  #happens(oneIn: number): boolean {
    return this.#draw(oneIn) === 0;
  }

  #newName(what: string): string {
    this.#numbered += 1;
    return `${what}-${this.#numbered}`;
  }

  /** Looks at the state: everything that a request may change, what is captured, and what exists. */
  #look() {
    const { objects } = stateOf(this.sandbox);
    const { payment_intent, checkout_session, charge, refund, transaction } = objects;
    const [intents, sessions, refunds, transactions] = [
      payment_intent,
      checkout_session,
      refund,
      transaction,
    ].map((kind) => kind.all());
    const captured = [
      ...charge.all().flatMap(({ id, status }) => (status === 'succeeded' ? [id] : [])),
      ...transaction.all().flatMap(({ id, captured: amount }) => (Number(amount) > 0 ? [id] : [])),
    ];
    for (const id of captured) this.paid.add(id);
    const made = [intents, sessions, refunds, transactions].flatMap((all) => (all ?? []).map(({ id }) => id));
    return { objects, text: JSON.stringify([intents, sessions, refunds, transactions]), captured, made };
  }

  /** Sends a request about objects, which a fault may hit, and notes what the network did. Returns what it made. */
  async #send(order: KnownOrder, key: string, work: () => PromiseLike<unknown>, ...named: readonly string[]) {
    noteNamed(order, named);
    const fault = this.#happens(3) ? this.#pick(faults) : undefined;
    if (fault !== undefined) this.sandbox.faults.inject(fault);
    const before = this.#look();
    const sent = order.sent.get(key) ?? { executed: false, known: false };
    try {
      await work();
      sent.known = true;
    } catch (error) {
      // A refusal is an answer too, unless a fault came in between.
      if (!(error instanceof PaymentsError)) throw error;
      if (fault === undefined) sent.known = true;
    }
    this.sandbox.faults.clear();
    const after = this.#look();
    if (after.text !== before.text) sent.executed = true;
    // A capture is the shop's, so that no buyer pays again because of it.
    if (!key.includes('/end-')) {
      for (const id of after.captured) if (!before.captured.includes(id)) order.made.set(`${key} ${id}`, id);
    }
    const made = after.made.filter((id) => !before.made.includes(id));
    for (const id of made) order.makers.set(id, key);
    order.sent.set(key, sent);
    return made;
  }

  /** Sends a request, and perhaps again. */
  async #sendAgain(
    order: KnownOrder,
    key: string,
    work: () => PromiseLike<unknown>,
    ...named: readonly string[]
  ) {
    const made = await this.#send(order, key, work, ...named);
    return this.#happens(2) ? [...made, ...(await this.#send(order, key, work, ...named))] : made;
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

  /** Each begins an order. */
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
        amount: this.#pick(amounts),
        currency: this.#pick(currencies),
        ...(customer !== undefined && { customer }),
        ...(metadata !== undefined && { metadata }),
        ...(this.#happens(5) && { capture_method: 'manual' as const }),
      };
      const create = () => this.#payments.paymentIntents.create(params, { operationId: order.id });
      for (const id of await this.#sendAgain(order, 'create', create))
        if (isIntent(id)) order.intents.add(id);
      for (const id of order.intents) {
        const confirmation = { payment_method: this.#pick(methods) };
        const confirm = () =>
          this.#payments.paymentIntents.confirm(id, confirmation, { operationId: order.id });
        await this.#sendAgain(order, `confirm ${id}`, confirm, id);
      }
    },
    async () => {
      const order = this.#newOrder();
      const { customer } = order;
      this.#nameAttempt(order);
      const mode = this.#pick(['payment', 'payment', 'subscription'] as const);
      const client_reference_id = this.#pick([undefined, 'cart-1', 'cart-2']);
      if (client_reference_id !== undefined) order.names.add(client_reference_id);
      const currency = this.#pick(['usd', 'jpy']);
      const line_items = [{ name: 'Tea', amount: this.#pick(amounts), currency, quantity: 1 }];
      const params = {
        ...pages,
        mode,
        line_items,
        ...(customer !== undefined && { customer }),
        ...(client_reference_id !== undefined && { client_reference_id }),
      };
      const create = () => this.#payments.checkoutSessions.create(params, { operationId: order.id });
      for (const id of await this.#send(order, 'session', create)) order.sessions.add(id);
      for (const id of order.sessions) if (!this.#happens(3)) this.#payPage(order, id);
    },
    async () => {
      const order = this.#newOrder();
      order.customer = undefined;
      order.email = this.#pick([undefined, 'ada@example.com', 'grace@example.com']);
      const currency = this.#pick(currencies);
      const sell = async () => {
        const card = testCards[this.#pick(['fullMatch', 'fullMatch', 'insufficientFunds'] as const)];
        const payment_token = await this.sandbox.tokenize(card);
        const { id: orderid, email } = order;
        const amount = toDecimalAmount(this.#pick(amounts), currency);
        return this.#payments.transact.sale({
          amount,
          currency,
          payment_token,
          orderid,
          ...(email && { email }),
        });
      };
      const times = this.#happens(3) ? 2 : 1;
      for (let time = 0; time < times; time += 1) {
        for (const id of await this.#send(order, this.#newName('sale'), sell)) order.transactions.add(id);
      }
    },
  ];

  #payPage(order: KnownOrder, id: string): void {
    this.sandbox.pay(id, { payment_method: this.#pick(methods) });
    const { subscription, checkout_session } = this.#look().objects;
    const session = checkout_session.get(id);
    if (session?.mode === 'subscription' && session.status === 'complete')
      order.customer ??= subscription.all().at(-1)?.customer;
  }

  /** Each happens to an order. */
  readonly #sequels = [
    async (order: KnownOrder) => {
      const [payment_intent_id] = order.intents;
      if (payment_intent_id === undefined) return;
      const amount = this.#pick([undefined, 500]);
      const operationId = `${order.id}/${this.#newName('refund')}`;
      const params = { payment_intent_id, ...(amount && { amount }) };
      const create = () => this.#payments.refunds.create(params, { operationId });
      await this.#sendAgain(order, operationId, create, payment_intent_id);
    },
    async (order: KnownOrder) => {
      const failed = this.#look()
        .objects.refund.all()
        .find(({ status, payment_intent_id: id }) => status === 'failed' && order.intents.has(id));
      if (failed === undefined) return;
      const operationId = `${order.id}/${this.#newName('retry')}`;
      const retry = () => this.#payments.refunds.retry(failed.id, { operationId });
      await this.#send(order, operationId, retry, failed.id);
    },
    async (order: KnownOrder) => {
      for (const id of order.intents) {
        const operationId = `${order.id}/${this.#newName('end')}`;
        const end = this.#pick([
          () => this.#payments.paymentIntents.cancel(id, { operationId }),
          () => this.#payments.paymentIntents.capture(id, {}, { operationId }),
        ]);
        await this.#send(order, operationId, end, id);
      }
    },
    async (order: KnownOrder) => {
      const [transactionid] = order.transactions;
      if (transactionid === undefined) return;
      const amount = toDecimalAmount(500, this.#currencyOf(transactionid));
      const follow = this.#pick([
        () => this.#payments.transact.void({ transactionid }),
        () => this.#payments.transact.refund({ transactionid, amount }),
      ]);
      await this.#send(order, this.#newName('form'), follow, transactionid);
    },
    async ({ transactions }: KnownOrder) => {
      const [transaction_id] = transactions;
      const due_date = this.#pick(['2026-01-20', '2026-03-01', '2027-01-01']);
      if (transaction_id === undefined) return;
      const amount = toDecimalAmount(this.#pick([500, 1200]), this.#currencyOf(transaction_id));
      this.sandbox.trigger('chargeback.received', { transaction_id, amount, due_date });
    },
    async (order: KnownOrder) => {
      for (const id of order.sessions) {
        // What waits for no payment cannot be paid.
        if (this.sandbox.get('checkout_session', id)?.status === 'open') this.#payPage(order, id);
      }
    },
    async () => {
      this.#isUp = !this.#happens(3);
    },
    async () => this.sandbox.clock.advance(this.#pick(['1 minute', '4 minutes', '11 minutes', '1 hour'])),
    async () => this.sandbox.clock.advance(this.#pick(['1 day', '3 days', '31 days'])),
  ];

  #currencyOf(transaction: string): string {
    return this.sandbox.transactions.find(({ id }) => id === transaction)?.currency ?? 'USD';
  }

  async happen(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      if (this.orders.length === 0 || this.#happens(3)) await this.#pick(this.#beginnings)();
      else await this.#pick(this.#sequels)(this.#pick(this.orders));
      await this.sandbox.settled();
      this.#look();
    }
  }
}

/** A test for each few histories, since one may take seconds on a busy machine. */
const tests = Array.from({ length: bySize({ short: 10, all: 30, long: 300 }) }, (_, index) => index);

it.each(tests)('agree with the truth in a random history (%i)', async () => {
  const history = fc.asyncProperty(fc.gen(), async (gen) => {
    const shop = new Shop((below) => gen(fc.nat, { max: below - 1 }));
    await shop.happen(15);
    const { sandbox, orders, acknowledged, paid } = shop;
    const truths = truthOf(sandbox, orders, { events: acknowledged, paid: [...paid] });
    const kept: Record<string, number> = {};
    for (const [order, truth] of truths) {
      const story = sandbox.story(order.id);
      // A request that was lost before it arrived leaves no story.
      if (story === undefined && order.sent.size > 0 && truth.charges === 0) continue;
      expect({
        order: order.id,
        verdict: story?.verdict,
        charges: story?.charges,
        net: story?.net,
        why: story?.needs?.why ?? null,
      }).toEqual({ order: order.id, ...truth });
      const currency = story?.money?.currency ?? '';
      if (truth.net !== 0) kept[currency] = (kept[currency] ?? 0) + truth.net;
    }
    const ledger = Object.entries(ledgerOf(sandbox)).filter(([, sum]) => sum !== 0);
    expect(Object.fromEntries(Object.entries(kept).filter(([, sum]) => sum !== 0))).toEqual(
      Object.fromEntries(ledger),
    );
  });
  // To shrink a history takes longer than to read it.
  await fc.assert(history, { numRuns: bySize({ short: 1, all: 5, long: 10 }), endOnFailure: true });
});
