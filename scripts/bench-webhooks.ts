/**
 * Verifies events beside stripe-node and `standardwebhooks`. Prints one table and ends with an error where a peer is clearly
 * ahead.
 *
 *     npm run bench:webhooks
 */

import { runRaces } from '../test/bench/webhook-races.ts';

const races = await runRaces();

console.table(
  races.map(({ peer, event, bytes, ours, theirs, ratio }) => ({
    against: `${event}, ${bytes} bytes: ${peer}`,
    ours: Math.round(ours),
    theirs: Math.round(theirs),
    'times as fast': ratio.toFixed(2),
  })),
);
/** A busy machine moves a ratio by some hundredths; a tenth is a regression. */
const clearlyBehind = 0.9;
const behind = races.filter(({ ratio }) => ratio < clearlyBehind);
if (behind.length > 0) {
  console.error(`A peer is ahead: ${behind.map(({ peer, event }) => `${peer} (${event})`).join('; ')}`);
  process.exitCode = 1;
}
