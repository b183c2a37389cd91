/** Takes what a person found out. */

import type { Refund } from '../../resources/objects/refunds.ts';
import type { Context } from '../context.ts';
import { orderError } from '../errors.ts';
import { joinRefund, takeRefund } from '../record/join.ts';
import { idsOf, type OrderRecord, paymentOf, type RefundAttempt } from '../record/record.ts';
import { beginAny, findKey, update } from '../record/records.ts';
import { isCaptureUnanswered, isStuck, isUnanswered, loseSales, type Terms } from '../record/steps.ts';
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

function resolvePayment(record: OrderRecord, { op, found }: Finding): boolean {
  const payment = record.payments.find((one) => one.op === op && one.status === 'unknown');
  if (payment === undefined) return false;
  const { manual, asked } = payment;
  if (found === null) payment.status = 'declined';
  else {
    payment.ref ??= found;
    Object.assign(payment, manual ? { status: 'authorized' } : { status: 'paid', paid: asked });
  }
  return true;
}

function resolveHold(record: OrderRecord, { op, found }: Finding): boolean {
  const payment = record.payments.find((one) => one.op === op && isStuck(one));
  if (payment === undefined) return false;
  const { asked } = payment;
  Object.assign(payment, found === null ? { status: 'expired' } : { status: 'paid', paid: asked });
  return true;
}

function resolveCapture(record: OrderRecord, { op, found }: Finding, terms: Terms): boolean {
  const payment = record.payments.find((one) => one.capture?.op === op && isCaptureUnanswered(one, terms));
  if (!payment?.capture) return false;
  const { amount: paid } = payment.capture;
  payment.capture.state = found === null ? 'refused' : 'done';
  payment.stuck = false;
  if (found !== null) Object.assign(payment, { status: 'paid', paid });
  return true;
}

/** Whether a person can say something about a refund. */
function isOpenPart(record: OrderRecord, part: RefundAttempt, terms: Terms): boolean {
  return isUnanswered(record, part, terms) || (part.status === 'failed' && part.closed === null);
}

function resolvePart(record: OrderRecord, { op, found, refund }: Finding, terms: Terms): boolean {
  const part = record.parts.find((one) => one.op === op && isOpenPart(record, one, terms));
  if (part === undefined) return false;
  if (found !== null) {
    takeRefund(record, part, found);
    if (refund !== undefined) joinRefund(record, refund, terms.now);
  } else if (part.status === 'failed') part.closed = 'kept';
  else Object.assign(part, { status: 'failed', message: 'not_found' });
  return true;
}

function resolveStray(record: OrderRecord, { op }: Finding): boolean {
  const stray = record.strays.find((one) => one.id === op && !one.known);
  if (stray !== undefined) stray.known = true;
  return stray !== undefined;
}

function resolveDispute(record: OrderRecord, { op, found }: Finding): boolean {
  const dispute = record.disputes.find((one) => one.id === op && one.status === 'open');
  if (dispute !== undefined) dispute.status = found === null ? 'won' : 'lost';
  return dispute !== undefined;
}

const isIdOfService = (ref: string | null) => ref !== null && /^(?:rf_.*|\d+)$/.test(ref);

function refuseFound(found: string, why: string): never {
  const message = `resolve: expected the id of what the need is about, got ${JSON.stringify(found)}, which ${why}. Nothing was changed.`;
  throw orderError('ORDER_MISMATCH', message);
}

/** @throws OrderError for the id of something else: it would count twice. */
function checkFound(record: OrderRecord, { op, found, refund }: Finding): void {
  if (found === null) return;
  const others = [
    ...record.payments.filter((one) => one.op !== op && one.capture?.op !== op).flatMap(idsOf),
    // Whatever else a person names may have given back several: one bank transfer, or cash.
    ...record.parts.flatMap(({ op: other, ref }) => (other !== op && isIdOfService(ref) ? ref : [])),
  ];
  if (others.includes(found)) refuseFound(found, 'the order knows as something else');
  const part = record.parts.find((one) => one.op === op);
  const known = refund ?? record.strays.find(({ id }) => id === found);
  if (part === undefined || known === undefined) return;
  const intent = 'intent' in known ? known.intent : known.payment_intent_id;
  const isIt =
    known.amount === part.amount &&
    known.currency.toUpperCase() === part.currency &&
    intent === paymentOf(record, part.pay).intent;
  if (!isIt) refuseFound(found, 'is a refund of another amount or payment');
}

/** Joins a finding. Throws if it is about nothing that is open, or about something else. */
function joinFinding(record: OrderRecord, finding: Finding, terms: Terms): void {
  loseSales(record, terms);
  const { op } = finding;
  checkFound(record, finding);
  const isOpen =
    resolvePayment(record, finding) ||
    resolveCapture(record, finding, terms) ||
    resolveHold(record, finding) ||
    resolvePart(record, finding, terms) ||
    resolveStray(record, finding) ||
    resolveDispute(record, finding);
  if (isOpen) return;
  const message = `resolve: expected the operation of a need of order ${record.id}, got ${JSON.stringify(op)}. Nothing was changed.`;
  throw orderError('ORDER_NOTHING_OPEN', message);
}

/** Reads a refund that a person found. The path is inferred: where a list of refunds has none either, the service has no reads of them. */
async function read({ payments: { refunds } }: Context, found: string | null): Promise<Refund | undefined> {
  if (found?.startsWith('rf_') !== true) return undefined;
  const refund = await news(refunds.retrieve(found as `rf_${string}`));
  if (refund === undefined && (await news(refunds.list({ limit: 1 }))) !== undefined)
    refuseFound(found, 'the service does not know');
  return refund;
}

/** Takes what a person found out about an operation of an order. */
export async function resolve(
  context: Context,
  order: OrderName,
  op: string,
  found: string | null,
): Promise<OrderView> {
  const { key, record } = await beginAny(context, order);
  const owner = found === null ? undefined : await findKey(context, found);
  if (found !== null && owner !== undefined && owner !== key) refuseFound(found, 'belongs to another order');
  const finding = { op, found, refund: await read(context, found) };
  joinFinding(structuredClone(record), finding, context.terms());
  // First, since a repeat finds nothing open any more.
  await settleForm(context, record, op, found !== null);
  await update(context, key, (draft) => joinFinding(draft, finding, context.terms()));
  return viewOf(await drive(context, key), context.terms());
}
