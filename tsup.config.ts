import { defineConfig, type Options } from 'tsup';

const shared: Options = {
  entry: { index: 'src/index.ts', 'sandbox/index': 'src/sandbox/index.ts' },
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  treeshake: true,
  removeNodeProtocol: false,
};

/** Dev dependencies that an entry carries inside, so that merchants install nothing for them. */
const bundledAlways = [/^@noble\/hashes/, /^hono/, /^@hono\/node-server/];

/** These ship ES modules only. Carried inside, `require()` works in every tool that predates require(esm). */
const bundledForCommonJs = ['ky', 'p-retry', 'is-network-error'];

export default defineConfig((overrides) => [
  {
    ...shared,
    format: 'esm',
    dts: overrides.dts ?? true,
    external: [/^node:/],
    noExternal: bundledAlways,
  },
  {
    ...shared,
    format: 'cjs',
    dts: overrides.dts ?? true,
    external: [/^node:/],
    noExternal: [...bundledAlways, ...bundledForCommonJs],
  },
]);
