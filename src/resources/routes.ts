import type { HttpMethod, Route } from '../http/request/route.ts';

function route(source: Route['source'], movesMoney: boolean) {
  return (method: HttpMethod, path: `/${string}`): Route => ({ method, path, movesMoney, source });
}

/** A route that the service's interface shows. */
const shown = /* @__PURE__ */ route('shown', false);
/** One that moves money, so that it needs an idempotency key. */
const shownMoney = /* @__PURE__ */ route('shown', true);
/** A route that follows the pattern which the shown ones set. */
const inferred = /* @__PURE__ */ route('inferred', false);
/** One that moves money, or may. */
const inferredMoney = /* @__PURE__ */ route('inferred', true);

/**
 * How each method reaches the service: the one place where paths are written. A user corrects an inferred one with
 * the `routes` option.
 */
export const routes = /* @__PURE__ */ (() =>
  ({
    'checkoutSessions.create': shownMoney('POST', '/v1/checkout/sessions'),
    'checkoutSessions.retrieve': inferred('GET', '/v1/checkout/sessions/{id}'),
    'checkoutSessions.list': inferred('GET', '/v1/checkout/sessions'),
    'checkoutSessions.expire': inferred('POST', '/v1/checkout/sessions/{id}/expire'),
    'checkoutSessions.expand': inferred('GET', '/v1/checkout/sessions/{id}/expand'),
    'checkoutSessions.refund': inferredMoney('POST', '/v1/checkout/sessions/{id}/refund'),

    'paymentIntents.create': shownMoney('POST', '/v1/payment_intents'),
    'paymentIntents.retrieve': inferred('GET', '/v1/payment_intents/{id}'),
    'paymentIntents.list': inferred('GET', '/v1/payment_intents'),
    'paymentIntents.confirm': inferredMoney('POST', '/v1/payment_intents/{id}/confirm'),
    'paymentIntents.capture': inferredMoney('POST', '/v1/payment_intents/{id}/capture'),
    'paymentIntents.cancel': inferred('POST', '/v1/payment_intents/{id}/cancel'),
    'paymentIntents.retryWithNewPaymentMethod': inferredMoney(
      'POST',
      '/v1/payment_intents/{id}/retry_with_new_payment_method',
    ),
    'paymentIntents.refund': inferredMoney('POST', '/v1/payment_intents/{id}/refund'),

    'charges.retrieve': inferred('GET', '/v1/charges/{id}'),
    'charges.list': inferred('GET', '/v1/charges'),

    'refunds.create': shownMoney('POST', '/v1/refunds'),
    'refunds.retrieve': inferred('GET', '/v1/refunds/{id}'),
    'refunds.list': inferred('GET', '/v1/refunds'),
    'refunds.retry': inferredMoney('POST', '/v1/refunds/{id}/retry'),

    'customers.create': shown('POST', '/v1/customers'),
    'customers.retrieve': inferred('GET', '/v1/customers/{id}'),
    'customers.update': inferred('POST', '/v1/customers/{id}'),
    'customers.delete': shown('DELETE', '/v1/customers/{id}'),
    'customers.restore': shown('POST', '/v1/customers/{id}/restore'),
    'customers.list': inferred('GET', '/v1/customers'),

    'invoices.retrieve': inferred('GET', '/v1/invoices/{id}'),
    'invoices.list': inferred('GET', '/v1/invoices'),
    'invoices.updatePaymentMethod': inferredMoney('POST', '/v1/invoices/{id}/update_payment_method'),

    'subscriptions.create': inferredMoney('POST', '/v1/subscriptions'),
    'subscriptions.retrieve': inferred('GET', '/v1/subscriptions/{id}'),
    'subscriptions.update': inferredMoney('POST', '/v1/subscriptions/{id}'),
    'subscriptions.cancel': inferred('POST', '/v1/subscriptions/{id}/cancel'),
    'subscriptions.list': inferred('GET', '/v1/subscriptions'),

    'creditNotes.create': inferredMoney('POST', '/v1/credit_notes'),
    'creditNotes.retrieve': inferred('GET', '/v1/credit_notes/{id}'),
    'creditNotes.void': inferred('POST', '/v1/credit_notes/{id}/void'),
    'creditNotes.list': inferred('GET', '/v1/credit_notes'),

    'terminalBatches.retrieve': inferred('GET', '/v1/terminal_batches/{id}'),
    'terminalBatches.list': inferred('GET', '/v1/terminal_batches'),

    'products.create': inferred('POST', '/v1/products'),
    'products.retrieve': inferred('GET', '/v1/products/{id}'),
    'products.update': inferred('POST', '/v1/products/{id}'),
    'products.delete': inferred('DELETE', '/v1/products/{id}'),
    'products.list': shown('GET', '/v1/products'),

    'prices.create': inferred('POST', '/v1/prices'),
    'prices.retrieve': inferred('GET', '/v1/prices/{id}'),
    'prices.update': inferred('POST', '/v1/prices/{id}'),
    'prices.delete': inferred('DELETE', '/v1/prices/{id}'),
    'prices.list': inferred('GET', '/v1/prices'),

    'paymentMethods.create': inferred('POST', '/v1/payment_methods'),
    'paymentMethods.retrieve': inferred('GET', '/v1/payment_methods/{id}'),
    'paymentMethods.update': inferred('POST', '/v1/payment_methods/{id}'),
    'paymentMethods.delete': inferred('DELETE', '/v1/payment_methods/{id}'),
    'paymentMethods.list': inferred('GET', '/v1/payment_methods'),

    'terminals.create': inferred('POST', '/v1/terminals'),
    'terminals.retrieve': inferred('GET', '/v1/terminals/{id}'),
    'terminals.update': inferred('POST', '/v1/terminals/{id}'),
    'terminals.delete': inferred('DELETE', '/v1/terminals/{id}'),
    'terminals.list': inferred('GET', '/v1/terminals'),

    'settlementProfiles.retrieve': inferred('GET', '/v1/settlement_profiles/{id}'),
    'settlementProfiles.list': inferred('GET', '/v1/settlement_profiles'),

    'apiKeys.create': inferred('POST', '/v1/api_keys'),
    'apiKeys.retrieve': inferred('GET', '/v1/api_keys/{id}'),
    'apiKeys.delete': inferred('DELETE', '/v1/api_keys/{id}'),
    'apiKeys.list': inferred('GET', '/v1/api_keys'),

    'webhookEndpoints.create': inferred('POST', '/v1/webhook_endpoints'),
    'webhookEndpoints.retrieve': inferred('GET', '/v1/webhook_endpoints/{id}'),
    'webhookEndpoints.update': inferred('POST', '/v1/webhook_endpoints/{id}'),
    'webhookEndpoints.delete': inferred('DELETE', '/v1/webhook_endpoints/{id}'),
    'webhookEndpoints.list': inferred('GET', '/v1/webhook_endpoints'),

    'accounts.retrieve': inferred('GET', '/v1/accounts/{id}'),
    'accounts.list': inferred('GET', '/v1/accounts'),

    'connections.retrieve': inferred('GET', '/v1/connections/{id}'),
    'connections.list': inferred('GET', '/v1/connections'),

    'accountLinks.create': inferred('POST', '/v1/account_links'),
    'accountLinks.retrieve': inferred('GET', '/v1/account_links/{id}'),
    'accountLinks.list': inferred('GET', '/v1/account_links'),
  }) satisfies Record<string, Route>)();

/** The name of a method that sends a request, for example `refunds.create`. */
export type RouteName = keyof typeof routes;

/** Whether a text is the name of such a method. */
export function isRouteName(name: string): name is RouteName {
  return Object.hasOwn(routes, name);
}
