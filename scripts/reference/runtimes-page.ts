/** Writes the tables of `docs/runtimes.md` from the last run; its prose does not change. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { tableNames } from '../runtimes/matrix.ts';
import { type Result, readResults } from '../runtimes/results.ts';

export const runtimesPagePath = resolve(import.meta.dirname, '../../docs/runtimes.md');

const head = ['| what ran | version | loads | calls go over |', '| --- | --- | --- | --- |'];

function rowOf({ name, version, files, transport }: Result): string {
  const loads = files.map((file) => `\`${file}\``).join(' and ');
  return `| ${name} | ${version} | ${loads} | ${transport === 'none' ? '–' : `\`${transport}\``} |`;
}

/** Returns the page with the tables of the last run. */
export function writeRuntimesPage(): string {
  const results = readResults();
  let page = readFileSync(runtimesPagePath, 'utf8');
  for (const table of tableNames) {
    const [start, end] = [`<!-- what ran: ${table} -->\n`, '\n<!-- end of what ran -->'];
    const [before, after] = page.split(start);
    if (before === undefined || after === undefined)
      throw new Error(`Expected ${start.trim()} in docs/runtimes.md, got none.`);
    const rows = [...head, ...results[table].map(rowOf)].join('\n');
    page = `${before}${start}\n${rows}\n${after.slice(after.indexOf(end))}`;
  }
  return page;
}
