/** For tests of an integration: a client with a sandbox, resources, events, matchers, and the replay of a recorded story. */

export type { ReplayEntry } from '../sandbox/stories/replay-entry.ts';
export { createTestClient, type TestClient } from './client.ts';
export type { ReplayStep } from './made-requests.ts';
export { make, makeEvent } from './make.ts';
export { makeError } from './make-error.ts';
export { matchers, type PaymentsMatchers } from './matchers.ts';
export { replay } from './replay.ts';
