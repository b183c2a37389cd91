import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { size } from './test/support/size.ts';

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** The package's entries are its source. */
export const alias = [
  { find: /^payments-client$/, replacement: source('index.node.ts') },
  { find: /^payments-client\/browser$/, replacement: source('browser/index.ts') },
  { find: /^payments-client\/react$/, replacement: source('react/index.ts') },
  { find: /^payments-client\/fraud$/, replacement: source('fraud/index.ts') },
  { find: /^payments-client\/opentelemetry$/, replacement: source('opentelemetry/index.ts') },
  { find: /^payments-client\/sandbox$/, replacement: source('sandbox/index.ts') },
  { find: /^payments-client\/sandbox\/msw$/, replacement: source('sandbox/msw.ts') },
  { find: /^payments-client\/stores$/, replacement: source('stores/index.ts') },
  { find: /^payments-client\/testing$/, replacement: source('testing/index.ts') },
  { find: /^payments-client\/webhooks$/, replacement: source('webhooks/index.ts') },
];

export const tags = [
  { name: 'thorough', description: 'Left out by `npm test`; `npm run test:all` has them.' },
  { name: 'always', description: 'In `npm test` too, though all of its file is thorough.' },
] as const;

/** What every test runs with. */
export const shared = {
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
  // Nothing here measures time: a busy machine is slow, not wrong.
  testTimeout: 60_000,
  hookTimeout: 60_000,
} satisfies ViteUserConfig['test'];

/** Tests that change what a whole process shares: its modules, its environment, or how it reaches the network. */
const alone = [
  'test/base/runtime.test.ts',
  // It makes the process look like Deno, which the SDK asks once.
  'test/http/transport/fetch.test.ts',
  'test/http/transport/pool.test.ts',
  'test/http/transport/node/{msw-2,msw-3,nock,patched,replaced-fetch}.test.ts',
  'test/docs/snippets.test.ts',
  'test/fuzz/command-line.test.ts',
  'test/hostile-process.test.ts',
  // It replaces functions of `node:http`.
  'test/opentelemetry/instrumentation-http.test.ts',
  'test/sandbox/store/sqlite-file/disk.test.ts',
  'test/sandbox/msw.test.ts',
  // The adapter of Hono for Node has its own `Request` and `Response`, for the whole process.
  'test/webhooks/receiver/{hono,misuse}.test.ts',
  'test/webhooks/receiver/without-on-error.test.ts',
];

/** Tests of what runs in a browser: all of them use one. */
const inBrowser = 'test/browser/**/*.test.ts';

const others = ['test/**/*.test.ts', 'examples/**/*.test.ts'];

function project(name: string, include: string[], more: ViteUserConfig['test'] = {}) {
  return { extends: true as const, test: { ...shared, name, include, ...more } };
}

export default defineConfig({
  resolve: { alias },
  test: {
    // Some tests wait, for a process or a time-out, while others work.
    maxWorkers: '150%',
    globalSetup: ['test/support/bundle.ts'],
    tags: [...tags],
    ...(size === 'short' && { tagsFilter: ['!thorough || always'] }),
    projects: [
      // Files that run in one process save the start of one, and the loading of the package, for each.
      project('together', others, { isolate: false, exclude: [...alone, inBrowser, '**/node_modules/**'] }),
      project('browser', [inBrowser], { isolate: false, globalSetup: ['test/support/chromium.ts'] }),
      project('alone', alone),
    ],
    coverage: {
      include: ['src/**/*.ts'],
      // What runs in a browser is left out, and what runs in a program that a test starts is not counted.
      exclude: ['src/browser/**', 'src/react/**', 'src/sandbox/ui/**', 'src/sandbox/pages/bundles.ts'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
