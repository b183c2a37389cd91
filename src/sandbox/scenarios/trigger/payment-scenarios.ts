import type { Charge } from '../../../resources/charges.ts';
import type { PaymentIntent } from '../../../resources/payment-intents.ts';
import type { Refund } from '../../../resources/refunds.ts';
import { pay } from '../../domain/payments/pay.ts';
import { reckonRefund } from '../../domain/payments/refunded-amount.ts';
import { expire } from '../../domain/payments/session-expiry.ts';
import type { Plots } from './scenario.ts';
import type { AnyFields, Scene } from './scenario-run.ts';

const declined = { payment_method: 'pm_card_declined' };
const unpaidSession = { status: 'open', payment_status: 'unpaid', payment_intent_id: null };
const unpaid = { status: 'requires_payment_method', latest_charge_id: null };
const unsettled = { settled_at: null, settlement_batch_id: null };

function intent(scene: Scene): PaymentIntent {
  return scene.start('payment_intent', unpaid);
}

/** Confirms an intent, and captures it where that is done by hand. */
function confirm(scene: Scene, { id, status }: PaymentIntent, paymentMethod: string): void {
  if (status !== 'requires_capture') {
    scene.call('paymentIntents.confirm', id, { payment_method: paymentMethod });
  }
  const after = scene.state.objects.payment_intent.get(id);
  if (after?.status === 'requires_capture') scene.call('paymentIntents.capture', id);
}

/** The charge of a payment that was made, over what the event's object is to be worth. */
function paidCharge(scene: Scene, paymentMethod?: string): Charge {
  const { amount = 1200, currency = 'USD' } = scene.fields;
  const { id } = scene.add('payment_intent', { amount, currency });
  scene.call('paymentIntents.confirm', id, {
    payment_method: paymentMethod ?? scene.state.ids.next('pm'),
  });
  const charge = scene.state.objects.payment_intent.get(id)?.latest_charge_id ?? '';
  const found = scene.state.objects.charge.get(charge);
  if (found === undefined) throw new Error('sandbox.trigger: the payment that it needs was not made.');
  return found;
}

/** A refund that was just asked for, of a charge that is there or is made for it. */
function addRefund(scene: Scene, before: AnyFields): Refund {
  const charge = scene.state.objects.charge.get(scene.text('charge_id') ?? '') ?? paidCharge(scene);
  const { id: charge_id, intent_id: payment_intent_id, currency } = charge;
  const amount = charge.amount - charge.amount_refunded;
  const refund = scene.add('refund', {
    charge_id,
    payment_intent_id,
    currency,
    amount,
    ...scene.fields,
    ...before,
  });
  reckonRefund(scene.state, undefined, refund);
  return refund;
}

function refund(scene: Scene): Refund {
  const before = { status: 'pending', failure_message: null, ...unsettled };
  return scene.existing('refund') ?? addRefund(scene, before);
}

function succeeded(scene: Scene): Refund {
  const found = refund(scene);
  return found.status === 'pending' ? scene.change('refund', found.id, { status: 'succeeded' }) : found;
}

/** Money is settled once. */
function settlement(scene: Scene, { id, settled_at }: Charge | Refund): AnyFields {
  if (settled_at !== null) throw new Error(`sandbox.trigger: '${id}' is settled already.`);
  return { settled_at: scene.now, settlement_batch_id: scene.add('terminal_batch').id };
}

/** The events of payments and of money given back. */
export const paymentPlots = {
  'checkout.session.created': (scene) => scene.create('checkout_session'),
  'checkout.session.completed': (scene) => {
    const session = scene.start('checkout_session', unpaidSession);
    pay(scene.state, session.id);
    return session;
  },
  'checkout.session.expired': (scene) => {
    const session = scene.start('checkout_session', unpaidSession);
    if (scene.existing('checkout_session') === undefined) return expire(scene.state, session);
    scene.call('checkoutSessions.expire', session.id);
    return session;
  },
  'payment_intent.created': (scene) => scene.create('payment_intent'),
  'payment_intent.requires_action': (scene) => {
    const after = scene.move('payment_intent', intent(scene), 'payment_intent.requires_action', {
      status: 'requires_action',
    });
    scene.tell('payment_intent.requires_action', after);
    return after;
  },
  'payment_intent.succeeded': (scene) => {
    const before = intent(scene);
    const attached = scene.text('payment_method') ?? before.payment_method;
    confirm(scene, before, attached ?? scene.state.ids.next('pm'));
    return before;
  },
  'payment_intent.payment_failed': (scene) => {
    const before = intent(scene);
    scene.call('paymentIntents.confirm', before.id, declined);
    return before;
  },
  'payment_intent.canceled': (scene) => {
    const before = intent(scene);
    scene.call('paymentIntents.cancel', before.id);
    return before;
  },
  'charge.settled': (scene) => {
    const charge = scene.existing('charge') ?? paidCharge(scene, scene.text('payment_method'));
    return scene.move('charge', charge, 'charge.settled', settlement(scene, charge));
  },
  'refund.created': (scene) => addRefund(scene, {}),
  'refund.succeeded': (scene) =>
    scene.move('refund', refund(scene), 'refund.succeeded', { status: 'succeeded' }),
  'refund.failed': (scene) =>
    scene.move('refund', refund(scene), 'refund.failed', {
      status: 'failed',
      failure_message: 'already_refunded',
    }),
  'refund.settled': (scene) => {
    const before = succeeded(scene);
    return scene.move('refund', before, 'refund.settled', settlement(scene, before));
  },
} satisfies Plots;
