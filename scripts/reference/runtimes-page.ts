/** Writes the tables of `docs/runtimes.md` from the last run; its prose does not change. */

import { tableNames } from '../runtimes/matrix.ts';
import { type Result, readResults } from '../runtimes/results.ts';
import { tableOf, withParts } from './page-parts.ts';

export const runtimesPagePath = 'docs/runtimes.md';

const head = ['what ran', 'version', 'loads', 'calls go over'];

function rowOf({ name, version, files, transport }: Result): readonly string[] {
  const loads = files.map((file) => `\`${file}\``).join(' and ');
  return [name, version, loads, transport === 'none' ? '–' : `\`${transport}\``];
}

/** Returns the page with the tables of the last run. */
export function writeRuntimesPage(): string {
  const results = readResults();
  const tables = tableNames.map((name) => [name, tableOf(head, results[name].map(rowOf))] as const);
  return withParts(runtimesPagePath, Object.fromEntries(tables));
}
