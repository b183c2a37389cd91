import type { Charge, Refund } from 'payments-client';
import {
  amountToRefund,
  chargeOf,
  refundCharge,
  updateRefundedAmount,
} from '../../domain/payments/refund.ts';
import { Problem } from '../../domain/problem.ts';
import { findObject, type State } from '../../domain/state.ts';
import { requireTransition } from '../../domain/transitions.ts';
import { requestSchema } from '../../sdk.ts';
import { type ParametersOf, readClientParameters } from '../request/parameters.ts';
import { type Call, type Methods, named, type Reading } from './handler.ts';

type CreateParameters = ParametersOf<'refunds.create'>;

/** @throws Problem for a transaction of the form endpoint, which has refunds of its own. */
function refuseTransaction({ objects }: State, id: string): void {
  if (objects.charge.get(id) !== undefined || objects.transaction.get(id) === undefined) return;
  const message = `There is no charge '${id}': it is a transaction of the form endpoint. Refund it by transact.refund.`;
  throw new Problem(422, 'OBJECT_NOT_FOUND', message, 'charge_id');
}

function chargeToRefund(state: State, { payment_intent_id, charge_id = '' }: CreateParameters): Charge {
  refuseTransaction(state, charge_id);
  if (payment_intent_id === undefined) return findObject(state, 'charge', charge_id, 'charge_id');
  return chargeOf(state, findObject(state, 'payment_intent', payment_intent_id, 'payment_intent_id'));
}

function create(state: State, { body }: Call): Refund {
  const given = readClientParameters(requestSchema('refunds.create'), body);
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

export function refundHandlers(state: State): Omit<Methods<'refunds'>, keyof Reading> {
  return { create: (call) => create(state, call), retry: (call) => retry(state, call) };
}
