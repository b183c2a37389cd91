/** What tests of an integration need: a client with a sandbox behind it, resources and events to work on, and matchers. */

export { createTestClient, type TestClient, type TestClientOptions } from './client.ts';
export { type Delivery, type DeliveryOptions, make, makeDelivery, makeEvent } from './make.ts';
export { type MatcherResult, matchers, type PaymentsMatchers } from './matchers.ts';
