/**
 * Bundles the package once for all programs that the tests start: hundreds of source files would load four times as
 * slowly. `package-hook.ts` resolves to it.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { inEsbuild } from '../../scripts/page-bundles.ts';
import { alias } from '../../vitest.config.ts';

const root = resolve(import.meta.dirname, '../..');

export default async function bundle(): Promise<() => void> {
  // Within the project, so that imports of the package resolve.
  const temporary = join(root, '.tmp');
  mkdirSync(temporary, { recursive: true });
  const folder = mkdtempSync(join(temporary, 'bundle-'));
  await build({
    absWorkingDir: root,
    outbase: 'src',
    outdir: folder,
    entryPoints: ['src/cli.ts', ...alias.map(({ replacement }) => replacement)],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    plugins: [inEsbuild],
  });
  process.env['PACKAGE_BUNDLE'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
