/**
 * Takes out of the built declarations what says nothing: blanks, which were an eightieth of the package, and imports of no name.
 * Those for msw are written for ES modules too: msw is an ES module alone, which no declaration of CommonJS may import.
 */

import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const dist = resolve(import.meta.dirname, '../dist');

for (const file of globSync('**/*.d.cts', { cwd: dist })) {
  const path = resolve(dist, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(/^(?: {4})+/gm, (blanks) => '\t'.repeat(blanks.length / 4)).replace(/^import '.*';\n/gm, ''),
  );
}

copyFileSync(resolve(dist, 'sandbox/msw.d.cts'), resolve(dist, 'sandbox/msw.d.ts'));
