import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { inVite } from './sandbox/page-bundles.ts';
import { alone } from './test/support/alone.ts';
import { CpuBudget } from './test/support/budget/reporter.ts';
import { size } from './test/support/size.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The entries of both packages are their source, of which there is one copy. */
export const alias = [
  { find: /^#on-node$/, replacement: source('sandbox/src/on-node.node.ts') },
  { find: /^payments-client$/, replacement: source('src/index.node.ts') },
  { find: /^payments-client\/browser$/, replacement: source('src/browser/index.ts') },
  { find: /^payments-client\/react$/, replacement: source('src/react/index.ts') },
  { find: /^payments-client\/fraud$/, replacement: source('src/fraud/index.ts') },
  { find: /^payments-client\/journal$/, replacement: source('src/journal/index.ts') },
  { find: /^payments-client\/orders$/, replacement: source('src/orders/index.ts') },
  { find: /^payments-client\/opentelemetry$/, replacement: source('src/opentelemetry/index.ts') },
  { find: /^payments-client\/stores$/, replacement: source('src/stores/index.ts') },
  { find: /^payments-client\/webhooks$/, replacement: source('src/webhooks/index.node.ts') },
  { find: /^payments-client-sandbox$/, replacement: source('sandbox/src/index.ts') },
  { find: /^payments-client-sandbox\/msw$/, replacement: source('sandbox/src/msw.ts') },
  { find: /^payments-client-sandbox\/shell$/, replacement: source('sandbox/src/shell/index.ts') },
  { find: /^payments-client-sandbox\/testing$/, replacement: source('sandbox/src/testing/index.ts') },
];

export const tags = [
  { name: 'thorough', description: 'Left out by `npm test`; `TEST_SIZE=all npx vitest run` has them.' },
  { name: 'always', description: 'In `npm test` too, though all of its file is thorough.' },
] as const;

/** Where CI reads how many tests ran. */
const { TEST_REPORT: report } = process.env;

/** What the short form runs. */
export const tagsFilter = ['!thorough || always'];

/** Ends a test that hangs, in ms. No test measures time, so no slow or busy machine may reach it. */
const outerLimit = 1_800_000;

/** What every test runs with. */
export const shared = {
  setupFiles: ['test/support/unstub.ts'],
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
  testTimeout: outerLimit,
  hookTimeout: outerLimit,
} satisfies ViteUserConfig['test'];

/** Tests that start a program, or need a package that `npm install` leaves out. */
export const services = '{test,sandbox/test}/**/*.services.test.ts';

/** Tests of what runs in a browser. */
const inBrowser = '{test,sandbox/test}/browser/**/*.services.test.ts';

/** Files that share a process save the start of one, and the loading of the package, for each. */
const together = { isolate: false } satisfies ViteUserConfig['test'];

/** `npm test`: a bound on processor time, which a busy machine does not change, holds it small. */
const fast = {
  setupFiles: [...shared.setupFiles, 'test/support/budget/measure.ts', 'test/support/fixed-seed.ts'],
} satisfies ViteUserConfig['test'];

/** What starts programs. */
const withPrograms = { globalSetup: ['test/support/bundle.ts'] } satisfies ViteUserConfig['test'];

function project(name: string, include: string[], exclude: string[], more: ViteUserConfig['test']) {
  return {
    extends: true as const,
    test: { ...shared, ...more, name, include, exclude: [...exclude, '**/{node_modules,.tmp}/**'] },
  };
}

export default defineConfig({
  resolve: { alias },
  plugins: [inVite],
  test: {
    // More than the cores: some tests wait, for a process or a time-out, while others work.
    maxWorkers: 3,
    tags: [...tags],
    ...(size === 'short' && { tagsFilter }),
    reporters: [
      'default',
      // The long forms have no bound.
      ...(size === 'short' ? [new CpuBudget()] : []),
      ...(report === undefined ? [] : [['json', { outputFile: report }] satisfies ['json', object]]),
    ],
    projects: [
      project('fast', ['{test,sandbox/test}/**/*.test.ts', 'examples/**/*.test.ts'], [...alone, services], {
        ...fast,
        ...together,
      }),
      project('fast-alone', alone, [], fast),
      project('services', [services], [inBrowser], { ...withPrograms, ...together }),
      project('browser', [inBrowser], [], {
        ...together,
        globalSetup: ['test/support/chromium.ts'],
      }),
    ],
    coverage: {
      include: ['{src,sandbox/src}/**/*.{ts,tsx}'],
      // What runs in a browser is left out, and what runs in a program that a test starts is not counted.
      exclude: ['src/browser/**', 'src/react/**', 'sandbox/src/{dashboard,ui}/**'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
