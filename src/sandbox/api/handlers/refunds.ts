import * as s from '../../../base/schema.ts';
import type { Charge } from '../../../resources/charges.ts';
import type { Refund } from '../../../resources/refunds.ts';
import { findObject } from '../../domain/find-object.ts';
import { amountToRefund, chargeOf, refundCharge } from '../../domain/payments/refund-charge.ts';
import { updateRefundedAmount } from '../../domain/payments/refunded-amount.ts';
import { invalidParameter } from '../../domain/problem.ts';
import type { State } from '../../domain/state.ts';
import { requireTransition } from '../../domain/transitions.ts';
import { integerFrom, optional, readParameters, text } from '../request/parameters.ts';
import { type Call, type Methods, named } from './handler.ts';
import type { Reading } from './list-and-retrieve.ts';

/** The parameters of a refund, except those that name the payment. */
export const partialRefundFields = { amount: optional(integerFrom(1)), reason: optional(text()) };

const createParameters = s.object({
  payment_intent_id: optional(text()),
  charge_id: optional(text()),
  ...partialRefundFields,
});

type CreateParameters = s.TypeOf<typeof createParameters>;

function chargeToRefund(state: State, { payment_intent_id, charge_id }: CreateParameters): Charge {
  const intentId = payment_intent_id ?? undefined;
  const chargeId = charge_id ?? undefined;
  if (intentId !== undefined && chargeId === undefined) {
    return chargeOf(state, findObject(state, 'payment_intent', intentId, 'payment_intent_id'));
  }
  if (chargeId !== undefined && intentId === undefined)
    return findObject(state, 'charge', chargeId, 'charge_id');
  const received = intentId === undefined ? 'neither' : 'both';
  throw invalidParameter(
    'payment_intent_id',
    `Expected either payment_intent_id or charge_id, got ${received}.`,
  );
}

function create(state: State, { body }: Call): Refund {
  const given = readParameters(createParameters, body);
  return refundCharge(state, chargeToRefund(state, given), given);
}

/** Retries a refund. A failed one reserves no amount, so another refund may have used up the rest of the charge. */
function retry(state: State, call: Call): Refund {
  const failed = named(state.objects.refund, call);
  requireTransition(failed, 'refund.retry');
  const charge = findObject(state, 'charge', failed.charge_id, 'charge_id');
  const refund = state.objects.refund.replace({
    ...failed,
    amount: amountToRefund(charge, failed.amount),
    status: 'pending',
    failure_message: null,
    updated_at: state.clock.seconds(),
  });
  updateRefundedAmount(state, failed, refund);
  return refund;
}

/** The write methods of `/v1/refunds`. */
export function refundHandlers(state: State): Omit<Methods<'refunds'>, keyof Reading> {
  return { create: (call) => create(state, call), retry: (call) => retry(state, call) };
}
