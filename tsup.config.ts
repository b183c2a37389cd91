import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';

// Chunks have a hash in their name, so old ones would pile up and be packed.
await rm('dist', { recursive: true, force: true });

const shared = {
  entry: {
    index: 'src/index.ts',
    'index.node': 'src/index.node.ts',
    'fraud/index': 'src/fraud/index.ts',
    'sandbox/index': 'src/sandbox/index.ts',
    'sandbox/msw': 'src/sandbox/msw.ts',
    'webhooks/index': 'src/webhooks/index.ts',
  },
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  treeshake: true,
  removeNodeProtocol: false,
} satisfies Options;

/** Dev dependencies that an entry carries inside, so that merchants install nothing for them. */
const bundledAlways = ['@noble/hashes', 'hono', '@hono/node-server'];

/** These ship ES modules only. Carried inside, `require()` works in every tool that predates require(esm). */
const bundledForCommonJs = ['ky', 'p-retry', 'is-network-error'];

/** What is carried inside keeps its licence: one file with all of them goes along. */
async function writeLicences(): Promise<void> {
  const texts = [...bundledAlways, ...bundledForCommonJs].sort().map(async (name) => {
    const folder = new URL(`./node_modules/${name}/`, import.meta.url);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file.`);
    return `${name}\n\n${await readFile(new URL(file, folder), 'utf8')}`;
  });
  await writeFile('dist/THIRD-PARTY-LICENSES.txt', (await Promise.all(texts)).join('\n---\n\n'));
}

/**
 * What runs in browsers. Each is one file that imports nothing of the package, so that a page can load it as it is; the React
 * bindings import the browser entry by its name, so that a page has one copy of it.
 */
const browser = {
  entry: { 'browser/index': 'src/browser/index.ts', 'react/index': 'src/react/index.ts' },
  target: 'es2022',
  platform: 'browser',
  splitting: false,
  tsconfig: 'tsconfig.browser.json',
  external: ['payments-client/browser', 'react'],
  format: ['esm', 'cjs'],
} satisfies Options;

export default defineConfig((overrides) => [
  { ...browser, dts: overrides.dts ?? true },
  {
    ...shared,
    // The program is run and never imported, so it has one format and no declarations.
    entry: { ...shared.entry, cli: 'src/cli.ts' },
    format: 'esm',
    dts: overrides.dts ?? { entry: shared.entry },
    external: [/^node:/],
    noExternal: bundledAlways,
  },
  {
    ...shared,
    format: 'cjs',
    dts: overrides.dts ?? true,
    external: [/^node:/],
    noExternal: [...bundledAlways, ...bundledForCommonJs],
    onSuccess: writeLicences,
  },
]);
