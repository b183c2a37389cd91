import type { CheckoutSession } from '../../../resources/checkout-sessions.ts';
import type { Customer } from '../../../resources/customers.ts';
import type { Id } from '../../../resources/ids.ts';
import type { PaymentIntent } from '../../../resources/payment-intents.ts';
import type { SubscriptionItem } from '../../../resources/subscriptions.ts';
import { defaults } from '../object-defaults.ts';
import type { State } from '../state.ts';
import { asPaid } from './collect-invoice.ts';
import { addInvoice } from './subscription-invoice.ts';
import { updateSubscriptionStatus } from './subscription-status.ts';

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
