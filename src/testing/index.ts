/** For tests of an integration: a client with a sandbox, resources, events and matchers. */

export { createTestClient, type TestClient, type TestClientOptions } from './client.ts';
export { type Delivery, type DeliveryOptions, make, makeDelivery, makeEvent } from './make.ts';
export { type ErrorsByName, makeError } from './make-error.ts';
export { type MatcherResult, matchers, type PaymentsMatchers } from './matchers.ts';
