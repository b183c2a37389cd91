import type { RouteName } from '../../../resources/routes.ts';
import type { State } from '../../domain/state.ts';
import { checkoutSessionHandlers } from './checkout-sessions.ts';
import { creditNoteHandlers } from './credit-notes.ts';
import { customerHandlers } from './customers.ts';
import type { Handler, Handlers } from './handler.ts';
import { invoiceHandlers } from './invoices.ts';
import { readingHandlers } from './list-and-retrieve.ts';
import { type OpenKind, openWriting } from './open-collections.ts';
import { paymentIntentHandlers } from './payment-intents.ts';
import { refundHandlers } from './refunds.ts';
import { subscriptionHandlers } from './subscriptions.ts';
import { webhookEndpointWriting } from './webhook-endpoints.ts';

/** A page size without a limit. */
const whole = Number.POSITIVE_INFINITY;

/** Creates a handler for every route. A missing handler does not compile. */
function createHandlers(state: State): Handlers {
  const { objects, settings } = state;
  const reading = readingHandlers(settings.forms);
  const open = (kind: OpenKind, size?: number) => ({
    ...reading(objects[kind], size),
    ...openWriting(state, kind),
  });
  return {
    checkoutSessions: { ...reading(objects.checkout_session), ...checkoutSessionHandlers(state) },
    paymentIntents: { ...reading(objects.payment_intent), ...paymentIntentHandlers(state) },
    charges: reading(objects.charge),
    refunds: { ...reading(objects.refund), ...refundHandlers(state) },
    customers: { ...reading(objects.customer), ...customerHandlers(state) },
    invoices: { ...reading(objects.invoice), ...invoiceHandlers(state) },
    subscriptions: { ...reading(objects.subscription), ...subscriptionHandlers(state) },
    creditNotes: { ...reading(objects.credit_note), ...creditNoteHandlers(state) },
    terminalBatches: reading(objects.terminal_batch),
    products: open('product'),
    prices: open('price'),
    paymentMethods: open('payment_method'),
    terminals: open('terminal'),
    settlementProfiles: reading(objects.settlement_profile),
    // Without a `limit`, the interface returns these two lists whole.
    apiKeys: open('api_key', whole),
    webhookEndpoints: {
      ...reading(objects.webhook_endpoint, whole),
      ...webhookEndpointWriting(state, openWriting(state, 'webhook_endpoint')),
    },
    accounts: reading(objects.account),
    connections: reading(objects.connection),
    accountLinks: open('account_link'),
  };
}

/** Returns a function that finds the handler of a route. */
export function handlerFinder(state: State): (name: RouteName) => Handler {
  const handlers = new Map<string, Handler>();
  for (const [collection, methods] of Object.entries(createHandlers(state))) {
    for (const [method, handler] of Object.entries<Handler>(methods)) {
      handlers.set(`${collection}.${method}`, handler);
    }
  }
  return (name) => {
    const handler = handlers.get(name);
    if (handler === undefined) throw new Error(`There is no handler for ${name}.`);
    return handler;
  };
}
