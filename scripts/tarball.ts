/** The package as merchants get it: packed, and installed into a folder of its own. */

import { execFile, execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '..');

/** Runs npm, and gives what it prints. */
export function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A packed package. */
export interface Packed {
  /** Where the tarball is. */
  readonly path: string;
  /** Its size, in bytes. */
  readonly size: number;
  /** The size of what it holds, in bytes. */
  readonly unpackedSize: number;
}

/** Packs what was built. Where `PACKAGE_TARBALL` names a tarball, takes that one, so that what is tested is what is published. */
export function pack(folder: string): Packed {
  const { PACKAGE_TARBALL: given } = process.env;
  const from = given === undefined ? ['--pack-destination', folder] : ['--dry-run', resolve(root, given)];
  const [{ filename, size, unpackedSize }] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', ...from], root),
  );
  return { path: given === undefined ? join(folder, filename) : resolve(root, given), size, unpackedSize };
}

/** Installs packages into a folder that has a `package.json`. */
export async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder });
}
