import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { writePageBundles } from './scripts/reference/page-bundles.ts';

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** While coverage is measured, the sandbox's pages run bundles that can be traced back to their source. */
const traceableBundles = {
  name: 'traceable-bundles',
  load: (id: string) => (id.endsWith('/src/sandbox/pages/bundles.ts') ? writePageBundles() : undefined),
};

export default defineConfig({
  plugins: process.env['COVERAGE_FOLDER'] === undefined ? [] : [traceableBundles],
  resolve: {
    alias: [
      { find: /^payments-client$/, replacement: source('index.node.ts') },
      { find: /^payments-client\/browser$/, replacement: source('browser/index.ts') },
      { find: /^payments-client\/react$/, replacement: source('react/index.ts') },
      { find: /^payments-client\/fraud$/, replacement: source('fraud/index.ts') },
      { find: /^payments-client\/opentelemetry$/, replacement: source('opentelemetry/index.ts') },
      { find: /^payments-client\/sandbox$/, replacement: source('sandbox/index.ts') },
      { find: /^payments-client\/sandbox\/msw$/, replacement: source('sandbox/msw.ts') },
      { find: /^payments-client\/testing$/, replacement: source('testing/index.ts') },
      { find: /^payments-client\/webhooks$/, replacement: source('webhooks/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    setupFiles: ['test/support/node-transport.ts'],
    restoreMocks: true,
    // Nothing here measures time: a busy machine is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    coverage: { include: ['src/**'] },
  },
});
