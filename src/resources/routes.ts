import type { Route } from '../core/route.ts';

/**
 * How each method reaches the service: the one place where paths are written. `shown` routes stand in the service's
 * interface; `inferred` ones follow the pattern that the shown ones set, and a user corrects them with the
 * `routes` option.
 */
export const routes = {
  'checkoutSessions.create': {
    method: 'POST',
    path: '/v1/checkout/sessions',
    movesMoney: true,
    source: 'shown',
  },
  'checkoutSessions.retrieve': {
    method: 'GET',
    path: '/v1/checkout/sessions/{id}',
    movesMoney: false,
    source: 'inferred',
  },
  'checkoutSessions.list': {
    method: 'GET',
    path: '/v1/checkout/sessions',
    movesMoney: false,
    source: 'inferred',
  },
  'paymentIntents.create': { method: 'POST', path: '/v1/payment_intents', movesMoney: true, source: 'shown' },
  'paymentIntents.retrieve': {
    method: 'GET',
    path: '/v1/payment_intents/{id}',
    movesMoney: false,
    source: 'inferred',
  },
  'paymentIntents.list': {
    method: 'GET',
    path: '/v1/payment_intents',
    movesMoney: false,
    source: 'inferred',
  },
  'refunds.create': { method: 'POST', path: '/v1/refunds', movesMoney: true, source: 'shown' },
  'refunds.retrieve': { method: 'GET', path: '/v1/refunds/{id}', movesMoney: false, source: 'inferred' },
  'refunds.list': { method: 'GET', path: '/v1/refunds', movesMoney: false, source: 'inferred' },
  'customers.create': { method: 'POST', path: '/v1/customers', movesMoney: false, source: 'shown' },
  'customers.retrieve': { method: 'GET', path: '/v1/customers/{id}', movesMoney: false, source: 'inferred' },
  'customers.delete': { method: 'DELETE', path: '/v1/customers/{id}', movesMoney: false, source: 'shown' },
  'customers.restore': {
    method: 'POST',
    path: '/v1/customers/{id}/restore',
    movesMoney: false,
    source: 'shown',
  },
  'customers.list': { method: 'GET', path: '/v1/customers', movesMoney: false, source: 'inferred' },
  'products.retrieve': { method: 'GET', path: '/v1/products/{id}', movesMoney: false, source: 'inferred' },
  'products.list': { method: 'GET', path: '/v1/products', movesMoney: false, source: 'shown' },
} as const satisfies Record<string, Route>;

/** The name of a method that sends a request, for example `refunds.create`. */
export type RouteName = keyof typeof routes;
