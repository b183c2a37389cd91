import { minute } from '../base/time.ts';
import {
  type CapturedPayment,
  capturedBy,
  type Facts,
  isLost,
  keptPayments,
  type SentRequest,
} from './facts.ts';
import { JoinedNames } from './group.ts';

/**
 * The maximum interval between two equal payments that count as a likely mistake, in ms of the sandbox's clock.
 */
const maximumInterval = 10 * minute;

/** An order as a candidate. */
interface Candidate {
  readonly title: string;
  readonly facts: Facts;
  readonly sent: readonly SentRequest[];
}

/** A payment of an order that the shop keeps. */
interface Kept<Order> {
  readonly order: Order;
  readonly payment: CapturedPayment;
  /** The number of the entry that captured it: the time of a clock that stands still is the same for all. */
  readonly number: number;
  /** Whether the app never learned of it. */
  readonly isLost: boolean;
}

/** Orders that probably charged one purchase. */
export interface Twins<Order> {
  /** The orders, oldest first. */
  readonly orders: readonly Order[];
  /** How many payments they made. */
  readonly payments: number;
  /** Whether each has the same buyer as the one before. */
  readonly haveOneBuyer: boolean;
}

/** The shop captures, not the buyer, who does not pay again because that reply was lost. */
const isCapture = ({ attempts: [{ operation }] }: SentRequest) =>
  operation === 'transact.capture' || operation === 'paymentIntents.capture';

/** Whether the app never learned of what a request of a buyer did, since its reply was lost. */
function isUnknown(cause: number | null | undefined, { sent }: Candidate): boolean {
  return sent.some(
    (one) => isLost(one) && !isCapture(one) && one.attempts.some(({ number }) => number === cause),
  );
}

function keptIn<Order extends Candidate>(order: Order): readonly Kept<Order>[] {
  const { facts } = order;
  return keptPayments(facts).map((payment) => {
    const capture = facts.changes.find((change) => change.object.id === payment.id && capturedBy(change));
    return { order, payment, number: capture?.number ?? 0, isLost: isUnknown(capture?.cause, order) };
  });
}

const isSame = (one: string | null, other: string | null) => one !== null && one === other;
const isOther = (one: string | null, other: string | null) => one !== null && other !== null && one !== other;

function haveSameBuyer({ facts: one }: Candidate, { facts: other }: Candidate): boolean {
  return isSame(one.customer, other.customer) || isSame(one.email, other.email);
}

function haveOtherBuyers({ facts: one }: Candidate, { facts: other }: Candidate): boolean {
  return isOther(one.customer, other.customer) || isOther(one.email, other.email);
}

/**
 * Whether the shop named the orders of one buyer alike. Two addresses are two buyers, who share the name of a campaign or a plan; two customers
 * may be one buyer, whom the shop created twice.
 */
function haveSameName({ facts: one }: Candidate, { facts: other }: Candidate): boolean {
  return !isOther(one.email, other.email) && [...one.shopNames].some((name) => other.shopNames.has(name));
}

/**
 * Whether something says that two equal payments are one purchase. The first is the earlier one. Later ones of the same name that the
 * app knows may be instalments or renewals.
 */
function areOnePurchase(one: Kept<Candidate>, other: Kept<Candidate>): boolean {
  const hasSameName = haveSameName(one.order, other.order);
  if (isClose(one, other) && (hasSameName || haveSameBuyer(one.order, other.order))) return true;
  const isUnexplained = one.isLost || other.isLost;
  return isUnexplained && (hasSameName || isSame(one.order.facts.metadata, other.order.facts.metadata));
}

const isClose = (one: Kept<Candidate>, other: Kept<Candidate>) =>
  other.payment.at - one.payment.at <= maximumInterval;

/**
 * Returns the payment that a guest may have made because the earlier one was lost: the next equal one that no other buyer made. Later
 * ones are of other guests, or the shop would call every order of one price a mistake.
 */
function repetitionOf(lost: Kept<Candidate>, later: readonly Kept<Candidate>[]): Kept<Candidate> | undefined {
  return later.find((other) => isClose(lost, other) && !haveOtherBuyers(lost.order, other.order));
}

/** Returns the later payments of other orders that are probably the same purchase as a payment. */
function repeats(one: Kept<Candidate>, later: readonly Kept<Candidate>[]): readonly Kept<Candidate>[] {
  const others = later.filter(({ order }) => order !== one.order);
  const certain = others.filter((other) => areOnePurchase(one, other));
  const isRepeated = later.some((other) => other.order === one.order && isClose(one, other));
  if (certain.length > 0 || isRepeated || !one.isLost) return certain;
  return [repetitionOf(one, others) ?? []].flat();
}

function twinsOf<Order extends Candidate>(kept: readonly Kept<Order>[]): Twins<Order> {
  const orders = [...new Set(kept.map(({ order }) => order))];
  const haveOneBuyer = orders.every(
    (order, index) => index === 0 || haveSameBuyer(order, orders[index - 1] ?? order),
  );
  return { orders, payments: kept.length, haveOneBuyer };
}

/** Finds the orders that probably charged one purchase more than once: a double click, or a new order after a lost reply. */
export function findTwins<Order extends Candidate>(
  orders: readonly Order[],
): ReadonlyMap<Order, Twins<Order>> {
  const twins = new Map<Order, Twins<Order>>();
  const kept = orders.flatMap(keptIn<Order>);
  // Other amounts of one name may be a deposit and the rest, or two shipments.
  const equal = Map.groupBy(kept, ({ payment: { amount, currency } }) => `${amount} ${currency}`);
  for (const payments of equal.values()) {
    for (const group of groupsOf(payments)) {
      const found = twinsOf(group);
      if (found.orders.length > 1) for (const order of found.orders) twins.set(order, found);
    }
  }
  return twins;
}

/** Groups equal payments: each is a twin of another one in its group. */
function groupsOf<Order extends Candidate>(
  payments: readonly Kept<Order>[],
): Iterable<readonly Kept<Order>[]> {
  const inTime = payments.toSorted(
    (one, other) => one.payment.at - other.payment.at || one.number - other.number,
  );
  const joined = new JoinedNames();
  for (const [index, one] of inTime.entries()) {
    for (const other of repeats(one, inTime.slice(index + 1)))
      joined.join([one.payment.id, other.payment.id]);
  }
  return Map.groupBy(inTime, ({ payment }) => joined.rootOf(payment.id)).values();
}
