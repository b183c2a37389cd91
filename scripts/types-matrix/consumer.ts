/** The folder of a consumer: the programs of `test/consumers`, the packed package, and its peers. */

import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { install, pack } from '../tarball.ts';

const consumers = resolve(import.meta.dirname, '../../test/consumers');

/** The TypeScript versions, by installed name. */
export const compilers = ['ts54', 'ts59', 'ts6', 'ts7'] as const;

export type Compiler = (typeof compilers)[number];

/** The module resolutions, as options of `tsc`. */
export const resolutions = {
  node16: ['--module', 'node16'],
  nodenext: ['--module', 'nodenext'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
  node10: ['--module', 'commonjs', '--moduleResolution', 'node10'],
} as const;

/** Copies the programs, each as an ES module and as CommonJS. */
export function copyPrograms(folder: string): void {
  cpSync(consumers, folder, { recursive: true });
  mkdirSync(join(folder, 'commonjs'));
  writeFileSync(join(folder, 'commonjs/package.json'), '{ "type": "commonjs" }');
  // msw is ESM-only, which CommonJS can import with the newest compilers only.
  for (const program of ['merchant.ts', 'entries.ts', 'library.ts', 'peers.ts']) {
    copyFileSync(join(consumers, program), join(folder, 'commonjs', program));
  }
}

/** Copies the programs, and installs the packed package, every TypeScript, and the packages that the programs use. */
export async function installConsumer(folder: string): Promise<void> {
  copyPrograms(folder);
  await install(folder, pack(folder).path);
}

export function versionOf(folder: string, name: string): string {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}
