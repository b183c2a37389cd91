import * as z from 'zod/mini';
import type { CheckoutLineItem, CheckoutSession, CollectConfig } from '../../resources/checkout-sessions.ts';
import { currency, integerFrom, metadata, optional, readParameters, text } from '../parameters.ts';
import { invalidParameter, Problem } from '../problem.ts';
import type { State } from '../state.ts';
import { type Call, type Handlers, named } from './handler.ts';
import { knownCustomer } from './known-customer.ts';
import { list } from './list.ts';

const createParameters = z.object(
  {
    mode: z.enum(['payment', 'subscription'], "expected 'payment' or 'subscription'"),
    line_items: z
      .array(
        z.object(
          { name: text(), amount: integerFrom(0), currency: currency(), quantity: integerFrom(1) },
          'expected an object',
        ),
        'expected an array',
      )
      .check(z.minLength(1, 'expected at least one line')),
    success_url: optional(text()),
    cancel_url: optional(text()),
    client_reference_id: optional(text()),
    customer: optional(text()),
    customer_email: optional(text()),
    locale: optional(text()),
    metadata: metadata(),
  },
  'expected a JSON object',
);

type LineItems = z.infer<typeof createParameters>['line_items'];

const secondsOpen = 24 * 60 * 60;

const collectConfig: CollectConfig = {
  address: 'hidden',
  email: 'required',
  name: 'required',
  phone: 'hidden',
  require_full_billing_address: false,
  require_phone: false,
  require_shipping_address: false,
  wallet_billing_mode: 'min',
};

/** The currency of all lines, and what they come to. */
function sum(lines: LineItems): { currency: string; amount: number } {
  const [currency = '', ...others] = new Set(lines.map((line) => line.currency));
  if (others.length > 0)
    throw invalidParameter('line_items', 'line_items: expected one currency for all lines.');
  const amount = lines.reduce((total, line) => total + line.amount * line.quantity, 0);
  if (!Number.isSafeInteger(amount)) {
    throw new Problem(422, 'AMOUNT_TOO_LARGE', 'The lines come to more than can be paid.', 'line_items');
  }
  return { currency, amount };
}

function toLineItem(state: State, line: LineItems[number]): CheckoutLineItem {
  return { id: state.ids.next('li'), ...line, fulfillment_type: 'digital', tip_eligible: false };
}

function expire(state: State, id: string): void {
  const session = state.checkoutSessions.get(id);
  if (session?.status !== 'open') return;
  state.checkoutSessions.replace({ ...session, status: 'expired', updated_at: state.clock.seconds() });
}

function create(state: State, { body }: Call): CheckoutSession {
  const given = readParameters(createParameters, body);
  const { currency, amount } = sum(given.line_items);
  const customer = knownCustomer(state, given.customer);
  const stamp = state.stamp('checkout_session', 'cs');
  const expires_at = stamp.created_at + secondsOpen;
  state.clock.schedule(expires_at, () => expire(state, stamp.id));
  return state.checkoutSessions.add({
    ...stamp,
    amount_subtotal: amount,
    amount_total: amount,
    currency,
    mode: given.mode,
    status: 'open',
    payment_status: 'unpaid',
    ui_mode: 'hosted',
    submit_type: 'auto',
    success_url: given.success_url ?? null,
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    customer,
    customer_email: given.customer_email ?? null,
    locale: given.locale ?? null,
    payment_intent_id: null,
    merchant_id: state.merchantId,
    metadata: given.metadata ?? {},
    expires_at,
    collect_config: collectConfig,
    line_items: given.line_items.map((line) => toLineItem(state, line)),
  });
}

/** What `/v1/checkout/sessions` does. */
export function checkoutSessionHandlers(state: State, itemsField: string): Handlers<'checkoutSessions'> {
  return {
    'checkoutSessions.create': (call) => create(state, call),
    'checkoutSessions.retrieve': (call) => named(state.checkoutSessions, call),
    'checkoutSessions.list': list(state.checkoutSessions, itemsField),
  };
}
