import type { Charge } from '../../../resources/charges.ts';
import type { PaymentIntent } from '../../../resources/payment-intents.ts';
import type { Refund } from '../../../resources/refunds.ts';
import { expireSession } from '../../domain/payments/expire-session.ts';
import { pay } from '../../domain/payments/pay.ts';
import { updateRefundedAmount } from '../../domain/payments/refunded-amount.ts';
import type { Scenarios } from './scenario.ts';
import type { AnyFields, ScenarioRun } from './scenario-run.ts';

const declined = { payment_method: 'pm_card_declined' };
const unpaidSession = { status: 'open', payment_status: 'unpaid', payment_intent_id: null };
const unpaid = { status: 'requires_payment_method', latest_charge_id: null };
const unsettled = { settled_at: null, settlement_batch_id: null };

function intent(run: ScenarioRun): PaymentIntent {
  return run.start('payment_intent', unpaid);
}

/** Confirms an intent, and captures it if its capture is manual. */
function confirm(run: ScenarioRun, { id, status }: PaymentIntent, paymentMethod: string): void {
  if (status !== 'requires_capture') {
    run.call('paymentIntents.confirm', id, { payment_method: paymentMethod });
  }
  const after = run.state.objects.payment_intent.get(id);
  if (after?.status === 'requires_capture') run.call('paymentIntents.capture', id);
}

/** Returns the charge of a new payment with the event's amount. */
function paidCharge(run: ScenarioRun, paymentMethod?: string): Charge {
  const { amount = 1200, currency = 'USD' } = run.fields;
  const { id } = run.add('payment_intent', { amount, currency });
  run.call('paymentIntents.confirm', id, {
    payment_method: paymentMethod ?? run.state.ids.next('pm'),
  });
  const charge = run.state.objects.payment_intent.get(id)?.latest_charge_id ?? '';
  const found = run.state.objects.charge.get(charge);
  if (found === undefined) throw new Error('sandbox.trigger: the payment behind the event was not created.');
  return found;
}

/** Adds a pending refund of an existing or a new charge. */
function addRefund(run: ScenarioRun, before: AnyFields): Refund {
  const charge = run.state.objects.charge.get(run.text('charge_id') ?? '') ?? paidCharge(run);
  const { id: charge_id, intent_id: payment_intent_id, currency } = charge;
  const amount = charge.amount - charge.amount_refunded;
  const refund = run.add('refund', {
    charge_id,
    payment_intent_id,
    currency,
    amount,
    ...run.fields,
    ...before,
  });
  updateRefundedAmount(run.state, undefined, refund);
  return refund;
}

function refund(run: ScenarioRun): Refund {
  const before = { status: 'pending', failure_message: null, ...unsettled };
  return run.existing('refund') ?? addRefund(run, before);
}

function succeeded(run: ScenarioRun): Refund {
  const found = refund(run);
  return found.status === 'pending' ? run.change('refund', found.id, { status: 'succeeded' }) : found;
}

/** Requires that a charge or refund is not settled yet, and returns its settlement fields. */
function settlement(run: ScenarioRun, { id, settled_at }: Charge | Refund): AnyFields {
  if (settled_at !== null) throw new Error(`sandbox.trigger: '${id}' is settled already.`);
  return { settled_at: run.now, settlement_batch_id: run.add('terminal_batch').id };
}

/** Scenarios for payments and refunds. */
export const paymentScenarios = {
  'checkout.session.created': (run) => run.create('checkout_session'),
  'checkout.session.completed': (run) => {
    const session = run.start('checkout_session', unpaidSession);
    pay(run.state, session.id);
    return session;
  },
  'checkout.session.expired': (run) => {
    const session = run.start('checkout_session', unpaidSession);
    if (run.existing('checkout_session') === undefined) return expireSession(run.state, session);
    run.call('checkoutSessions.expire', session.id);
    return session;
  },
  'payment_intent.created': (run) => run.add('payment_intent', { ...run.fields, status: unpaid.status }),
  'payment_intent.requires_action': (run) => {
    const after = run.transition('payment_intent', intent(run), 'payment_intent.requires_action', {
      status: 'requires_action',
    });
    run.emit('payment_intent.requires_action', after);
    return after;
  },
  'payment_intent.succeeded': (run) => {
    const before = intent(run);
    const attached = run.text('payment_method') ?? before.payment_method;
    confirm(run, before, attached ?? run.state.ids.next('pm'));
    return before;
  },
  'payment_intent.payment_failed': (run) => {
    const before = intent(run);
    run.call('paymentIntents.confirm', before.id, declined);
    return before;
  },
  'payment_intent.canceled': (run) => {
    const before = intent(run);
    run.call('paymentIntents.cancel', before.id);
    return before;
  },
  'charge.settled': (run) => {
    const charge = run.existing('charge') ?? paidCharge(run, run.text('payment_method'));
    return run.transition('charge', charge, 'charge.settled', settlement(run, charge));
  },
  'refund.created': (run) => addRefund(run, {}),
  'refund.succeeded': (run) =>
    run.transition('refund', refund(run), 'refund.succeeded', { status: 'succeeded' }),
  'refund.failed': (run) =>
    run.transition('refund', refund(run), 'refund.failed', {
      status: 'failed',
      failure_message: 'already_refunded',
    }),
  'refund.settled': (run) => {
    const before = succeeded(run);
    return run.transition('refund', before, 'refund.settled', settlement(run, before));
  },
} satisfies Scenarios;
