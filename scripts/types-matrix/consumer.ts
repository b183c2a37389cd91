/** The folder of a consumer, as strict as the compiler can be. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, pack } from '../tarball.ts';
import { compilers } from './compilers.ts';

/** Installs the packed package, every TypeScript, and the other packages that its programs need. */
export async function installConsumer(folder: string, ...packages: readonly string[]): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const aliases = Object.entries(compilers).map(([alias, version]) => `${alias}@npm:${version}`);
  await install(folder, pack(folder).path, ...aliases, ...packages);
}

/** The version of a package that is installed. */
export function versionOf(folder: string, name: string): string {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** The options of every consumer. */
export const strictOptions = {
  ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  target: 'ES2022',
} as const;

/** How a consumer's modules are resolved. */
export const resolutions = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  node10: { module: 'commonjs', moduleResolution: 'node10' },
} as const;
