/**
 * Measures the packed package beside its peers, and prints one table. Without names it measures everything, and writes
 * `docs/performance.md`; with names, only those rows.
 *
 *     npm run bench
 *     npm run bench -- create list
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, pack } from '../../scripts/tarball.ts';
import { tableOf, writeReport } from './report.ts';
import type { Row, RowGroup } from './row.ts';

const folder = import.meta.dirname;

/** Installs what merchants would install of ours, beside the peers. */
async function prepare(): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'payments-client-bench-'));
  await install(folder, '--no-save', pack(temporary).path);
  rmSync(temporary, { recursive: true });
}

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  return `${name} ${version}`;
}

await prepare();

// Only now there is something that they can import.
const groups: readonly RowGroup[] = [
  ...Object.values(await import('./rows/requests.ts')),
  (await import('./rows/journal.ts')).journal,
  (await import('./rows/velocity.ts')).velocity,
  ...Object.values(await import('./rows/lists.ts')),
  (await import('./rows/parsing.ts')).parsing,
  (await import('./rows/webhooks.ts')).webhooks,
  (await import('./rows/receiver.ts')).receiver,
  (await import('./rows/loading.ts')).loading,
  (await import('./rows/loading.ts')).edge,
  (await import('./rows/types.ts')).types,
  (await import('./rows/package.ts')).size,
];

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
if (names.length === 0) {
  writeReport(rows, ['stripe', 'openai', 'square', 'standardwebhooks', 'undici'].map(versionOf).join(', '));
}
