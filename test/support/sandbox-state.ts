/** Reaches inside: the state of a sandbox is not public, and some of its promises are visible only there. */

import type { Sandbox } from 'payments-client-sandbox';
import { createState } from '../../sandbox/src/commit.ts';
import type { State } from '../../sandbox/src/domain/state.ts';
import { readOptions } from '../../sandbox/src/options.ts';
import { VirtualClock } from '../../sandbox/src/store/clock.ts';
import { fromSnapshot } from '../../sandbox/src/store/contents.ts';
import { DeliverySender } from '../../sandbox/src/webhooks/delivery-sender.ts';

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
