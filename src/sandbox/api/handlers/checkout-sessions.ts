import { isIntegerFrom } from '../../../base/integer.ts';
import * as s from '../../../base/schema.ts';
import type {
  CheckoutLineItem,
  CheckoutSession,
  CollectConfig,
  CollectedField,
} from '../../../resources/checkout-sessions.ts';
import { openEnum } from '../../../resources/open-values.ts';
import type { PaymentIntent } from '../../../resources/payment-intents.ts';
import type { Refund } from '../../../resources/refunds.ts';
import { findCustomerId, findObject } from '../../domain/find-object.ts';
import { defaults } from '../../domain/object-defaults.ts';
import { expireSession } from '../../domain/payments/expire-session.ts';
import { chargeOf, refundCharge } from '../../domain/payments/refund-charge.ts';
import { invalidParameter, Problem } from '../../domain/problem.ts';
import type { State } from '../../domain/state.ts';
import { requireTransition } from '../../domain/transitions.ts';
import {
  currency,
  flag,
  integerFrom,
  metadata,
  oneOf,
  optional,
  readParameters,
  several,
  text,
} from '../request/parameters.ts';
import { type Call, type Methods, named } from './handler.ts';
import type { Reading } from './list-and-retrieve.ts';
import { partialRefundFields } from './refunds.ts';

const shownFields = {
  mode: oneOf(['payment', 'subscription'], "'payment' or 'subscription'"),
  line_items: several(
    s.object({ name: text(), amount: integerFrom(0), currency: currency(), quantity: integerFrom(1) }),
    'at least one line',
  ),
  success_url: optional(text()),
  cancel_url: optional(text()),
};
const shownParameters = s.object(shownFields);
const createParameters = s.object({
  ...shownFields,
  client_reference_id: optional(text()),
  customer: optional(text()),
  customer_email: optional(text()),
  locale: optional(text()),
  metadata: metadata(),
  collect_config: optional(
    s.partial(
      s.object({
        address: openEnum<CollectedField>(text()),
        email: openEnum<CollectedField>(text()),
        name: openEnum<CollectedField>(text()),
        phone: openEnum<CollectedField>(text()),
        require_full_billing_address: flag(),
        require_phone: flag(),
        require_shipping_address: flag(),
        wallet_billing_mode: openEnum<CollectConfig['wallet_billing_mode']>(text()),
      }),
    ),
  ),
});
const refundParameters = s.object(partialRefundFields);

type CreateParameters = s.TypeOf<typeof createParameters>;
type LineItems = CreateParameters['line_items'];

/** Returns the currency and the total of all lines. */
function sum(lines: LineItems): { currency: string; amount: number } {
  const [currency = '', ...others] = new Set(lines.map((line) => line.currency.toUpperCase()));
  if (others.length > 0)
    throw invalidParameter('line_items', 'line_items: expected one currency for all lines.');
  const amount = lines.reduce((total, line) => total + line.amount * line.quantity, 0);
  if (!isIntegerFrom(amount, 0)) {
    throw new Problem(
      422,
      'AMOUNT_TOO_LARGE',
      'The total of the lines exceeds the maximum amount.',
      'line_items',
    );
  }
  return { currency, amount };
}

/** Applies the given fields over the defaults. */
function withGiven<Config extends object>(
  usual: Config,
  given: { readonly [Name in keyof Config]?: Config[Name] | undefined },
): Config {
  return {
    ...usual,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}

function toLineItem(state: State, line: LineItems[number]): CheckoutLineItem {
  const currency = line.currency.toUpperCase();
  return { id: state.ids.next('li'), ...line, currency, fulfillment_type: 'digital', tip_eligible: false };
}

function create(state: State, { body }: Call): CheckoutSession {
  const schema = state.settings.onlyShownFields ? shownParameters : createParameters;
  const given: CreateParameters = readParameters(schema, body);
  const { currency, amount } = sum(given.line_items);
  const customer = findCustomerId(state, given.customer);
  const session = defaults.checkout_session(state);
  return state.objects.checkout_session.add({
    ...session,
    amount_subtotal: amount,
    amount_total: amount,
    currency,
    mode: given.mode,
    success_url: given.success_url ?? null,
    cancel_url: given.cancel_url ?? null,
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
  const given = readParameters(refundParameters, call.body);
  requireTransition(session, 'checkout_session.refund');
  return refundCharge(state, chargeOf(state, intentOf(state, session)), given);
}

/** The write methods of `/v1/checkout/sessions`. */
export function checkoutSessionHandlers(state: State): Omit<Methods<'checkoutSessions'>, keyof Reading> {
  return {
    create: (call) => create(state, call),
    expire: (call) => expireNow(state, call),
    expand: (call) => expand(state, call),
    refund: (call) => refund(state, call),
  };
}
