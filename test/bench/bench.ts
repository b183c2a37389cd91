/**
 * Measures the build beside stripe-node, and prints one table. Without names it measures everything, and writes
 * `docs/performance.md`; with names, only those rows.
 *
 *     npm run bench
 *     npm run bench -- create list
 */

import { linkBuild } from './build.ts';
import { tableOf, writeReport } from './report.ts';
import type { Row } from './row.ts';
import { calls } from './rows/calls.ts';
import { firstCall } from './rows/first-call.ts';
import { journal } from './rows/journal.ts';
import { loading } from './rows/loading.ts';
import { receiver } from './rows/receiver.ts';
import { space } from './rows/space.ts';
import { types } from './rows/types.ts';

linkBuild();
const groups = [...calls, firstCall, ...loading, types, ...space, journal, receiver];

const names = process.argv.slice(2);
const unknown = names.filter((name) => groups.every((group) => group.name !== name));
if (unknown.length > 0) {
  const known = groups.map(({ name }) => name).join(', ');
  throw new Error(`expected names of rows (${known}), got ${unknown.join(', ')}.`);
}

const rows: Row[] = [];
for (const { name, measure } of groups) {
  if (names.length > 0 && !names.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  rows.push(...(await measure()));
}
console.log(tableOf(rows));
if (names.length === 0) writeReport(rows);
