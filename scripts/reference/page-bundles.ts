/** Bundles the browser code of the sandbox's pages into a module of the sandbox. */

import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, buildSync } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');
const folder = resolve(root, 'src/sandbox/ui');

/** The served files with their entry points. */
const entries = {
  'Gateway.js': 'gateway/gateway.ts',
  'CollectJS.js': 'card-fields/collect.ts',
  'card-fields.js': 'card-fields/card-fields.ts',
  'challenge.js': 'gateway/challenge.ts',
  'checkout.js': 'checkout/checkout.ts',
  'dashboard.js': 'dashboard/dashboard.tsx',
  'pages.css': 'pages.css',
  'frames.css': 'frames.css',
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
    ...(entry.endsWith('.tsx') && jsx),
    tsconfigRaw: {},
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`Expected an output of ${entry}, got none.`);
  return file.text;
}

export function bundlePages(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, bundle(entry)]));
}

/**
 * Returns the module with all files, compressed together since they share code: every merchant installs them, but few
 * open a page.
 */
export function writePageBundles(): string {
  const bundles = bundlePages();
  const names = Object.keys(bundles).map((name) => `  | ${JSON.stringify(name)}\n`);
  const packed = gzipSync(JSON.stringify(bundles), { level: 9 }).toString('base64');
  return [
    '/** The files that the pages load. `npm run generate` writes this module. */\n',
    `export type AssetName =\n${names.join('').trimEnd()};\n\n`,
    '/** The contents of the files, from `ui/`, by name: JSON, compressed with gzip, in base64. */\n',
    `export const bundles =\n  '${packed}';\n`,
  ].join('');
}
