/** A process that opens a store file when its parent says so, claims keys, checks a card, and sends what it got. */

import { once } from 'node:events';
import { VelocityGuard, type VelocityRule } from 'payments-client/fraud';
import { sqliteStore } from 'payments-client/stores';

interface Task {
  readonly path: string;
  readonly keys: readonly string[];
  readonly rules: readonly VelocityRule[];
  readonly tries: number;
}

const { path, keys, rules, tries }: Task = JSON.parse(process.argv[2] ?? '');
const started = once(process, 'message');
process.send?.('ready');
await started;
const store = sqliteStore(path, { busyTimeout: 30_000 });
const guard = new VelocityGuard({ secret: 'the same in every process', rules, store });
const claimed: string[] = [];
for (const key of keys) {
  if ((await store.claim(key, 3_600_000)).status === 'claimed') claimed.push(key);
}
let allowed = 0;
for (let index = 0; index < tries; index += 1) {
  const { decision } = await guard.check({ card: { token: 'stolen' }, ip: '192.0.2.7' });
  if (decision === 'allow') allowed += 1;
}
store.close();
process.send?.({ claimed, allowed }, () => process.disconnect());
