/** Takes what a person found out. */

import type { Refund } from '../../resources/objects/refunds.ts';
import type { Context } from '../context.ts';
import { orderError } from '../errors.ts';
import { splitOff } from '../record/give-back.ts';
import { joinIntent, joinRefund, takeRefund } from '../record/join.ts';
import {
  failedOp,
  holdOp,
  idsOf,
  isOpenFailure,
  type OrderRecord,
  type Payment,
  paymentOf,
  type RefundAttempt,
} from '../record/record.ts';
import { beginAny, findKey, update } from '../record/records.ts';
import { isCaptureUnanswered, isHoldRefused, isUnanswered, loseSales, type Terms } from '../record/steps.ts';
import { type Outstanding, outstandingIn } from '../record/sums.ts';
import { viewOf } from '../record/view.ts';
import { drive } from '../steps/drive.ts';
import { settleForm } from '../steps/form.ts';
import { news } from '../steps/look.ts';
import type { OrderName, OrderView } from '../types/order.ts';

/** What a person says about an operation. */
interface Finding {
  readonly op: string;
  /** The id of the thing; null if there is none. */
  readonly found: string | null;
  /** The refund of this id, if it is one that can be read. */
  readonly refund: Refund | undefined;
}

/** A refund that can be read, or of which an event told. */
interface Known {
  readonly amount: number;
  readonly currency: string;
  readonly intent: string | null | undefined;
}

/** What a person is asked. Its parts belong to a record that the answer changes. */
type Question =
  | { readonly about: 'payment' | 'capture' | 'hold'; readonly payment: Payment }
  | { readonly about: 'refund' | 'failed refund'; readonly part: RefundAttempt }
  | { readonly about: 'stray'; readonly stray: OrderRecord['strays'][number] }
  | { readonly about: 'dispute'; readonly dispute: OrderRecord['disputes'][number] };

function paymentQuestion(payment: Payment, op: string, terms: Terms): Question[] {
  if (payment.op === op && payment.status === 'unknown') return [{ about: 'payment', payment }];
  if (payment.capture?.op === op && isCaptureUnanswered(payment, terms))
    return [{ about: 'capture', payment }];
  return holdOp(payment) === op && isHoldRefused(payment) ? [{ about: 'hold', payment }] : [];
}

function partQuestion(record: OrderRecord, part: RefundAttempt, op: string, terms: Terms): Question[] {
  if (part.op === op && isUnanswered(record, part, terms)) return [{ about: 'refund', part }];
  return failedOp(part) === op && isOpenFailure(part) ? [{ about: 'failed refund', part }] : [];
}

/** @throws OrderError if nothing with this operation waits for a person. */
function questionOf(record: OrderRecord, op: string, terms: Terms): Question {
  loseSales(record, terms);
  const [question] = [
    ...record.payments.flatMap((payment) => paymentQuestion(payment, op, terms)),
    ...record.parts.flatMap((part) => partQuestion(record, part, op, terms)),
    ...record.strays.flatMap((stray) =>
      stray.id === op && !stray.known ? { about: 'stray' as const, stray } : [],
    ),
    ...record.disputes.flatMap((dispute) =>
      dispute.id === op && dispute.status === 'open' ? { about: 'dispute' as const, dispute } : [],
    ),
  ];
  if (question !== undefined) return question;
  const message = `resolve: expected the operation of a need of order ${record.id}, got ${JSON.stringify(op)}. Nothing was changed.`;
  throw orderError('ORDER_NOTHING_OPEN', message);
}

function refuseFound(found: string, why: string): never {
  const message = `resolve: expected the id of what the need is about, got ${JSON.stringify(found)}, which ${why}. Nothing was changed.`;
  throw orderError('ORDER_MISMATCH', message);
}

const isIdOfService = (ref: string | null) => /^(?:rf_.*|\d+)$/.test(ref ?? '');

/** @throws OrderError for the id of another payment or refund of the order: it would count twice. */
function checkIsNew({ payments, parts }: OrderRecord, found: string, part: RefundAttempt | undefined): void {
  const others = [
    ...payments.flatMap(idsOf),
    // Whatever else a person names may have given back several: one bank transfer, or cash.
    ...parts.flatMap((one) => (one !== part && isIdOfService(one.ref) ? one.ref : [])),
  ];
  if (others.includes(found)) refuseFound(found, 'the order knows as something else');
}

/** @throws OrderError for what is no id of a transaction, as far as its form says. */
function checkTransaction({ id }: OrderRecord, found: string): void {
  if (found === id || /^[a-z]{2,3}_/i.test(found)) refuseFound(found, 'is no id of a transaction');
}

function checkPayment(record: OrderRecord, { ref }: Payment, found: string): void {
  if (ref !== null) {
    if (found !== ref) refuseFound(found, `is not ${ref}`);
    return;
  }
  checkTransaction(record, found);
  checkIsNew(record, found, undefined);
}

/** Returns what is owed of a refund that failed, before somebody made the refund that was found. */
function owedOf(record: OrderRecord, part: RefundAttempt, found: string | null): Outstanding[] {
  const strays = record.strays.filter(({ id }) => id !== found);
  return outstandingIn({ ...record, strays }).filter(({ failed }) => failed === part);
}

/** Returns the refund of an id, as far as it is known: of how much, and of which payment. */
function knownRefund(record: OrderRecord, { found, refund }: Finding): Known | undefined {
  if (refund === undefined) return record.strays.find(({ id }) => id === found);
  const { amount, currency, payment_intent_id: intent } = refund;
  return { amount, currency, intent };
}

/** Returns which part of what is owed a refund is about. */
function owedTo(owed: readonly Outstanding[], { amount, currency, intent }: Known): Outstanding[] {
  return owed
    .filter((one) => one.payment.intent === intent && one.payment.currency === currency.toUpperCase())
    .filter((one) => amount <= one.amount)
    .map((one) => ({ ...one, amount }))
    .slice(0, 1);
}

function checkRefund(
  record: OrderRecord,
  about: Question['about'],
  part: RefundAttempt,
  finding: Finding,
): void {
  const { found } = finding;
  if (found === null) return;
  checkIsNew(record, found, part);
  const known = knownRefund(record, finding);
  if (about === 'failed refund') {
    const owed = owedOf(record, part, found);
    if (owed.length === 0) refuseFound(found, 'is of a refund of which nothing is left to go back');
    if (known !== undefined && owedTo(owed, known).length === 0)
      refuseFound(found, 'is a refund of another amount or payment');
    return;
  }
  if (known === undefined) return;
  const isIt =
    known.amount === part.amount &&
    known.currency.toUpperCase() === part.currency &&
    known.intent === paymentOf(record, part.pay).intent;
  if (!isIt) refuseFound(found, 'is a refund of another amount or payment');
}

/** @throws OrderError for the id of something else. */
function checkFound(record: OrderRecord, question: Question, finding: Finding): void {
  const { found, op } = finding;
  if (found === null) return;
  if ('payment' in question) return checkPayment(record, question.payment, found);
  if ('part' in question) {
    const { part, about } = question;
    const isSale = paymentOf(record, part.pay).kind === 'sale';
    if (about === 'refund' && isSale) checkTransaction(record, found);
    if (about === 'refund' && !isSale && !found.startsWith('rf_')) refuseFound(found, 'is no id of a refund');
    return checkRefund(record, about, part, finding);
  }
  if ('stray' in question) return refuseFound(found, 'is not null');
  if (found !== op) refuseFound(found, `is neither ${op} nor null`);
}

function answerPayment(payment: Payment, found: string | null): void {
  const { manual, asked } = payment;
  if (found === null) {
    payment.status = 'declined';
    return;
  }
  payment.ref ??= found;
  Object.assign(payment, manual ? { status: 'authorized' } : { status: 'paid', paid: asked });
}

function answerCapture(payment: Payment, found: string | null): void {
  const { capture } = payment;
  if (capture === null) return;
  capture.state = found === null ? 'refused' : 'done';
  if (found !== null) Object.assign(payment, { status: 'paid', paid: capture.amount });
}

function answerHold(payment: Payment, found: string | null): void {
  const { asked, hold } = payment;
  if (found !== null) Object.assign(payment, { status: 'paid', paid: asked });
  else payment.hold = hold === 'stuck' ? 'last' : 'unwanted';
}

function answerRefund(
  record: OrderRecord,
  part: RefundAttempt,
  { found, refund }: Finding,
  now: number,
): void {
  if (found === null) {
    Object.assign(part, { status: 'failed', message: 'not_found' });
    return;
  }
  takeRefund(record, part, found);
  if (refund !== undefined) joinRefund(record, refund, now);
}

/** Takes what became of what is owed of a refund that failed. The rest of it stays as it is. */
function answerFailed(record: OrderRecord, part: RefundAttempt, finding: Finding, now: number): void {
  const { found, refund } = finding;
  const owed = owedOf(record, part, found);
  if (found === null) {
    if (owed.length === 0) part.closed = 'kept';
    for (const one of owed) splitOff(record, one).closed = 'kept';
    return;
  }
  const known = knownRefund(record, finding);
  for (const one of known === undefined ? owed : owedTo(owed, known))
    takeRefund(record, splitOff(record, one), found);
  if (refund !== undefined) joinRefund(record, refund, now);
}

/** Joins a finding. Throws if it is about nothing that is open, or about something else. */
function joinFinding(record: OrderRecord, finding: Finding, terms: Terms): void {
  const { op, found } = finding;
  const question = questionOf(record, op, terms);
  checkFound(record, question, finding);
  switch (question.about) {
    case 'payment':
      return answerPayment(question.payment, found);
    case 'capture':
      return answerCapture(question.payment, found);
    case 'hold':
      return answerHold(question.payment, found);
    case 'refund':
      return answerRefund(record, question.part, finding, terms.now);
    case 'failed refund':
      return answerFailed(record, question.part, finding, terms.now);
    case 'stray':
      question.stray.known = true;
      return;
    case 'dispute':
      question.dispute.status = found === null ? 'won' : 'lost';
  }
}

/** Reads a refund that a person found. The path is inferred: where a list of refunds has none either, the service has no reads of them. */
async function read({ payments: { refunds } }: Context, found: string | null): Promise<Refund | undefined> {
  if (found?.startsWith('rf_') !== true) return undefined;
  const refund = await news(refunds.retrieve(found as `rf_${string}`));
  if (refund === undefined && (await news(refunds.list({ limit: 1 }))) !== undefined)
    refuseFound(found, 'the service does not know');
  return refund;
}

/**
 * Asks the service about the intent that a question is about: it may know what the person does not. Returns whether that was the answer.
 *
 * @throws OrderError if the person found a capture of which the service does not know.
 */
async function isAnswered(
  context: Context,
  key: string,
  question: Question,
  { found }: Finding,
): Promise<boolean> {
  if (!('payment' in question) || question.payment.kind !== 'intent') return false;
  const intent = await news(context.payments.paymentIntents.retrieve(question.payment.ref as `pi_${string}`));
  if (intent === undefined) return false;
  const { record } = await update(context, key, (draft) => joinIntent(draft, intent));
  const { status } = paymentOf(record, question.payment.op);
  if (status === 'paid' || status === 'expired') return true;
  if (status === 'authorized' && question.about === 'payment') return true;
  if (found !== null) refuseFound(found, 'the service has not taken');
  return false;
}

/** Takes what a person found out about an operation of an order. */
export async function resolve(
  context: Context,
  order: OrderName,
  op: string,
  found: string | null,
): Promise<OrderView> {
  const { key, record } = await beginAny(context, order);
  if (found !== null && ![undefined, key].includes(await findKey(context, found)))
    refuseFound(found, 'belongs to another order');
  const question = questionOf(structuredClone(record), op, context.terms());
  const finding = { op, found, refund: await read(context, found) };
  joinFinding(structuredClone(record), finding, context.terms());
  if (!(await isAnswered(context, key, question, finding))) {
    // First, since a repeat finds nothing open any more.
    await settleForm(context, record, op, found !== null);
    await update(context, key, (draft) => joinFinding(draft, finding, context.terms()));
  }
  return viewOf(await drive(context, key), context.terms());
}
