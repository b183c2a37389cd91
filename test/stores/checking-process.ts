/** A process that checks one card many times over a store file, and sends the number of allowed attempts to its parent. */

import { VelocityGuard, type VelocityRule } from 'payments-client/fraud';
import { sqliteStore } from 'payments-client/stores';

const { path, rules, tries }: { path: string; rules: readonly VelocityRule[]; tries: number } = JSON.parse(
  process.argv[2] ?? '',
);
const store = sqliteStore(path, { busyTimeout: 30_000 });
const guard = new VelocityGuard({ secret: 'the same in every process', rules, store });
let allowed = 0;
for (let index = 0; index < tries; index += 1) {
  const { decision } = await guard.check({ card: { token: 'stolen' }, ip: '192.0.2.7' });
  if (decision === 'allow') allowed += 1;
}
store.close();
process.send?.(allowed);
