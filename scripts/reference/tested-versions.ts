/** Writes into `docs/deploying.md` what `npm run check:runtimes` runs. */

import { cases } from '../runtimes/cases.ts';
import { tableOf, withParts } from './page-parts.ts';

const tables = ['runtimes', 'frameworks', 'bundlers'] as const;

/** Returns the page with the runtimes, frameworks and bundlers of the cases, with their major versions. */
export function writeDeployingPage(): string {
  const rows = tables.map((table) => {
    const names = cases.filter((one) => one.table === table).map(({ name }) => name.replace(/,.*/, ''));
    return [table, [...new Set(names)].join(', ')];
  });
  return withParts('docs/deploying.md', { tested: tableOf(['', 'tested versions'], rows) });
}
