/** A process that waits for a moment, opens a store file and claims keys in it. It sends the granted keys to its parent. */

import { sqliteStore } from 'payments-client/stores';

const { path, keys, at }: { path: string; keys: readonly string[]; at: number } = JSON.parse(
  process.argv[2] ?? '',
);
while (Date.now() < at);
const store = sqliteStore(path, { busyTimeout: 30_000 });
const claimed: string[] = [];
for (const key of keys) {
  if ((await store.claim(key, 3_600_000)).status === 'claimed') claimed.push(key);
}
store.close();
process.send?.(claimed);
