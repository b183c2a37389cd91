/** Reaches inside: the state of a sandbox is not public, and some of its promises show only there. */

import type { State } from '../../src/sandbox/domain/state.ts';
import { readOptions } from '../../src/sandbox/options.ts';
import { createState } from '../../src/sandbox/rules.ts';
import { VirtualClock } from '../../src/sandbox/store/clock.ts';
import { DeliverySender } from '../../src/sandbox/webhooks/delivery-sender.ts';

/** Makes the state of a sandbox, for tests that reach inside one. Its clock stands at 1970. */
export function sandboxState(): State {
  const clock = new VirtualClock(0);
  const sender = new DeliverySender({ timeout: 10_000, signedAt: 'clock', clock });
  return createState(clock, readOptions({}), sender);
}
