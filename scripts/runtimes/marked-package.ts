/** The packed package with an extra line in each main entry, which reports on stderr that the entry was loaded. */

import { execFileSync } from 'node:child_process';
import { appendFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, pack } from '../tarball.ts';

const loaded = 'payments-client loaded ';

/** Packs the build with the marks, and returns the path of the tarball. */
export function packMarked(folder: string): string {
  execFileSync('tar', ['-xzf', pack(folder).path, '-C', folder]);
  const unpacked = join(folder, 'package');
  const entries = globSync('dist/{,browser/}index*.{js,cjs}', { cwd: unpacked });
  for (const entry of entries) {
    const name = entry.replace('dist/', '');
    appendFileSync(join(unpacked, entry), `\nconsole.error('${loaded}${name}');\n`);
  }
  const manifestPath = join(unpacked, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
  // Bundlers drop an entry that only re-exports, with its mark, unless it is declared to have side effects.
  manifest.sideEffects = entries.map((entry) => `./${entry}`);
  writeFileSync(manifestPath, JSON.stringify(manifest));
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--ignore-scripts'], unpacked));
  return join(unpacked, filename);
}

/** Returns the entries that a program loaded, from its output. */
export function filesIn(output: string): readonly string[] {
  const names = [...output.matchAll(new RegExp(`${loaded}([\\w./]+js)`, 'g'))].map(([, name]) => `${name}`);
  return [...new Set(names)].sort();
}
