/** Writes the licences of the packages that a CommonJS output carries, with their versions, into the `dist` of the package that is built. */

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

async function licenceOf(folder: string, name: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`expected a licence of ${name}, got none.`);
  return `${name} ${version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
}

export async function writeLicences(modules: string, names: readonly string[]): Promise<void> {
  const licences = await Promise.all(names.map((name) => licenceOf(join(modules, name), name)));
  await writeFile('dist/THIRD-PARTY-LICENSES.txt', licences.join(`\n${'-'.repeat(80)}\n\n`));
}
