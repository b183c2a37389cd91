import type { CheckoutSession } from '../resources/checkout-sessions.ts';
import type { Customer } from '../resources/customers.ts';
import type { PaymentIntent } from '../resources/payment-intents.ts';
import type { Product } from '../resources/products.ts';
import type { Refund } from '../resources/refunds.ts';
import type { Charge } from './charge.ts';
import type { VirtualClock } from './clock.ts';
import { Collection } from './collection.ts';
import type { Transaction } from './form/transaction.ts';
import { IdSequence } from './ids.ts';

/** Everything that the sandbox remembers of the merchant's business. */
export class State {
  /** The time. */
  readonly clock: VirtualClock;
  /** Where identifiers come from. */
  readonly ids = new IdSequence();
  /** The one merchant of the sandbox. */
  readonly merchantId = this.ids.next('mer');
  /** Hosted checkouts. */
  readonly checkoutSessions = new Collection<CheckoutSession>('checkout session');
  /** Payments, paid or not. */
  readonly paymentIntents = new Collection<PaymentIntent>('payment intent');
  /** Money taken. */
  readonly charges = new Collection<Charge>('charge');
  /** Money given back. */
  readonly refunds = new Collection<Refund>('refund');
  /** Those who pay, deleted ones included. */
  readonly customers = new Collection<Customer>('customer');
  /** What is sold. */
  readonly products = new Collection<Product>('product');
  /** Transactions of the form endpoint. */
  readonly transactions = new Collection<Transaction>('transaction');

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  /** The fields that every new object has. */
  stamp<Name extends string>(object: Name, prefix: string) {
    const now = this.clock.seconds();
    return { id: this.ids.next(prefix), object, livemode: false, created_at: now, updated_at: now };
  }
}
