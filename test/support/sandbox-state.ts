/** Reaches inside: the state of a sandbox is not public, and some of its promises are visible only there. */

import type { Sandbox } from 'payments-client/sandbox';
import { createState } from '../../src/sandbox/commit.ts';
import type { State } from '../../src/sandbox/domain/state.ts';
import { readOptions } from '../../src/sandbox/options.ts';
import { VirtualClock } from '../../src/sandbox/store/clock.ts';
import { fromSnapshot } from '../../src/sandbox/store/contents.ts';
import { DeliverySender } from '../../src/sandbox/webhooks/delivery-sender.ts';

/** Creates the state of a sandbox, for tests of its internals. Its clock is fixed at 1970. */
export function sandboxState(): State {
  const clock = new VirtualClock(0);
  const sender = new DeliverySender({ timeout: 10_000, signedAt: 'clock', clock });
  return createState(clock, readOptions({}), sender);
}

/** Returns a copy of a running sandbox's state. */
export function stateOf(sandbox: Sandbox): State {
  const state = sandboxState();
  state.load(fromSnapshot(sandbox.snapshot()));
  return state;
}
