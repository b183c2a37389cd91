import * as z from 'zod/mini';
import type { Refund } from '../../resources/refunds.ts';
import type { Charge } from '../charge.ts';
import { integerFrom, optional, readParameters, text } from '../parameters.ts';
import { invalidParameter, Problem, unknownReference } from '../problem.ts';
import type { State } from '../state.ts';
import { type Call, type Handlers, named } from './handler.ts';
import { list } from './list.ts';

const createParameters = z.object(
  {
    payment_intent_id: optional(text()),
    charge_id: optional(text()),
    amount: optional(integerFrom(1)),
    reason: optional(text()),
  },
  'expected a JSON object',
);

type CreateParameters = z.infer<typeof createParameters>;

function chargeById({ charges }: State, id: string): Charge {
  const charge = charges.get(id);
  if (charge === undefined) throw unknownReference(charges.type, id, 'charge_id');
  return charge;
}

function chargeOfIntent(state: State, id: string): Charge {
  const intent = state.paymentIntents.get(id);
  if (intent === undefined) throw unknownReference('payment intent', id, 'payment_intent_id');
  if (intent.latest_charge_id === null) {
    const message = `The payment intent '${id}' has not succeeded, so there is nothing to refund.`;
    throw new Problem(422, 'PAYMENT_INTENT_NOT_SUCCEEDED', message, 'payment_intent_id');
  }
  return chargeById(state, intent.latest_charge_id);
}

function chargeToRefund(state: State, { payment_intent_id, charge_id }: CreateParameters): Charge {
  const intentId = payment_intent_id ?? undefined;
  const chargeId = charge_id ?? undefined;
  if (intentId !== undefined && chargeId === undefined) return chargeOfIntent(state, intentId);
  if (chargeId !== undefined && intentId === undefined) return chargeById(state, chargeId);
  throw invalidParameter('payment_intent_id', 'Expected either payment_intent_id or charge_id.');
}

/** What to give back: all that is left where no amount was given, and never more. */
function amountToRefund({ id, amount, amount_refunded }: Charge, asked: number | null | undefined): number {
  const left = amount - amount_refunded;
  if (left === 0)
    throw new Problem(422, 'CHARGE_ALREADY_REFUNDED', `The charge '${id}' is refunded in full.`);
  if (asked !== null && asked !== undefined && asked > left) {
    const message = `Of the charge '${id}', ${left} is left to refund.`;
    throw new Problem(422, 'REFUND_EXCEEDS_CHARGE', message, 'amount');
  }
  return asked ?? left;
}

function create(state: State, { body }: Call): Refund {
  const given = readParameters(createParameters, body);
  const charge = chargeToRefund(state, given);
  const amount = amountToRefund(charge, given.amount);
  const stamp = state.stamp('refund', 'rf');
  // A pending refund counts, so that two refunds at once cannot give back more than was paid.
  const amount_refunded = charge.amount_refunded + amount;
  state.charges.replace({ ...charge, amount_refunded, updated_at: stamp.updated_at });
  return state.refunds.add({
    ...stamp,
    amount,
    currency: charge.currency,
    charge_id: charge.id,
    payment_intent_id: charge.intent_id,
    status: 'pending',
    reason: given.reason ?? null,
    failure_message: null,
    terminal_id: null,
    settled_at: null,
    settlement_batch_id: null,
  });
}

/** What `/v1/refunds` does. */
export function refundHandlers(state: State, itemsField: string): Handlers<'refunds'> {
  return {
    'refunds.create': (call) => create(state, call),
    'refunds.retrieve': (call) => named(state.refunds, call),
    'refunds.list': list(state.refunds, itemsField),
  };
}
