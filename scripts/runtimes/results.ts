/** The results: the rows of test/frameworks/results.json. Only a run writes them. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Table, tableNames, tables } from './matrix.ts';
import type { Platform, Transport } from './platform.ts';
import type { Project } from './project.ts';

export const resultsPath = resolve(import.meta.dirname, '../../test/frameworks/results.json');

/** A successful case. */
export interface Result {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly transport: Transport;
}

export type Results = Readonly<Record<Table, readonly Result[]>>;

/** Returns the rows of the last runs. */
export function readResults(): Results {
  return JSON.parse(readFileSync(resultsPath, 'utf8'));
}

export function namesOf(platforms: readonly Platform[], project: Project): readonly string[] {
  return platforms.flatMap((platform) => platform.cases(project).map(({ name }) => name));
}

/** Returns the rows after a run, in the order of the matrix. A failed or removed case has no row. */
export function mergeResults(
  ran: readonly Result[],
  platforms: readonly Platform[],
  project: Project,
): Results {
  const inRun = namesOf(platforms, project);
  const before = readResults();
  const rowsOf = (table: Table) => {
    const rows = [...before[table].filter(({ name }) => !inRun.includes(name)), ...ran];
    return namesOf(tables[table], project).flatMap((name) => rows.filter((row) => row.name === name));
  };
  return {
    runtimes: rowsOf('runtimes'),
    frameworks: rowsOf('frameworks'),
    bundlers: rowsOf('bundlers'),
  };
}

/** The claims of a row, without the version: a newer version may be published any day. */
const claimOf = ({ files, transport }: Result) => `${files.join(' and ')}, calls over ${transport}`;

/** Compares the row of the table with a case that just ran. Returns the difference; `undefined` if the row is correct. */
export function findWrongRow(ran: Result, results: Results): string | undefined {
  const row = tableNames.flatMap((table) => results[table]).find(({ name }) => name === ran.name);
  const advice = 'Run it again with --write.';
  if (row === undefined) return `results.json has no row for it. ${advice}`;
  if (claimOf(row) === claimOf(ran)) return undefined;
  return `results.json says ${claimOf(row)}; this run showed ${claimOf(ran)}. ${advice}`;
}
