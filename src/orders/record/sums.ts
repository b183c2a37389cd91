/** What the amounts of a record add up to. */

import type { Money } from '../types/money.ts';
import { isOpenFailure, type OrderRecord, type Payment, paymentOf, type RefundAttempt } from './record.ts';

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Whether a refund may have given money back. */
const isLive = ({ status }: { readonly status: string }) => status !== 'failed';

function partsOf(record: OrderRecord, payment: Payment): RefundAttempt[] {
  return record.parts.filter(({ pay }) => pay === payment.op);
}

function straysOf(record: OrderRecord, { intent }: Payment): number {
  const strays = record.strays.filter((stray) => stray.intent === intent && isLive(stray));
  return sum(strays.map(({ amount }) => amount));
}

/** What the buyer's bank has taken back, or may. */
function disputedOf(record: OrderRecord, { op, paid }: Payment): number {
  const disputes = record.disputes.filter(({ pay, status }) => pay === op && status !== 'won');
  return Math.min(paid, sum(disputes.map(({ amount }) => amount ?? paid)));
}

/** Returns what is left of a payment; below 0 if more goes back than was paid. */
function restOf(record: OrderRecord, payment: Payment): number {
  const given = sum(
    partsOf(record, payment)
      .filter(isLive)
      .map(({ amount }) => amount),
  );
  return payment.paid - given - straysOf(record, payment) - disputedOf(record, payment);
}

/** Returns how much of a payment can still go back. */
export function leftOf(record: OrderRecord, payment: Payment): number {
  return Math.max(0, restOf(record, payment));
}

/** Whether more would go back than was paid: a bank or somebody else took money back since a refund was planned. */
export function isOverdrawn(record: OrderRecord, payment: Payment): boolean {
  return restOf(record, payment) < 0;
}

/** Returns how much of a planned refund is left to go back. */
export function leftFor(record: OrderRecord, payment: Payment, { amount }: RefundAttempt): number {
  return Math.max(0, amount + Math.min(0, restOf(record, payment)));
}

/** Returns how much of a payment should have gone back since it was too much, and waits for a person, or stays with the merchant. */
export function failedOf(record: OrderRecord, payment: Payment): number {
  const failed = partsOf(record, payment).filter(
    (part) => part.why === 'extra' && !isLive(part) && part.closed !== 'replaced',
  );
  return Math.min(sum(failed.map(({ amount }) => amount)), leftOf(record, payment));
}

const amountOf = (outstanding: readonly Outstanding[]) => sum(outstanding.map(({ amount }) => amount));

/** A refund that failed, and what of it can still go back of a payment. */
export interface Outstanding {
  readonly failed: RefundAttempt;
  readonly payment: Payment;
  readonly amount: number;
}

/** Returns how much of what was paid in a currency a settled order keeps. */
export function keepsOf({ settled }: OrderRecord, currency: string): number {
  return settled?.currency === currency ? settled.amount : 0;
}

/** Returns how much of a payment is too much, and stays with the merchant, as a person has decided. */
function keptOf(record: OrderRecord, payment: Payment): number {
  const kept = partsOf(record, payment).filter(({ why, closed }) => why === 'extra' && closed === 'kept');
  return sum(kept.map(({ amount }) => amount));
}

/** Returns how much of what was paid in a currency is too much now: an edit may have made it right since it was planned to go back. */
function excessIn(record: OrderRecord, currency: string): number {
  if (record.canceled) return Number.POSITIVE_INFINITY;
  if (record.settled === null) return 0;
  const kept = sumOver(paidIn(record, currency), (payment) => keptOf(record, payment));
  return countedIn(record, currency) - keepsOf(record, currency) - kept;
}

/** Finds what of the refunds that failed is still to go back, one after the other, so that nothing is owed twice. */
class Owed {
  readonly #record: OrderRecord;
  /** What each payment still has. */
  readonly #left: Map<Payment, number>;
  /** What others have given back of each payment, or the bank, and no return stands for yet. */
  readonly #back: Map<Payment, number>;
  readonly #excess = new Map<string, number>();

  constructor(record: OrderRecord) {
    this.#record = record;
    const { payments } = record;
    this.#left = new Map(
      payments.map((one) => [one, Math.max(0, leftOf(record, one) - keptOf(record, one))]),
    );
    this.#back = new Map(payments.map((one) => [one, straysOf(record, one) + disputedOf(record, one)]));
  }

  /** What was too much goes back of its own payment, and with what a page added if all of it is too much. */
  ofExtra(failed: RefundAttempt): Outstanding[] {
    const own = paymentOf(this.#record, failed.pay);
    const { currency } = own;
    const excess = this.#excess.get(currency) ?? excessIn(this.#record, currency);
    const counted = countedOf(this.#record, own, false);
    const most = excess < counted ? Math.max(0, excess) : counted + addedOf(this.#record, own);
    const taken = this.#take(failed, [own], Math.min(failed.amount, this.#record.canceled ? own.paid : most));
    this.#excess.set(currency, excess - amountOf(taken));
    return taken;
  }

  /** A return goes on with other payments, but for what others have given back of its own. */
  ofReturn(failed: RefundAttempt): Outstanding[] {
    const own = paymentOf(this.#record, failed.pay);
    const others = paidIn(this.#record, failed.currency).filter((payment) => payment !== own);
    const ofOwn = this.#take(failed, [own], failed.amount);
    const rest = failed.amount - amountOf(ofOwn);
    const back = this.#back.get(own) ?? 0;
    const covered = Math.min(rest, back);
    this.#back.set(own, back - covered);
    return [...ofOwn, ...this.#take(failed, others, rest - covered)];
  }

  #take(failed: RefundAttempt, payments: readonly Payment[], most: number): Outstanding[] {
    let rest = most;
    return payments.flatMap((payment) => {
      const of = this.#left.get(payment) ?? 0;
      const amount = Math.min(rest, of);
      this.#left.set(payment, of - amount);
      rest -= amount;
      return amount > 0 ? [{ failed, payment, amount }] : [];
    });
  }
}

/** Returns what of the refunds that failed is still to go back, and waits for a person. */
export function outstandingIn(record: OrderRecord): Outstanding[] {
  const owed = new Owed(record);
  const open = record.parts.filter(isOpenFailure);
  const extras = open.filter(({ why }) => why === 'extra').flatMap((failed) => owed.ofExtra(failed));
  return [
    ...extras,
    ...open.filter(({ why }) => why === 'return').flatMap((failed) => owed.ofReturn(failed)),
  ];
}

/** Returns the payments that were paid in a currency, the oldest first. */
export function paidIn(record: OrderRecord, currency: string): Payment[] {
  return record.payments.filter((payment) => payment.status === 'paid' && payment.currency === currency);
}

/** Returns what a page took beyond what it asked for; nothing once a part of that goes back, since then all of the payment should. */
export function addedOf(record: OrderRecord, payment: Payment): number {
  const { kind, paid, asked } = payment;
  if (kind !== 'page' || paid <= asked) return 0;
  return extrasOf(record, payment) > asked ? 0 : paid - asked;
}

/** Returns how much of a payment goes back because it is too much. */
function extrasOf(record: OrderRecord, payment: Payment): number {
  const extras = partsOf(record, payment).filter((part) => part.why === 'extra' && isLive(part));
  return sum(extras.map(({ amount }) => amount));
}

/** Returns what pages have added, and has not gone back. What the merchant returns is taken from it last. */
export function addedIn(record: OrderRecord, currency: string): number {
  const payments = paidIn(record, currency);
  const added = sumOver(payments, (payment) =>
    Math.min(addedOf(record, payment), Math.max(0, payment.paid - goneOf(record, payment))),
  );
  return Math.min(
    added,
    sumOver(payments, (payment) => leftOf(record, payment)),
  );
}

/** Returns how much of a payment goes back because it is too much, or by others. */
function goneOf(record: OrderRecord, payment: Payment): number {
  return extrasOf(record, payment) + straysOf(record, payment) + disputedOf(record, payment);
}

/**
 * Returns how much of a payment counts towards the order: without what a page added, and what goes back because it is too much, or by
 * others.
 *
 * @param countsFailed Whether a failed refund of too much still counts as given back, so that it is not planned again: a person has to act.
 */
export function countedOf(record: OrderRecord, payment: Payment, countsFailed: boolean): number {
  const failed = countsFailed ? failedOf(record, payment) : 0;
  return Math.max(0, payment.paid - goneOf(record, payment) - failed - addedOf(record, payment));
}

/** Returns how much of all payments in a currency counts towards the order. */
export function countedIn(record: OrderRecord, currency: string, countsFailed = false): number {
  return sum(paidIn(record, currency).map((payment) => countedOf(record, payment, countsFailed)));
}

/** Returns what is still to be paid for a total, if nothing that is authorized is captured. */
export function dueOf(record: OrderRecord, { amount, currency }: Money): number {
  if (record.settled !== null || record.canceled) return 0;
  return Math.max(0, amount - countedIn(record, currency));
}

/** Whether enough was paid for the row as it was read last, and nobody has decided it yet. */
export function isPayable(record: OrderRecord): boolean {
  const isOpen = record.settled === null && !record.canceled;
  return isOpen && dueOf(record, record.seen) === 0;
}

/** Returns what has been refunded, or is being, in a currency, by others too. */
export function refundsIn(record: OrderRecord, currency: string, ...states: readonly string[]): number {
  const refunds = [...record.parts, ...record.strays].filter((refund) => refund.currency === currency);
  return sum(refunds.filter(({ status }) => states.includes(status)).map(({ amount }) => amount));
}

/** Returns the sum of what `of` says of each payment. */
export function sumOver(payments: readonly Payment[], of: (payment: Payment) => number): number {
  return sum(payments.map(of));
}

/** Whether all that was paid for a settled order has gone back, or is going, or should: it ships no more. */
function isGivenBack(record: OrderRecord): boolean {
  const { settled } = record;
  if (settled === null || settled.amount === 0) return false;
  const { currency } = settled;
  const left = sumOver(paidIn(record, currency), (payment) => leftOf(record, payment));
  const owed = outstandingIn(record).filter(({ payment }) => payment.currency === currency);
  return left - addedIn(record, currency) <= amountOf(owed);
}

/** Whether a settled order is still to be shipped, by a store without transactions. */
export function isToShip(record: OrderRecord): boolean {
  return record.settled !== null && !record.handed && !isGivenBack(record);
}
