import type { State } from '../state.ts';
import { checkoutSessionHandlers } from './checkout-sessions.ts';
import { customerHandlers } from './customers.ts';
import type { Handlers } from './handler.ts';
import { paymentIntentHandlers } from './payment-intents.ts';
import { productHandlers } from './products.ts';
import { refundHandlers } from './refunds.ts';

/** A handler for every route. A route without one does not compile. */
export function createHandlers(state: State, itemsField: string): Handlers {
  return {
    ...checkoutSessionHandlers(state, itemsField),
    ...paymentIntentHandlers(state, itemsField),
    ...refundHandlers(state, itemsField),
    ...customerHandlers(state, itemsField),
    ...productHandlers(state, itemsField),
  };
}
