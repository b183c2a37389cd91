/** Reaches inside: the ledger is not public. The truth about orders, from the state and the network, by other code than the verdict's. */

import type { Sandbox, StorySummary } from 'payments-client-sandbox';
import { stateOf } from '../../../test/support/sandbox-state.ts';
import type { State } from '../../src/domain/state.ts';

/** What a request of the app came to, by its key. */
interface Sent {
  executed: boolean;
  known: boolean;
}

/** What is known of an order without looking at its story. */
export interface KnownOrder {
  readonly id: string;
  customer?: `cus_${string}` | undefined;
  email?: string | undefined;
  /** The shop's words for the purchase, its id among them. */
  readonly names: Set<string>;
  metadata?: string | undefined;
  readonly intents: Set<`pi_${string}`>;
  readonly sessions: Set<string>;
  readonly transactions: Set<string>;
  readonly sent: Map<string, Sent>;
  /** The payments that a request of a buyer made, by its key. */
  readonly made: Map<string, string>;
  /** The key of the request that made an object, by the id of the object. */
  readonly makers: Map<string, string>;
}

/** Notes that the app names objects, whose ids it can only have from the service. */
export function noteNamed({ makers, sent }: KnownOrder, ids: readonly string[]): void {
  for (const id of ids) {
    const request = sent.get(makers.get(id) ?? '');
    if (request !== undefined) request.known = true;
  }
}

export function newOrder(id: string): KnownOrder {
  return {
    id,
    names: new Set([id]),
    intents: new Set(),
    sessions: new Set(),
    transactions: new Set(),
    sent: new Map(),
    made: new Map(),
    makers: new Map(),
  };
}

/** A payment that the shop keeps. */
interface Kept {
  readonly order: KnownOrder;
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly at: number;
  readonly left: number;
}

const minor = (amount: string) => Number(amount.replace('.', ''));

function invoicesOf({ objects }: State, order: KnownOrder) {
  const sessions = objects.checkout_session.all().filter(({ id }) => order.sessions.has(id));
  const ofSessions = sessions.flatMap(({ payment_intent_id }) => payment_intent_id ?? []);
  const intents = new Set<string>([...order.intents, ...ofSessions]);
  const first = objects.invoice.all().filter(({ payment_intent }) => intents.has(payment_intent ?? 'none'));
  const subscriptions = new Set(
    objects.subscription_invoice
      .all()
      .flatMap(({ id, subscription }) => (first.some((invoice) => invoice.id === id) ? [subscription] : [])),
  );
  const ids = new Set(
    objects.subscription_invoice
      .all()
      .filter(({ subscription }) => subscriptions.has(subscription))
      .map(({ id }) => id),
  );
  return {
    subscriptions,
    intents,
    invoices: objects.invoice.all().filter(({ id }) => ids.has(id)),
  };
}

function paymentsOf(state: State, order: KnownOrder): readonly Kept[] {
  const { intents, invoices } = invoicesOf(state, order);
  const all = new Set([...intents, ...invoices.flatMap(({ payment_intent }) => payment_intent ?? [])]);
  const charges = state.objects.charge
    .all()
    .filter(({ intent_id, status }) => all.has(intent_id) && status === 'succeeded')
    .map(({ id, amount, amount_refunded, currency, created_at }) => {
      return { order, id, amount, currency, at: created_at * 1000, left: amount - amount_refunded };
    });
  const sales = state.objects.transaction
    .all()
    .filter(({ orderid, type, approved }) => orderid === order.id && approved && type === 'sale')
    .map(({ id, captured, refunded, currency, createdAt: at }) => {
      return { order, id, amount: minor(captured), currency, at, left: minor(captured) - minor(refunded) };
    });
  return [...charges, ...sales].filter(({ amount }) => amount > 0);
}

const isLost = ({ executed, known }: Sent) => executed && !known;

function isUnknownPayment({ order, id }: Kept): boolean {
  return [...order.sent].some(([key, sent]) => isLost(sent) && order.made.get(`${key} ${id}`) !== undefined);
}

const same = (one: Kept, other: Kept, name: 'customer' | 'email' | 'metadata') =>
  one.order[name] !== undefined && one.order[name] === other.order[name];
const differ = (one: Kept, other: Kept, name: 'customer' | 'email') =>
  one.order[name] !== undefined && other.order[name] !== undefined && one.order[name] !== other.order[name];
const isClose = (one: Kept, other: Kept) => Math.abs(one.at - other.at) <= 600_000;

const haveOneName = (one: Kept, other: Kept) =>
  !differ(one, other, 'email') && [...one.order.names].some((name) => other.order.names.has(name));

/** Whether a fact says that two equal payments of two orders are one purchase. */
function isOnePurchase(one: Kept, other: Kept): boolean {
  const isOfOneBuyer = same(one, other, 'customer') || same(one, other, 'email');
  if (isClose(one, other) && (isOfOneBuyer || haveOneName(one, other))) return true;
  if (!isUnknownPayment(one) && !isUnknownPayment(other)) return false;
  return haveOneName(one, other) || same(one, other, 'metadata');
}

/** The payments that are probably of one purchase with another order, among equal ones in the order in which they were made. */
function doubled(equal: readonly Kept[]): ReadonlySet<Kept> {
  const found = new Set<Kept>();
  for (const [index, one] of equal.entries()) {
    const later = equal.slice(index + 1).filter(({ order }) => order !== one.order);
    const certain = later.filter((other) => isOnePurchase(one, other));
    const next = later.filter(
      (other) => isClose(one, other) && !differ(one, other, 'customer') && !differ(one, other, 'email'),
    );
    const isRepeated = equal
      .slice(index + 1)
      .some((other) => other.order === one.order && isClose(one, other));
    const isUnexplained = isUnknownPayment(one) && certain.length === 0 && !isRepeated;
    const guessed = isUnexplained ? next.slice(0, 1) : [];
    for (const other of [...certain, ...guessed]) found.add(one).add(other);
  }
  return found;
}

/** What must be true of the story of an order. */
interface Truth {
  readonly verdict: StorySummary['verdict'];
  readonly charges: number;
  readonly net: number;
  readonly why: NonNullable<StorySummary['needs']>['why'] | null;
}

/** What happened at the shop's side. */
export interface Received {
  /** The events that it acknowledged. */
  readonly events: ReadonlySet<string>;
  /** The ids of all payments, in the order in which they were made. */
  readonly paid: readonly string[];
}

interface World {
  readonly state: State;
  readonly sandbox: Sandbox;
  readonly kept: readonly Kept[];
  readonly received: Received;
}

function verdictOf({ state, kept }: World, order: KnownOrder, all: readonly Kept[]): Truth['verdict'] {
  const { objects } = state;
  const { invoices, intents } = invoicesOf(state, order);
  const own = kept.filter((one) => one.order === order);
  const paid = invoices.filter(({ status }) => status === 'paid').length;
  if (own.length > Math.max(1, paid)) return 'charged_twice';
  const isDoubled = own.some((one) => {
    const equal = kept.filter(({ amount, currency }) => amount === one.amount && currency === one.currency);
    return doubled(equal).has(one);
  });
  if (isDoubled) return 'charged_twice';
  if ([...order.sent.values()].some(isLost)) return 'unknown_to_app';
  if (all.length > 0) return 'charged_once';
  const isOpen =
    objects.checkout_session.all().some(({ id, status }) => order.sessions.has(id) && status === 'open') ||
    objects.payment_intent
      .all()
      .some(({ id, status }) => intents.has(id) && /^requires_/.test(status) && order.intents.has(id));
  return isOpen ? 'open' : 'nothing_happened';
}

/** Where each object of the service belongs. */
function idsOf(state: State, order: KnownOrder): ReadonlySet<string> {
  const { intents, invoices, subscriptions } = invoicesOf(state, order);
  const all = new Set([...intents, ...invoices.flatMap((one) => one.payment_intent ?? [])]);
  const charges = state.objects.charge.all().filter(({ intent_id }) => all.has(intent_id));
  const ofCharges = new Set<string>(charges.map(({ id }) => id));
  const refunds = state.objects.refund.all().filter(({ charge_id }) => ofCharges.has(charge_id));
  return new Set(
    [
      ...all,
      ...order.sessions,
      ...order.transactions,
      ...subscriptions,
      ...[...charges, ...refunds, ...invoices].map(({ id }) => id),
    ].filter((id) => typeof id === 'string'),
  );
}

function needOf(
  { state, sandbox, received }: World,
  order: KnownOrder,
  truth: Omit<Truth, 'why'>,
): Truth['why'] {
  const { objects } = state;
  const ids = idsOf(state, order);
  const { invoices, subscriptions } = invoicesOf(state, order);
  const now = sandbox.clock.now();
  if (disputesOf(sandbox, order).some(({ due }) => due > now)) return 'dispute_due';
  if (truth.verdict === 'charged_twice') return 'charged_twice';
  if (truth.verdict === 'unknown_to_app') return 'unknown';
  const refunds = objects.refund.all().filter(({ id }) => ids.has(id));
  const unpaidBack = refunds.filter(
    (one, index) =>
      one.status === 'failed' &&
      !refunds
        .slice(index + 1)
        .some(
          (later) =>
            later.charge_id === one.charge_id && later.status !== 'failed' && later.amount >= one.amount,
        ),
  );
  if (unpaidBack.length > 0) return 'refund_failed';
  const events = sandbox.events.filter(({ data: { object } }) => {
    const id = 'id' in object ? object.id : 'transaction_id' in object ? object.transaction_id : '';
    return ids.has(String(id));
  });
  const waiting = new Set(
    sandbox.webhooks.deliveries().flatMap(({ eventId, status }) => (status === 'pending' ? [eventId] : [])),
  );
  const sent = new Set(sandbox.webhooks.deliveries().map(({ eventId }) => eventId));
  const isMissed = (id: string) => sent.has(id) && !received.events.has(id) && !waiting.has(id);
  if (truth.charges > 0 && events.some(({ id }) => isMissed(id))) return 'webhooks_given_up';
  const isCanceled = objects.subscription
    .all()
    .some(({ id, status }) => subscriptions.has(id) && status === 'canceled');
  if (!isCanceled && invoices.some(({ status }) => status === 'uncollectible')) return 'renewal_unpaid';
  const isAsked = order.sessions.size > 0;
  if (truth.charges > 0 || isAsked) return null;
  if (objects.payment_intent.all().some(({ id, status }) => ids.has(id) && status === 'canceled'))
    return null;
  const attempts = [
    ...objects.charge.all().filter(({ id }) => ids.has(id)),
    ...objects.transaction.all().filter(({ orderid }) => orderid === order.id),
  ];
  return /^(?:failed|declined)$/.test(attempts.at(-1)?.status ?? '') ? 'declined' : null;
}

/** Returns the truth about each order, and the sum of the ledger by currency. */
export function truthOf(
  sandbox: Sandbox,
  orders: readonly KnownOrder[],
  received: Received,
): ReadonlyMap<KnownOrder, Truth> {
  const state = stateOf(sandbox);
  const all = orders.map((order) => paymentsOf(state, order));
  const place = ({ id }: Kept) => received.paid.indexOf(id);
  const kept = all
    .flat()
    .filter(({ left }) => left > 0)
    .toSorted((one, other) => place(one) - place(other));
  const world = { state, sandbox, kept, received };
  return new Map(
    orders.map((order, index) => {
      const payments = all[index] ?? [];
      const disputed = disputesOf(sandbox, order).reduce((sum, { amount }) => sum + amount, 0);
      const truth = {
        verdict: verdictOf(world, order, payments),
        charges: payments.length,
        net: payments.reduce((sum, { left }) => sum + left, 0) - disputed,
      };
      return [order, { ...truth, why: needOf(world, order, truth) }];
    }),
  );
}

/** The chargebacks of an order. */
function disputesOf({ events }: Sandbox, { transactions }: KnownOrder) {
  return events.flatMap(({ type, data: { object } }) => {
    const chargeback = new Map<string, unknown>(Object.entries(object));
    const [transaction, amount, due] = ['transaction_id', 'amount', 'due_date'].map((name) =>
      String(chargeback.get(name)),
    );
    return type === 'chargeback.received' && transactions.has(transaction ?? '')
      ? [{ amount: minor(amount ?? ''), due: Date.parse(`${due}T00:00:00Z`) + 86_400_000 }]
      : [];
  });
}

/** What the ledger says that the shop keeps, by currency. Pending refunds are not paid yet, but no longer kept. */
export function ledgerOf(sandbox: Sandbox): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { currency, debit, credit, amount } of stateOf(sandbox).objects.ledger_entry.all()) {
    const own = (account: string) => ['cash', 'pending_refunds'].includes(account);
    const change = (own(debit) ? amount : 0) - (own(credit) ? amount : 0);
    sums[currency] = (sums[currency] ?? 0) + change;
  }
  return sums;
}
