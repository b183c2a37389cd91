import type { CheckoutLineItem, CheckoutSession, PaymentIntent, Refund } from 'payments-client';
import { isRecord } from '../../base/json.ts';
import { defaults } from '../../domain/object-defaults.ts';
import { expireSession } from '../../domain/payments/pay.ts';
import { chargeOf, refundCharge } from '../../domain/payments/refund.ts';
import { Problem } from '../../domain/problem.ts';
import { findCustomerId, findObject, type State } from '../../domain/state.ts';
import { requireTransition } from '../../domain/transitions.ts';
import { requestSchema } from '../../sdk.ts';
import { noticeIgnored } from '../request/parameter-names.ts';
import {
  type ParametersOf,
  readClientParameters,
  requireKnown,
  requireWebAddress,
  withGiven,
} from '../request/parameters.ts';
import { type Call, type Methods, named, type Reading } from './handler.ts';

type LineItems = ParametersOf<'checkoutSessions.create'>['line_items'];

/** Returns the currency and the total of all lines, which the schema of the client has checked. */
function sum(lines: LineItems): { currency: string; amount: number } {
  const currency = lines[0]?.currency.toUpperCase() ?? '';
  return { currency, amount: lines.reduce((total, line) => total + line.amount * line.quantity, 0) };
}

function toLineItem(state: State, line: LineItems[number]): CheckoutLineItem {
  const currency = line.currency.toUpperCase();
  return { id: state.ids.next('li'), ...line, currency, fulfillment_type: 'digital', tip_eligible: false };
}

/** Drops the parameters that the interface does not show, with a notice. */
function onlyShown(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { mode, line_items, success_url, cancel_url } = body;
  const shown = { mode, line_items, success_url, cancel_url };
  noticeIgnored(requestSchema('checkoutSessions.create'), body, shown);
  return shown;
}

function create(state: State, { body }: Call): CheckoutSession {
  const taken = state.settings.onlyShownFields ? onlyShown(body) : body;
  const given = readClientParameters(requestSchema('checkoutSessions.create'), taken);
  const { currency, amount } = sum(given.line_items);
  const customer = findCustomerId(state, given.customer);
  const session = defaults.checkout_session(state);
  return state.objects.checkout_session.add({
    ...session,
    amount_subtotal: amount,
    amount_total: amount,
    currency,
    mode: requireKnown('mode', given.mode, ['payment', 'subscription']),
    success_url: requireWebAddress('success_url', given.success_url),
    cancel_url: requireWebAddress('cancel_url', given.cancel_url),
    client_reference_id: given.client_reference_id ?? null,
    customer,
    customer_email: given.customer_email ?? null,
    locale: given.locale ?? null,
    metadata: given.metadata ?? {},
    collect_config: withGiven(session.collect_config, given.collect_config ?? {}),
    line_items: given.line_items.map((line) => toLineItem(state, line)),
  });
}

function expireNow(state: State, call: Call): CheckoutSession {
  const session = named(state.objects.checkout_session, call);
  requireTransition(session, 'checkout_session.expire');
  return expireSession(state, session);
}

/**
 * Returns a session with the objects that it refers to. The interface does not show the fields, so they are the
 * sandbox's own.
 */
function expand({ objects }: State, call: Call): object {
  const session = named(objects.checkout_session, call);
  const { payment_intent_id, customer } = session;
  return {
    ...session,
    expanded: {
      payment_intent: objects.payment_intent.get(payment_intent_id ?? '') ?? null,
      customer: objects.customer.get(customer ?? '') ?? null,
    },
  };
}

/** Returns the intent of a complete session. Only a session that a test put into this state has none yet. */
function intentOf(state: State, { id, payment_intent_id }: CheckoutSession): PaymentIntent {
  if (payment_intent_id !== null) {
    return findObject(state, 'payment_intent', payment_intent_id, 'payment_intent_id');
  }
  const message = `The checkout session '${id}' has no payment intent, so there is nothing to refund.`;
  throw new Problem(422, 'PAYMENT_INTENT_MISSING', message);
}

function refund(state: State, call: Call): Refund {
  const session = named(state.objects.checkout_session, call);
  const given = readClientParameters(requestSchema('checkoutSessions.refund'), call.body);
  requireTransition(session, 'checkout_session.refund');
  return refundCharge(state, chargeOf(state, intentOf(state, session)), given);
}

export function checkoutSessionHandlers(state: State): Omit<Methods<'checkoutSessions'>, keyof Reading> {
  return {
    create: (call) => create(state, call),
    expire: (call) => expireNow(state, call),
    expand: (call) => expand(state, call),
    refund: (call) => refund(state, call),
  };
}
