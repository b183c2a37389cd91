/** For tests of an integration: a client with a sandbox, resources, events, errors and matchers. */

export { createTestClient, type TestClient } from './client.ts';
export { make, makeEvent } from './make.ts';
export { makeError } from './make-error.ts';
export { matchers, type PaymentsMatchers } from './matchers.ts';
