/**
 * Builds `dist/types`: one declaration file per module of `src`, with only the names that an entry reaches.
 *
 * They are CommonJS, which both module kinds can import, so both have the same types. An entry has a second file for ES
 * modules.
 */

import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const root = resolve(import.meta.dirname, '..');
const types = join(root, 'dist/types');

/** The entries, as `sandbox/index`: `typedoc.json` lists their sources. */
function entries(): readonly string[] {
  const { entryPoints } = JSON.parse(readFileSync(join(root, 'typedoc.json'), 'utf8'));
  return entryPoints.map((path: string) => path.replace(/^src\/(.+)\.ts$/, '$1'));
}

rmSync(types, { recursive: true, force: true });
const names = entries();
const bundle = await rollup({
  input: Object.fromEntries(names.map((name) => [name, join(root, 'src', `${name}.ts`)])),
  external: ['payments-client/browser'],
  // The compiler prints an inferred union in the order in which it met the members: one file after the other, the same
  // in every build.
  maxParallelFileOps: 1,
  plugins: [
    dts({
      tsconfig: join(root, 'tsconfig.browser.json'),
      compilerOptions: { paths: {} },
    }),
  ],
});
await bundle.write({
  dir: types,
  format: 'es',
  entryFileNames: '[name].d.cts',
  preserveModules: true,
  preserveModulesRoot: join(root, 'src'),
});

for (const name of names) {
  writeFileSync(join(types, `${name}.d.ts`), `export * from './${basename(name)}.cjs';\n`);
}
// msw is ESM-only, which no CommonJS declaration may import.
copyFileSync(join(types, 'sandbox/msw.d.cts'), join(types, 'sandbox/msw.d.ts'));
