import { day } from '../../../base/time.ts';
import type { PaymentIntent } from '../../../resources/payment-intents.ts';
import { defaults } from '../../domain/object-defaults.ts';
import { chargeIntent, declineIntent } from '../../domain/payments/charge-intent.ts';
import { refundCharge } from '../../domain/payments/refund-charge.ts';
import { currency, type SeedContext } from './seed-context.ts';

/** The approximate percentages of paid, declined and canceled payments; the rest stays open. */
const share = { paid: 84, declined: 9, canceled: 5 };
const guests = 0.15;
const refunded = 0.05;
const partial = 0.4;

function addIntent({ state, random, customers }: SeedContext, amount: number): PaymentIntent {
  const known = customers.length > 0 && !random.happens(guests);
  const customer = known ? random.pick(customers).id : null;
  const intent = { ...defaults.payment_intent(state), amount, currency, customer };
  return state.objects.payment_intent.add(intent);
}

/** Returns a typical shop price. */
function price({ random }: SeedContext): number {
  return random.integer(5, random.happens(0.1) ? 400 : 80) * 100 - random.pick([0, 1, 5, 50]);
}

/** Refunds a charge and completes the refund at once, since the clock would emit events for it. */
function addRefund({ state, random }: SeedContext, chargeId: string): void {
  const charge = state.objects.charge.get(chargeId);
  if (charge === undefined) return;
  const whole = charge.amount - charge.amount_refunded;
  const amount = random.happens(partial) ? Math.max(1, Math.floor(whole / random.integer(2, 5))) : whole;
  const reason = random.pick(['requested_by_customer', 'damaged', 'duplicate']);
  const refund = refundCharge(state, charge, { amount, reason });
  state.objects.refund.replace({ ...refund, status: 'succeeded' });
}

function pay(context: SeedContext, intent: PaymentIntent): void {
  const { state, random, timeline } = context;
  const { latest_charge_id } = chargeIntent(state, intent, state.ids.next('pm'));
  if (latest_charge_id === null || !random.happens(refunded)) return;
  const at = state.clock.now() + random.integer(1, 20 * day);
  timeline.plan(at, () => addRefund(context, latest_charge_id));
}

/** Adds a payment in a random state. */
export function addPayment(context: SeedContext): void {
  const { state, random } = context;
  const intent = addIntent(context, price(context));
  const percentile = random.integer(1, 100);
  if (percentile <= share.paid) pay(context, intent);
  else if (percentile <= share.paid + share.declined) declineIntent(state, intent, state.ids.next('pm'));
  else if (percentile <= share.paid + share.declined + share.canceled) {
    state.objects.payment_intent.replace({ ...intent, status: 'canceled' });
  }
}
