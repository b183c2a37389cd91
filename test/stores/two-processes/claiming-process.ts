/** Reaches inside: the store alone loads faster than the package. Claims keys, and sends those that it gets to its parent. */

import { sqliteStore } from '../../../src/stores/sqlite/sqlite-store.node.ts';

const [path = '', ...keys] = process.argv.slice(2);
const store = sqliteStore(path, { busyTimeout: 10_000 });
const claimed: string[] = [];
for (const key of keys) {
  if ((await store.claim(key, 3_600_000)).status === 'claimed') claimed.push(key);
}
store.close();
process.send?.(claimed);
