/** Sends planned refunds. */

import type { PaymentsError } from '../../base/errors.ts';
import { CallError } from '../../http/failure/call-errors.ts';
import type { Context } from '../context.ts';
import { joinRefund } from '../record/join.ts';
import {
  type OrderRecord,
  operationId,
  type Payment,
  paymentOf,
  type RefundAttempt,
} from '../record/record.ts';
import { update } from '../record/records.ts';
import { isSendable, saleTimeout } from '../record/steps.ts';
import { isOverdrawn, leftFor } from '../record/sums.ts';
import { formAmount, formId } from './form.ts';
import { isFinalRefusal, isUnsent } from './refusal.ts';

function partOf(record: OrderRecord, op: string): RefundAttempt | undefined {
  return record.parts.find((part) => part.op === op && part.status === 'planned');
}

/** Whether the refusal is that of an earlier request with the key, so that it stands for all of them. */
const isReplay = (error: unknown) => error instanceof CallError && error.idempotentReplayed;

function fail(part: RefundAttempt, message: string): void {
  Object.assign(part, { status: 'failed', message });
}

/** A code or a class: what the service says may hold anything. */
const reasonOf = ({ code, name }: PaymentsError) => code ?? name;

/** Records that a refund is about to be sent. Returns it, unless it must not be. */
async function start(context: Context, key: string, op: string) {
  const { record, result } = await update(context, key, (draft) => {
    const terms = context.terms();
    const part = partOf(draft, op);
    if (part === undefined || !isSendable(draft, part, terms)) return undefined;
    const payment = paymentOf(draft, part.pay);
    // Each request was refused, or none was sent.
    const isUnexecuted = part.refused >= part.sent;
    // A bank or somebody else took money back since it was planned. A key belongs to one amount.
    if (part.sent === 0 && part.why === 'extra') part.amount = leftFor(draft, payment, part);
    if (isUnexecuted && (part.amount === 0 || isOverdrawn(draft, payment))) {
      fail(part, 'NOT_LEFT');
      return undefined;
    }
    part.sentAt ??= terms.now;
    part.sent += 1;
    return { part: { ...part }, payment: { ...payment } };
  });
  return result && { record, ...result };
}

/**
 * Sends a refund, or sends it again with the same key.
 *
 * @throws What the call threw, unless the service refused it for good: then the record says so.
 */
export async function sendRefund(context: Context, key: string, op: string): Promise<void> {
  const started = await start(context, key, op);
  if (started === undefined) return;
  const { record, part, payment } = started;
  if (payment.kind === 'sale') return refundSale(context, key, part, payment, operationId(record, op));
  try {
    const refund = await context.payments.refunds.create(
      // A payment was made through the intent that this id names.
      { payment_intent_id: payment.intent as `pi_${string}`, amount: part.amount },
      { operationId: operationId(record, op) },
    );
    await update(context, key, (draft) => joinRefund(draft, refund, context.terms().now, op));
  } catch (error) {
    if (!(await endsRefund(context, key, op, error))) throw error;
  }
}

/** Records a refusal. Returns whether it ends the refund: no other request of it can have been executed. */
async function endsRefund(context: Context, key: string, op: string, error: unknown): Promise<boolean> {
  if (!isUnsent(error)) return false;
  const { record } = await update(context, key, (draft) => {
    const part = partOf(draft, op);
    if (part === undefined) return;
    part.refused += 1;
    if (isFinalRefusal(error) && (part.refused >= part.sent || isReplay(error))) fail(part, reasonOf(error));
  });
  return partOf(record, op) === undefined;
}

/** Records that the form endpoint gave money back, also if a person found nothing before. */
function approve({ parts }: OrderRecord, op: string, ref: string): void {
  for (const part of parts.filter((one) => one.op === op && one.status !== 'succeeded'))
    Object.assign(part, { status: 'succeeded', ref: ref || null, message: null, closed: null });
}

/** Refunds a transaction of the form endpoint, which has no keys: it is sent once. */
async function refundSale(
  context: Context,
  key: string,
  { op, amount }: RefundAttempt,
  { ref, currency }: Payment,
  id: string,
): Promise<void> {
  const change = (set: (part: RefundAttempt) => void) =>
    update(context, key, (record) => {
      const part = partOf(record, op);
      if (part !== undefined) set(part);
    });
  try {
    const params = { transactionid: String(ref), ...formAmount(context, amount, currency) };
    const result = await context.payments.transact.refund(params, {
      ...formId(context, id),
      totalTimeout: saleTimeout,
      throwOnDecline: false,
    });
    if (result.approved) await update(context, key, (record) => approve(record, op, result.transactionid));
    else await change((part) => fail(part, result.response));
  } catch (error) {
    if (isUnsent(error)) {
      await change((part) => {
        if (isFinalRefusal(error)) fail(part, reasonOf(error));
        else Object.assign(part, { sentAt: null, sent: 0 });
      });
    }
    if (!isFinalRefusal(error)) throw error;
  }
}
