/** The package as merchants get it: packed, and installed into a folder. */

import { execFile, execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '..');

export function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export interface Packed {
  readonly path: string;
  /** Its size, in bytes. */
  readonly size: number;
  /** The unpacked size, in bytes. */
  readonly unpackedSize: number;
}

/** Packs the build. If `PACKAGE_TARBALL` names a tarball, uses that, so that the tested tarball is the published one. */
export function pack(folder: string): Packed {
  const { PACKAGE_TARBALL: tarball } = process.env;
  const from = tarball === undefined ? ['--pack-destination', folder] : ['--dry-run', resolve(root, tarball)];
  const [{ filename, size, unpackedSize }] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', ...from], root),
  );
  return {
    path: tarball === undefined ? join(folder, filename) : resolve(root, tarball),
    size,
    unpackedSize,
  };
}

/** Installs packages into a folder with a `package.json`. */
export async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder });
}
