/** Writes the tested versions into `docs/deploying.md`, from the last run of `npm run check:runtimes`. */

import { tableNames } from '../runtimes/matrix.ts';
import { type Result, readResults } from '../runtimes/results.ts';
import { tableOf, withParts } from './page-parts.ts';

export const deployingPagePath = 'docs/deploying.md';

/** The name of a case without its variant and major version: `Next.js 16, middleware` is Next.js. */
const productOf = ({ name }: Result) => name.replace(/( \d+)?(,.*)?$/, '');

/** Returns each product of a table with its versions. */
function versionsOf(results: readonly Result[]): string {
  const products = new Set(results.map(productOf));
  const lines = Array.from(products, (product) => {
    const versions = results.filter((row) => productOf(row) === product).map(({ version }) => version);
    return `${product} ${[...new Set(versions)].join(', ')}`;
  });
  return lines.join('; ');
}

/** Returns the page with the versions of the last run. */
export function writeDeployingPage(): string {
  const results = readResults();
  const rows = tableNames.map((table) => [table, versionsOf(results[table])]);
  return withParts(deployingPagePath, { tested: tableOf(['', 'tested versions'], rows) });
}
