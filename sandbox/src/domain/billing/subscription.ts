import type {
  CheckoutSession,
  Customer,
  Id,
  Invoice,
  InvoiceLine,
  PaymentIntent,
  Subscription,
  SubscriptionItem,
} from 'payments-client';
import { isIntegerFrom } from '../../base/integer.ts';
import { defaults } from '../object-defaults.ts';
import { Problem } from '../problem.ts';
import type { State } from '../state.ts';
import { asPaid, updateSubscriptionStatus } from './invoice.ts';

/** The default price: the interface does not show the fields of prices. */
const usual = { unit_amount: 1200, currency: 'USD' };

/** @throws Problem when a price has an amount that cannot be billed. */
function toLine(state: State, { price, quantity }: SubscriptionItem, param?: string): InvoiceLine {
  const found = state.objects.price.get(price);
  const unit_amount = found?.['unit_amount'] ?? usual.unit_amount;
  const code = found?.['currency'];
  const name = found?.['name'];
  if (!isIntegerFrom(unit_amount, 0)) {
    const message = `The price '${price}' has no unit_amount that is an integer in minor units, such as 1250 for 12.50.`;
    throw new Problem(422, 'PRICE_INVALID', message, param);
  }
  return {
    id: state.ids.next('il'),
    description: typeof name === 'string' ? name : price,
    quantity,
    unit_amount,
    amount: unit_amount * quantity,
    currency: typeof code === 'string' ? code.toUpperCase() : usual.currency,
  };
}

/**
 * Returns the lines of a subscription's period.
 *
 * @param param The parameter of the request that has the prices, if one has.
 * @throws Problem when its prices have several currencies.
 */
export function linesOf(
  state: State,
  { items }: Subscription,
  param?: string,
): { lines: InvoiceLine[]; currency: string } {
  const lines = items.map((item) => toLine(state, item, param));
  const [currency = usual.currency, ...others] = new Set(lines.map((line) => line.currency));
  if (others.length === 0) return { lines, currency };
  const message = 'The prices of a subscription are in one currency; these are in several.';
  throw new Problem(422, 'CURRENCY_MISMATCH', message, param);
}

/** Returns the customer's default payment method. */
function defaultMethod(customer: Customer | undefined): Id<'payment_method'> | undefined {
  const method = customer?.payment_settings['default_payment_method'];
  return typeof method === 'string' && isPaymentMethodId(method) ? method : undefined;
}

/** Returns the payment method of a subscription: the last that paid, else the customer's default in `payment_settings`. */
function methodFor({ objects }: State, { id, customer }: Subscription): Id<'payment_method'> | undefined {
  return objects.mandate.get(id)?.payment_method ?? defaultMethod(objects.customer.get(customer));
}

/** A customer who chooses another default method pays with that one from the next invoice on. */
export function followDefaultMethod({ objects }: State, before: Customer, after: Customer): void {
  const chosen = defaultMethod(after);
  if (chosen === undefined || chosen === defaultMethod(before)) return;
  for (const { id, customer } of objects.subscription.all())
    if (customer === after.id) objects.mandate.remove(id);
}

/** Returns the subscriptions that bill this price and are not over. */
function billing({ objects }: State, price: string): readonly Subscription[] {
  return objects.subscription
    .all()
    .filter(({ status, items }) => !over.includes(status) && items.some((item) => item.price === price));
}

/** Whether a subscription that is not over bills this price. */
export function isBilled(state: State, price: string): boolean {
  return billing(state, price).length > 0;
}

/** @throws Problem when a subscription bills this price, and its next period could not be billed. */
export function requireBillable(state: State, price: string): void {
  for (const subscription of billing(state, price)) linesOf(state, subscription);
}

function isPaymentMethodId(id: string): id is Id<'payment_method'> {
  return id.startsWith('pm_');
}

/** Creates the invoice for a subscription's current period. */
export function addInvoice(state: State, subscription: Subscription, renewal: boolean): Invoice {
  const { lines, currency } = linesOf(state, subscription);
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  const method =
    subscription.collection_method === 'charge_automatically' ? methodFor(state, subscription) : undefined;
  const invoice = state.objects.invoice.add({
    ...defaults.invoice(state),
    status: 'open',
    collection_method: subscription.collection_method,
    customer: subscription.customer,
    currency,
    subtotal: total,
    total,
    amount_remaining: total,
    lines,
    ...(method !== undefined && { collection_payment_method_id: method }),
  });
  state.objects.subscription_invoice.add({ id: invoice.id, subscription: subscription.id, renewal });
  return invoice;
}

function toItem(state: State, line: CheckoutSession['line_items'][number]): SubscriptionItem {
  const { name, amount: unit_amount, currency, quantity } = line;
  const price = state.ids.next('price');
  state.objects.price.add({ ...defaults.price(state), id: price, name, unit_amount, currency });
  return { id: state.ids.next('si'), price, quantity, metadata: {} };
}

/** Creates a customer for a subscription session without one, since a subscription needs a customer. */
export function customerOf(
  state: State,
  { customer }: CheckoutSession,
  buyer: Partial<Customer>,
): Id<'customer'> {
  if (customer !== null) return customer;
  return state.objects.customer.add({ ...defaults.customer(state), ...buyer }).id;
}

/** Starts the subscription of a paid session. The payment has paid its first invoice. */
export function startSubscription(
  state: State,
  session: CheckoutSession,
  customer: Id<'customer'>,
  intent: PaymentIntent,
): void {
  const subscription = state.objects.subscription.add({
    ...defaults.subscription(state),
    collection_method: 'charge_automatically',
    customer,
    items: session.line_items.map((line) => toItem(state, line)),
    metadata: session.metadata,
  });
  const invoice = addInvoice(state, subscription, false);
  const paid = state.objects.invoice.replace(asPaid(state, invoice, intent));
  updateSubscriptionStatus(state, invoice, paid);
}

/** The state of a subscription after its scheduled end. The interface names none. */
const ended = 'ended';
const over: readonly string[] = ['canceled', ended];

/**
 * Returns when the period of a subscription ends, in milliseconds, if it renews or ends then. An unpaid one is not
 * renewed before it is paid.
 */
export function subscriptionDueAt(subscription: Subscription): number | undefined {
  const { status, cancel_at_period_end, current_period_end } = subscription;
  const ends = cancel_at_period_end && !over.includes(status);
  return ends || status === 'active' ? current_period_end * 1000 : undefined;
}

function end({ objects }: State, subscription: Subscription): void {
  const at = subscription.current_period_end;
  // Not `canceled`: by the interface a scheduled end never emits `subscription.canceled`.
  const end = { status: ended, canceled_at: at, ended_at: at, updated_at: at } as const;
  objects.subscription.replace({ ...subscription, ...end });
}

function renew(state: State, subscription: Subscription): void {
  const { current_period_start: start, current_period_end: end } = subscription;
  const next = state.objects.subscription.replace({
    ...subscription,
    current_period_start: end,
    // A period of zero length would be due again at once, forever.
    current_period_end: end + Math.max(60, end - start),
    updated_at: state.clock.seconds(),
  });
  try {
    addInvoice(state, next, true);
  } catch (error) {
    // Objects that were added by hand may name prices that cannot be billed. No caller hears of it: time goes on without the invoice.
    if (!(error instanceof Problem)) throw error;
  }
}

/** Renews a subscription at the end of its period, or ends it. */
export function renewSubscription(state: State, subscription: Subscription): void {
  if (subscription.cancel_at_period_end) end(state, subscription);
  else renew(state, subscription);
}
