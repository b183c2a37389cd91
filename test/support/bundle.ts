/**
 * Bundles both packages once for all programs that the tests start: hundreds of source files would load four times as
 * slowly. `package-hook.ts` resolves to it.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { inEsbuild } from '../../sandbox/page-bundles.ts';
import { alias } from '../../vitest.config.ts';

const root = resolve(import.meta.dirname, '../..');

/** Returns an entry with the path of its output: `src/…` at the top, `sandbox/src/…` below `sandbox`. */
const entryOf = (file: string) => ({
  in: file,
  out: relative(root, file)
    .replace(/(?:^|(?<=\/))src\//, '')
    .replace(/\.ts$/, ''),
});

/** The program `payments-client`, which finds its commands by the hook. */
const program = join(root, 'src/cli/index.node.ts');
const hook = pathToFileURL(join(import.meta.dirname, 'package-hook.ts')).href;
const programText = `import '${hook}';\nawait import('./cli/index.node.js');\n`;

export default async function bundle(): Promise<() => void> {
  // Within the project, so that imports of the package resolve.
  const temporary = join(root, '.tmp');
  mkdirSync(temporary, { recursive: true });
  const folder = mkdtempSync(join(temporary, 'bundle-'));
  await build({
    absWorkingDir: root,
    outdir: folder,
    entryPoints: [program, ...alias.map(({ replacement }) => replacement)].map(entryOf),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    plugins: [inEsbuild],
  });
  writeFileSync(join(folder, 'cli.js'), programText);
  process.env['PACKAGE_BUNDLE'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
