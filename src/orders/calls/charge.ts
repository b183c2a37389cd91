/** Charges a stored payment method: one intent for an amount, and another card only after a known decline. */

import { ApiError } from '../../http/failure/api-errors.ts';
import type { PaymentIntent, PaymentIntentCreateParams } from '../../resources/objects/payment-intents.ts';
import { isDecline } from '../../transact/declined-error.ts';
import type { Context } from '../context.ts';
import { joinIntent } from '../record/join.ts';
import { type CardAttempt, type OrderRecord, operationId } from '../record/record.ts';
import { begin, update, updatePayment } from '../record/records.ts';
import { dueOf } from '../record/sums.ts';
import { closeOthers } from '../steps/close.ts';
import { createIntent } from '../steps/create.ts';
import { news } from '../steps/look.ts';
import { isFinalRefusal } from '../steps/refusal.ts';
import type { Money } from '../types/money.ts';
import type { CardPayment, OrderRow } from '../types/order.ts';
import type { CardOptions } from '../types/orders.ts';
import { finish } from './card-result.ts';
import { findWay, type Wanted } from './way.ts';

type Id = `pi_${string}`;

function intentOf(manual: boolean, agreed: Money | undefined): Wanted {
  const body = ({ currency, customer }: OrderRow, due: number): PaymentIntentCreateParams => ({
    amount: due,
    currency: currency.toLowerCase(),
    ...(typeof customer === 'string' && { customer }),
    ...(manual && { capture_method: 'manual' }),
  });
  return { kind: 'intent', manual, due: agreed, body };
}

/** What to do with a card. */
interface Attempt {
  readonly record: OrderRecord;
  readonly ref: string;
  readonly card: CardAttempt;
}

/** Records that a card is about to be charged. An earlier one whose outcome is not known is charged again in its place. */
async function startCard(
  context: Context,
  key: string,
  op: string,
  method: string,
): Promise<Attempt | undefined> {
  const { record, result } = await updatePayment(context, key, op, (own, draft) => {
    if (own.ref === null || own.status !== 'open') return undefined;
    // A page may have been paid until it was closed.
    if (dueOf(draft, draft.seen) < own.asked) return undefined;
    if (own.card?.state === 'sending') return { ref: own.ref, card: own.card };
    if (own.card?.state === 'action' && own.card.method === method) return { ref: own.ref, card: own.card };
    own.cards += 1;
    const card: CardAttempt = {
      op: `${op}/${own.cards}`,
      method,
      state: 'sending',
      since: context.terms().now,
    };
    own.card = card;
    return { ref: own.ref, card };
  });
  return result && { record, ...result };
}

async function noteIntent(context: Context, key: string, op: string, intent: PaymentIntent): Promise<void> {
  await updatePayment(context, key, op, ({ card }, record) => {
    joinIntent(record, intent);
    if (card?.state === 'sending' && intent.status === 'requires_payment_method') card.state = 'declined';
  });
}

async function noteRefusal(context: Context, key: string, op: string, card: CardAttempt): Promise<void> {
  await updatePayment(context, key, op, (own) => {
    // An intent takes money once. So another card is safe, even if an earlier send of this one was executed.
    if (own.card?.op === card.op) own.card.state = 'declined';
  });
}

/** Charges the card. Returns what the service answered instead of an intent; `undefined` if it did not. */
async function confirm(
  context: Context,
  key: string,
  op: string,
  { record, ref, card }: Attempt,
): Promise<ApiError | undefined> {
  const { paymentIntents } = context.payments;
  try {
    const intent = await paymentIntents.confirm(
      ref as Id,
      { payment_method: card.method as `pm_${string}` },
      { operationId: operationId(record, card.op) },
    );
    await noteIntent(context, key, op, intent);
    return undefined;
  } catch (error) {
    if (isDecline(error) || isFinalRefusal(error)) await noteRefusal(context, key, op, card);
    if (!(error instanceof ApiError)) throw error;
    return error;
  }
}

/** Returns what a buyer has to do in the browser. */
async function actionOf(
  context: Context,
  key: string,
  op: string,
  ref: string,
): Promise<CardPayment | undefined> {
  const intent = await news(context.payments.paymentIntents.retrieve(ref as Id));
  if (intent === undefined) return { state: 'requires_action', intent: ref as Id, clientSecret: null };
  await noteIntent(context, key, op, intent);
  if (intent.status !== 'requires_action') return undefined;
  return { state: 'requires_action', intent: intent.id, clientSecret: intent.client_secret };
}

async function chargeCard(
  context: Context,
  key: string,
  op: string,
  attempt: Attempt,
): Promise<CardPayment | undefined> {
  const { card, ref } = attempt;
  if (card.state === 'action') return actionOf(context, key, op, ref);
  const refusal = await confirm(context, key, op, attempt);
  if (refusal !== undefined) {
    // An earlier request may have taken the money all the same.
    const intent = await news(context.payments.paymentIntents.retrieve(ref as Id));
    if (intent !== undefined) await update(context, key, (record) => joinIntent(record, intent));
    if (intent !== undefined && ['succeeded', 'requires_capture'].includes(intent.status)) return undefined;
    if (!isDecline(refusal)) throw refusal;
    return { state: 'declined', reason: refusal.code ?? refusal.name };
  }
  const { result } = await updatePayment(context, key, op, ({ card: present }) => present?.state);
  if (result === 'action') return actionOf(context, key, op, ref);
  return result === 'declined' ? { state: 'declined', reason: null } : undefined;
}

/** Charges a stored payment method for what is due. */
export async function charge(
  context: Context,
  id: string,
  method: string,
  { capture = true, due }: CardOptions,
): Promise<CardPayment> {
  const begun = await begin(context, id);
  const { key } = begun;
  const way = await findWay(context, begun, intentOf(!capture, due));
  if (typeof way === 'string') return { state: way };
  const { op, ref } = way.payment;
  if (ref === null) await createIntent(context, key, way.record, op);
  await closeOthers(context, key, op);
  const attempt = await startCard(context, key, op, method);
  const result = attempt && (await chargeCard(context, key, op, attempt));
  return result ?? finish(context, key);
}
