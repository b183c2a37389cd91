/**
 * The arrows between the layers. Every layer may import `base`. A layer imports only what is listed for it here; everything else is an error,
 * so a new arrow is a decision that shows in review.
 */
const layers = {
  base: [],
  http: [],
  resources: ['http'],
  stores: [],
  fraud: ['stores', 'webhooks'],
  money: [],
  transact: ['http', 'fraud'],
  webhooks: ['resources', 'stores'],
  journal: ['http', 'resources', 'stores', 'transact'],
  probe: ['http', 'resources', 'transact', 'webhooks'],
  opentelemetry: ['http', 'webhooks'],
  browser: [],
  react: ['browser'],
  sandbox: ['resources', 'fraud', 'money', 'webhooks'],
  testing: ['client.ts', 'http', 'journal', 'sandbox', 'transact', 'webhooks'],
};

/** The arrows between the rooms of the sandbox, from the ground up. Only its root, which wires them, imports all. */
const sandboxRooms = {
  store: [],
  domain: ['store'],
  webhooks: ['store', 'domain'],
  api: ['store', 'domain', 'webhooks'],
  transact: ['store', 'domain', 'api'],
  scenarios: ['store', 'domain', 'webhooks', 'api'],
  stories: ['store', 'domain', 'webhooks', 'api', 'transact'],
  commands: ['store', 'domain', 'webhooks', 'api', 'transact', 'scenarios', 'stories'],
  control: ['store', 'domain', 'webhooks', 'api', 'stories', 'commands'],
  pages: ['store', 'domain', 'api', 'transact'],
  ui: ['domain', 'transact', 'pages'],
  dashboard: ['domain', 'api', 'transact', 'stories', 'commands', 'control', 'pages'],
};

const forbiddenSandboxArrows = Object.entries(sandboxRooms).map(([room, allowed]) => ({
  name: `sandbox-${room}-imports-only-rooms-below`,
  severity: 'error',
  from: { path: `^src/sandbox/${room}/` },
  to: { path: '^src/sandbox/', pathNot: `^src/sandbox/(${[room, ...allowed].join('|')})/` },
}));

const forbiddenArrows = Object.entries(layers).map(([layer, allowed]) => ({
  name: `${layer}-imports-only-${allowed.length > 0 ? allowed.join('-and-') : 'itself'}`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: { path: '^src/', pathNot: `^src/(${['base', layer, ...allowed].join('|')})(/|$)` },
}));

/** Starts programs, a database or a compiler among them, or runs one inside. */
const startsPrograms = [
  '^(node:)?child_process$',
  '(^|/)node_modules/(@electric-sql|esbuild|miniflare|playwright-core|puppeteer-core|tsup|typescript|workerd)/',
];

module.exports = {
  forbidden: [
    ...forbiddenArrows,
    ...forbiddenSandboxArrows,
    {
      name: 'nothing-a-merchant-ships-imports-the-sandbox',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/sandbox/', '^src/testing/', '^src/cli(\\.ts$|/)'] },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'cli-imports-only-the-sandbox-and-the-probe',
      severity: 'error',
      from: { path: '^src/cli(\\.ts$|/)' },
      to: { path: '^src/', pathNot: '^src/(base|cli|sandbox|probe)/' },
    },
    {
      name: 'only-its-own-entry-imports-opentelemetry',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/opentelemetry/' },
      to: { path: '@opentelemetry/' },
    },
    {
      name: 'opentelemetry-uses-only-types-of-http-and-webhooks',
      severity: 'error',
      from: { path: '^src/opentelemetry/' },
      to: { path: '^src/(http|webhooks)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'node-modules-only-in-node-files',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.node\\.ts$', '^src/cli(\\.ts$|/)'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'npm-test-starts-no-program',
      comment: 'A test that starts a program ends in .services.test.ts.',
      severity: 'error',
      from: {
        path: '^(test|examples)/.*\\.test\\.ts$',
        pathNot: ['\\.services\\.test\\.ts$', '^test/stores/two-processes\\.test\\.ts$'],
      },
      to: { path: startsPrograms, reachable: true },
    },
    {
      name: 'no-circles-types-included',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'zod-only-behind-the-schemas-of-base',
      comment:
        'Every schema is made of base/schema.ts, and every value is held against one by base/validation.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/base/(schema|validation)\\.ts$' },
      to: { path: 'node_modules/zod/' },
    },
    { name: 'nothing-unresolved', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
