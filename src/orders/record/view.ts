/** What a record says to its reader. */

import type { Money } from '../types/money.ts';
import type { Need, OrderPayment, OrderRefund, OrderView } from '../types/order.ts';
import { adoptStrays } from './join.ts';
import {
  createdAtOf,
  failedOp,
  holdOp,
  type OrderRecord,
  type Payment,
  paymentOf,
  type RefundAttempt,
  type Stray,
} from './record.ts';
import {
  isCaptureUnanswered,
  isHoldRefused,
  isUnanswered,
  isUnsure,
  loseSales,
  type Terms,
} from './steps.ts';
import {
  addedIn,
  dueOf,
  isPayable,
  isToShip,
  leftOf,
  type Outstanding,
  outstandingIn,
  paidIn,
  refundsIn,
  sumOver,
} from './sums.ts';

const money = (amount: number, currency: string): Money => ({ amount, currency });

type Draft = Omit<Need, 'detail' | 'reference'> & Partial<Pick<Need, 'detail' | 'reference'>>;

function need(fields: Draft): Need {
  return { detail: null, reference: null, ...fields };
}

/** Returns the need of an order that is paid, and has not shipped. */
function unshippedNeeds({ missing, unshipped }: OrderRecord, total: Money): Need[] {
  if (missing) return [need({ kind: 'row_missing', operation: null, money: total })];
  if (unshipped === null) return [];
  return [need({ kind: 'not_shipped', operation: null, money: total, detail: unshipped })];
}

function orderNeeds(record: OrderRecord): Need[] {
  const { seen, settled, canceled, missing, payments } = record;
  if (settled !== null) return isToShip(record) ? unshippedNeeds(record, settled) : [];
  if (canceled) return [];
  const paid = sumOver(payments, (payment) => (payment.status === 'paid' ? payment.paid : 0));
  const isHeld = payments.some(({ status }) => status === 'authorized');
  if (missing && paid === 0 && !isHeld) return [];
  if (missing || isPayable(record)) return unshippedNeeds(record, seen);
  const rest = money(dueOf(record, seen), seen.currency);
  // Held money may be the rest.
  return paid > 0 && !isHeld ? [need({ kind: 'rest_unpaid', operation: null, money: rest })] : [];
}

function paymentNeeds(payment: Payment, terms: Terms): Need[] {
  const { op, status, asked, currency, capture, ref: reference } = payment;
  if (status === 'unknown')
    return [need({ kind: 'payment_unknown', operation: op, reference, money: money(asked, currency) })];
  if (capture !== null && isCaptureUnanswered(payment, terms)) {
    const taken = money(capture.amount, currency);
    return [need({ kind: 'capture_unknown', operation: capture.op, reference, money: taken })];
  }
  if (!isHoldRefused(payment)) return [];
  return [
    need({ kind: 'hold_refused', operation: holdOp(payment), reference, money: money(asked, currency) }),
  ];
}

function partNeeds(
  record: OrderRecord,
  part: RefundAttempt,
  outstanding: readonly Outstanding[],
  terms: Terms,
): Need[] {
  const { op, pay, amount, currency, message } = part;
  const reference = paymentOf(record, pay).ref;
  const fields = { operation: op, reference, money: money(amount, currency) };
  if (isUnanswered(record, part, terms)) return [need({ kind: 'refund_unknown', ...fields })];
  const owed = outstanding.filter(({ failed }) => failed === part);
  const [first] = owed;
  const left = owed.reduce((total, one) => total + one.amount, 0);
  if (first !== undefined)
    return [
      need({
        kind: 'refund_failed',
        ...fields,
        reference: first.payment.ref,
        money: money(left, currency),
        operation: failedOp(part),
        detail: message,
      }),
    ];
  return [];
}

function strayNeeds({ id, intent, amount, currency, status, known }: Stray): Need[] {
  if (known || status === 'failed') return [];
  const fields = { operation: id, reference: intent, money: money(amount, currency) };
  return [need({ kind: 'refunded_elsewhere', ...fields })];
}

function disputeNeeds(record: OrderRecord): Need[] {
  return record.disputes
    .filter(({ status }) => status === 'open')
    .map(({ id, pay, amount, detail }) => {
      const { paid, currency, ref: reference } = paymentOf(record, pay);
      const disputed = money(amount ?? paid, currency);
      return need({ kind: 'chargeback', operation: id, reference, money: disputed, detail });
    });
}

/** Returns what a person has to do. */
export function needsOf(record: OrderRecord, terms: Terms): Need[] {
  const outstanding = outstandingIn(record);
  return [
    ...orderNeeds(record),
    ...record.payments.flatMap((payment) => paymentNeeds(payment, terms)),
    ...record.parts.flatMap((part) => partNeeds(record, part, outstanding, terms)),
    ...record.strays.flatMap(strayNeeds),
    ...disputeNeeds(record),
  ];
}

function paymentView({ op, kind, status, asked, paid, currency, ref, intent }: Payment): OrderPayment[] {
  if (status === 'dropped') return [];
  const isPaid = status === 'paid';
  return [
    {
      operation: op,
      kind,
      status,
      asked: money(asked, currency),
      paid: isPaid ? money(paid, currency) : null,
      reference: ref,
      intent,
    },
  ];
}

function refundViews({ parts, strays }: OrderRecord): OrderRefund[] {
  const own = parts
    .filter(({ closed }) => closed !== 'replaced')
    .map(({ id, why, status, amount, currency, ref: reference, message }) => {
      return { id, why, status, money: money(amount, currency), reference, message };
    });
  const others = strays.map(({ id, status, amount, currency, message }): OrderRefund => {
    return { id, why: 'elsewhere', status, money: money(amount, currency), reference: id, message };
  });
  return [...own, ...others];
}

function stateOf(record: OrderRecord): OrderView['state'] {
  const { canceled, settled, payments } = record;
  if (canceled) return 'canceled';
  if (settled !== null) return 'paid';
  if (payments.some(isUnsure)) return 'in_progress';
  const isPaid = payments.some(({ status }) => status === 'paid');
  // Nobody has to pay: `onPaid` has failed, or its process is at it.
  if (isPaid && isPayable(record)) return 'in_progress';
  if (payments.some(({ status }) => status === 'authorized')) return 'authorized';
  return isPaid ? 'part_paid' : 'unpaid';
}

/** Returns what has been paid for an order. */
export function viewOf(stored: OrderRecord, terms: Terms): OrderView {
  const record = structuredClone(stored);
  loseSales(record, terms);
  adoptStrays(record, terms);
  const total = record.settled ?? record.seen;
  const { currency } = total;
  const paid = paidIn(record, currency);
  const isRefundable = record.settled !== null;
  return {
    id: record.id,
    createdAt: createdAtOf(record),
    state: stateOf(record),
    total,
    paid: money(
      sumOver(paid, (payment) => payment.paid),
      currency,
    ),
    added: money(addedIn(record, currency), currency),
    due: money(dueOf(record, total), currency),
    refunded: money(refundsIn(record, currency, 'succeeded'), currency),
    refunding: money(refundsIn(record, currency, 'planned', 'pending'), currency),
    refundable: money(isRefundable ? sumOver(paid, (payment) => leftOf(record, payment)) : 0, currency),
    payments: record.payments.flatMap(paymentView),
    refunds: refundViews(record),
    needs: needsOf(record, terms),
  };
}
