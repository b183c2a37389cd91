/**
 * Writes the tables of the service's interface into `test/interface/tables/`:
 * `node scripts/interface/extract.ts <the interface as Markdown> && npx biome check --write .`.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readTables } from './tables.ts';

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('Expected the path of the interface, got none.');

const folder = resolve(import.meta.dirname, '../../test/interface/tables');
for (const [name, table] of Object.entries(readTables(readFileSync(path, 'utf8')))) {
  writeFileSync(resolve(folder, `${name}.json`), `${JSON.stringify(table, null, 2)}\n`);
}
