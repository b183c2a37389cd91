import { isIntegerFrom } from '../../../base/integer.ts';
import type { Id } from '../../../resources/ids.ts';
import type { Invoice, InvoiceLine } from '../../../resources/invoices.ts';
import type { Subscription, SubscriptionItem } from '../../../resources/subscriptions.ts';
import { defaults } from '../object-defaults.ts';
import { Problem } from '../problem.ts';
import type { State } from '../state.ts';

/** The default price: the interface does not show the fields of prices. */
const usual = { unit_amount: 1200, currency: 'USD' };

function toLine(state: State, { price, quantity }: SubscriptionItem): InvoiceLine {
  const found = state.objects.price.get(price);
  const amount = found?.['unit_amount'];
  const code = found?.['currency'];
  const name = found?.['name'];
  const unit_amount = isIntegerFrom(amount, 0) ? amount : usual.unit_amount;
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
 * @throws Problem when its prices have several currencies.
 */
export function linesOf(state: State, { items }: Subscription): { lines: InvoiceLine[]; currency: string } {
  const lines = items.map((item) => toLine(state, item));
  const [currency = usual.currency, ...others] = new Set(lines.map((line) => line.currency));
  if (others.length === 0) return { lines, currency };
  const message = 'The prices of a subscription are in one currency; these are in several.';
  throw new Problem(422, 'CURRENCY_MISMATCH', message, 'items');
}

/** Returns the payment method of a subscription: the last one, else the customer's default in `payment_settings`. */
function methodFor({ objects }: State, { id, customer }: Subscription): Id<'payment_method'> | undefined {
  const last = objects.mandate.get(id)?.payment_method;
  if (last !== undefined) return last;
  const usualMethod = objects.customer.get(customer)?.payment_settings['default_payment_method'];
  return typeof usualMethod === 'string' && isPaymentMethodId(usualMethod) ? usualMethod : undefined;
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
