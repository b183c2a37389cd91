import { defineConfig, type Options } from 'tsup';
import { writeLicences } from '../scripts/write-licences.ts';
import { inEsbuild } from './page-bundles.ts';

/** Carried by the CommonJS output, since Jest cannot `require` an ES module. */
const carried = ['@noble/hashes'];

const entry = {
  index: 'src/index.ts',
  msw: 'src/msw.ts',
  'on-node': 'src/on-node.node.ts',
  'testing/index': 'src/testing/index.ts',
  'without-node': 'src/without-node.ts',
};

// The packages of package.json are external. What `src/sdk.ts` takes from the source of the SDK is inside, and so are the pages.
const shared = {
  target: 'es2022',
  platform: 'neutral',
  removeNodeProtocol: false,
  external: [/^node:/, /^#/, /^payments-client/],
  esbuildPlugins: [inEsbuild],
} satisfies Options;

export default defineConfig([
  { ...shared, entry: { ...entry, 'shell/index': 'src/shell/index.ts' }, format: 'esm', splitting: true },
  // One file for each entry, since Jest cannot load a part of one later.
  {
    ...shared,
    entry,
    format: 'cjs',
    splitting: false,
    noExternal: carried,
    onSuccess: () => writeLicences('../node_modules', carried),
  },
]);
