/** Writes the indentation of the built declarations with tabs. Blanks were an eightieth of the package. */

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const dist = resolve(import.meta.dirname, '../dist');

for (const file of globSync('**/*.d.cts', { cwd: dist })) {
  const path = resolve(dist, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(/^(?: {4})+/gm, (blanks) => '\t'.repeat(blanks.length / 4)),
  );
}
