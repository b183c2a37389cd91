/**
 * Fills two modules of the sandbox's pages in each build. `bundles.ts` gets their code for browsers, and `pages.ts` the
 * pages themselves, which Node cannot run from the source.
 */

import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, buildSync, type Plugin } from 'esbuild';
import type { VitestPluginContext } from 'vitest/node';

/** From the root, where builds and tests run: tsup moves this file into its configuration. */
const folder = resolve(import.meta.dirname, 'src');

/** The served files with their entry points. */
const entries = {
  'Gateway.js': 'ui/gateway/gateway.ts',
  'CollectJS.js': 'ui/card-fields/collect.ts',
  'card-fields.js': 'ui/card-fields/card-fields.ts',
  'challenge.js': 'ui/gateway/challenge.ts',
  'checkout.js': 'ui/checkout.ts',
  'dashboard.js': 'dashboard/dashboard.tsx',
  'pages.css': 'ui/pages.css',
  'frames.css': 'ui/frames.css',
  'dashboard.css': 'dashboard/dashboard.css',
};

/** Elements are created with plain calls, which is shorter than the automatic form. */
const jsx = {
  jsx: 'transform',
  jsxFactory: 'h',
  jsxFragment: 'Fragment',
  inject: [resolve(folder, 'dashboard/jsx-functions.ts')],
} satisfies BuildOptions;

function bundle(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [resolve(folder, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    // What a page does not use of the SDK may need Node; it is left out.
    external: ['node:*'],
    ...(entry.endsWith('.tsx') && jsx),
    tsconfigRaw: {},
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`Expected an output of ${entry}, got none.`);
  return file.text;
}

/**
 * Returns the module with all files, compressed together since they share code: every merchant installs them, but few
 * open a page.
 */
function writePageBundles(): string {
  const bundles = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, bundle(entry)]));
  const packed = gzipSync(JSON.stringify(bundles), { level: 9 }).toString('base64');
  return `export const bundles = '${packed}';\n`;
}

const modules = /[\\/]sandbox[\\/]src[\\/]pages[\\/](bundles|pages)\.ts$/;

/** Returns the text of a module that builds fill; `undefined` for any other. */
function textOf(path: string): string | undefined {
  const [, name] = modules.exec(path) ?? [];
  if (name === 'pages') return "export { createPages } from './page-routes.ts';\n";
  return name && writePageBundles();
}

/** Fills the modules in a build by esbuild or tsup. */
export const inEsbuild: Plugin = {
  name: 'page-bundles',
  setup: ({ initialOptions, onLoad }) => {
    Object.assign(initialOptions, { jsx: 'automatic', jsxImportSource: 'preact' });
    onLoad({ filter: modules }, ({ path }) => ({ contents: textOf(path) ?? '', loader: 'ts' }));
  },
};

/** Fills the modules in the tests. */
export const inVite = {
  name: 'page-bundles',
  config: () => ({ oxc: { jsx: { runtime: 'automatic' as const, importSource: 'preact' } } }),
  load: textOf,
  // The text depends on other files too, so a result of an earlier run may be old.
  configureVitest: ({ defineCacheKeyGenerator }: VitestPluginContext) =>
    defineCacheKeyGenerator(({ id }) => (modules.test(id) ? false : undefined)),
};
