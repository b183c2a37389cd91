import type { PaymentIntent } from '../resources/payment-intents.ts';
import type { Charge } from './charge.ts';
import type { State } from './state.ts';

function charge(state: State, intent: PaymentIntent, paymentMethod: string): Charge {
  return state.charges.add({
    ...state.stamp('charge', 'ch'),
    intent_id: intent.id,
    payment_method: paymentMethod,
    amount: intent.amount,
    amount_refunded: 0,
    currency: intent.currency,
    authorization_code: state.ids.digits(6),
    status: 'succeeded',
    decline_code: null,
    decline_type: null,
    failure_message: null,
    settled_at: null,
    settlement_batch_id: null,
  });
}

/**
 * The buyer pays, and the money is captured at once.
 *
 * @throws Error when there is no such intent, or it does not wait for a payment.
 */
export function pay(state: State, intentId: string): PaymentIntent {
  const intent = state.paymentIntents.get(intentId);
  if (intent?.status !== 'requires_payment_method') {
    const found = intent === undefined ? 'none' : `one that is '${intent.status}'`;
    throw new Error(
      `sandbox.pay: expected a payment intent '${intentId}' that waits for a payment, got ${found}.`,
    );
  }
  const paymentMethod = intent.payment_method ?? state.ids.next('pm');
  return state.paymentIntents.replace({
    ...intent,
    status: 'succeeded',
    payment_method: paymentMethod,
    latest_charge_id: charge(state, intent, paymentMethod).id,
    updated_at: state.clock.seconds(),
  });
}
