import type { CheckoutSession, Customer, Id, PaymentIntent } from 'payments-client';
import { refuseId } from '../../base/refuse.ts';
import { collect } from '../billing/invoice.ts';
import { customerOf, startSubscription } from '../billing/subscription.ts';
import { defaults } from '../object-defaults.ts';
import type { State } from '../state.ts';
import { mayTransition } from '../transitions.ts';
import { chargeIntent, declineIntent, isDeclined } from './charge-intent.ts';

/** Options of a payment. */
export type PayOptions = {
  /** The payment method, `pm_…`. Default: the attached one, else a new one that succeeds. */
  readonly payment_method?: Id<'payment_method'> | undefined;
};

/** The buyer's details. Empty fields are unknown. */
export type Buyer = Partial<
  Pick<Customer, 'first_name' | 'last_name' | 'email' | 'phone' | 'billing_address' | 'shipping'>
>;

/** Options of a payment on the hosted page. */
interface PayDetails extends PayOptions {
  /** The buyer's details, for the session and a new customer. Default: unknown. */
  readonly buyer?: Buyer | undefined;
}

type PaymentMethodId = Id<'payment_method'>;

const waiting =
  'the id of a checkout session (cs_…), a payment intent (pi_…) or an invoice (inv_…) that waits for a payment';

/** @throws ConfigurationError always. */
function refuseToPay(id: string, found?: { readonly status: string }): never {
  const problem = found === undefined ? undefined : `which is '${found.status}'`;
  return refuseId('sandbox.pay.id', waiting, id, problem);
}

function attempt(state: State, intent: PaymentIntent, method: PaymentMethodId | undefined): PaymentIntent {
  const paymentMethod = method ?? intent.payment_method ?? state.ids.next('pm');
  return (isDeclined(paymentMethod) ? declineIntent : chargeIntent)(state, intent, paymentMethod);
}

function payIntent(state: State, id: string, { payment_method }: PayOptions): PaymentIntent {
  const intent = state.objects.payment_intent.get(id);
  if (intent === undefined || !mayTransition(intent, 'payment_intent.confirm')) {
    return refuseToPay(id, intent);
  }
  return attempt(state, intent, payment_method);
}

/** Returns the session's intent: that of a declined attempt, else a new one. */
function intentOf(state: State, session: CheckoutSession): PaymentIntent {
  const started = state.objects.payment_intent.get(session.payment_intent_id ?? '');
  if (started !== undefined && mayTransition(started, 'payment_intent.confirm')) return started;
  return state.objects.payment_intent.add({
    ...defaults.payment_intent(state),
    amount: session.amount_total,
    currency: session.currency,
    customer: session.customer,
  });
}

function complete(state: State, session: CheckoutSession, paid: PaymentIntent, buyer: Buyer = {}): void {
  const isSubscription = session.mode === 'subscription';
  const customer_email = session.customer_email ?? (buyer.email || null);
  const details = { ...buyer, email: customer_email ?? '' };
  const customer = isSubscription ? customerOf(state, session, details) : session.customer;
  state.objects.checkout_session.replace({
    ...session,
    status: 'complete',
    payment_status: 'paid',
    payment_intent_id: paid.id,
    customer,
    customer_email,
    updated_at: paid.updated_at,
  });
  if (isSubscription && customer !== null) startSubscription(state, session, customer, paid);
}

/** Whether a session can be paid now. */
export function isPayable({ settings }: State, session: CheckoutSession): boolean {
  if (session.status === 'expired') return settings.expiredSessions === 'payable';
  return mayTransition(session, 'checkout_session.complete');
}

function paySession(state: State, id: string, { payment_method, buyer }: PayDetails): PaymentIntent {
  const session = state.objects.checkout_session.get(id);
  if (session === undefined || !isPayable(state, session)) {
    return refuseToPay(id, session);
  }
  const intent = attempt(state, intentOf(state, session), payment_method);
  const { id: payment_intent_id, status, updated_at } = intent;
  if (status === 'succeeded') complete(state, session, intent, buyer);
  else state.objects.checkout_session.replace({ ...session, payment_intent_id, updated_at });
  return intent;
}

function payInvoice(state: State, id: string, { payment_method }: PayOptions): PaymentIntent {
  const invoice = state.objects.invoice.get(id);
  if (invoice === undefined || !mayTransition(invoice, 'invoice.update_payment_method')) {
    return refuseToPay(id, invoice);
  }
  const method = payment_method ?? invoice.collection_payment_method_id ?? state.ids.next('pm');
  return collect(state, invoice, method).intent;
}

/**
 * Pays an intent, a session or an invoice as the buyer, and captures at once.
 *
 * @throws ConfigurationError when there is no such object, or it does not wait for a payment.
 */
export function pay(state: State, id: string, options: PayDetails = {}): PaymentIntent {
  if (typeof id !== 'string') return refuseToPay(id);
  if (id.startsWith('cs_')) return paySession(state, id, options);
  return id.startsWith('inv_') ? payInvoice(state, id, options) : payIntent(state, id, options);
}

/** Expires a session. */
export function expireSession({ objects, clock }: State, session: CheckoutSession): CheckoutSession {
  return objects.checkout_session.replace({ ...session, status: 'expired', updated_at: clock.seconds() });
}
