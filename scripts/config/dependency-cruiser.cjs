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
  transact: ['http', 'fraud', 'money'],
  webhooks: ['resources', 'stores'],
  journal: ['http', 'resources', 'stores', 'transact'],
  orders: ['client.ts', 'http', 'money', 'resources', 'stores', 'transact', 'webhooks'],
  opentelemetry: ['http', 'webhooks'],
  browser: [],
  react: ['browser'],
  cli: [],
};

/**
 * The arrows between the rooms of the sandbox, from the ground up. Every room may import `base`; only the root, which wires them, imports all.
 */
const sandboxRooms = {
  base: [],
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
  // These use the sandbox from outside.
  testing: ['domain', 'scenarios'],
  probe: [],
  shell: [
    'domain',
    'api',
    'transact',
    'webhooks',
    'scenarios',
    'stories',
    'commands',
    'control',
    'pages',
    'store',
    'probe',
  ],
};

/** Files at the root of the sandbox that a room may import, with the door to the SDK. */
const sandboxFiles = {
  api: ['on-node.node'],
  testing: ['index'],
  probe: ['index'],
  shell: ['index', 'key-file.node', 'keys', 'options', 'same-version', 'sandbox'],
};

const forbiddenSandboxArrows = Object.entries(sandboxRooms).map(([room, allowed]) => ({
  name: `sandbox-${room}-imports-only-rooms-below`,
  severity: 'error',
  from: { path: `^sandbox/src/${room}/` },
  to: {
    path: '^sandbox/src/',
    pathNot: [
      `^sandbox/src/(${[room, ...allowed].join('|')})/`,
      '^sandbox/src/base/',
      `^sandbox/src/(?:${['sdk', ...(sandboxFiles[room] ?? [])].join('|').replaceAll('.', '[.]')})[.]ts$`,
    ],
  },
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
      name: 'the-sdk-does-not-import-the-sandbox',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: ['^sandbox/', '^payments-client-sandbox'] },
    },
    {
      name: 'only-one-door-leads-into-the-sdk',
      comment:
        'What the sandbox takes from inside the SDK is in sandbox/src/sdk.ts. What has an identity comes from the entries.',
      severity: 'error',
      from: { path: '^sandbox/src/', pathNot: '^sandbox/src/sdk[.]ts$' },
      to: { path: '^src/', pathNot: '^src/(index([.]node)?|(webhooks|fraud|stores)/index([.]node)?)[.]ts$' },
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
      from: { path: '^(sandbox/)?src/', pathNot: ['\\.node\\.ts$', '^sandbox/src/shell/'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'npm-test-starts-no-program',
      comment: 'A test that starts a program ends in .services.test.ts.',
      severity: 'error',
      from: {
        path: '^((sandbox/)?test|examples)/.*\\.test\\.ts$',
        pathNot: ['\\.services\\.test\\.ts$', '^test/stores/two-processes\\.test\\.ts$'],
      },
      to: { path: startsPrograms, reachable: true },
    },
    {
      name: 'no-circles-types-included',
      severity: 'error',
      from: { path: '^(sandbox/)?src/' },
      to: { circular: true },
    },
    {
      name: 'zod-only-behind-the-schemas-of-base',
      comment:
        'Every schema is made of base/schema of its package, which checks every value against one and reads its names.',
      severity: 'error',
      from: {
        path: '^(sandbox/)?src/',
        pathNot: '^(src/base/schema/(field-names|schema|validation)|sandbox/src/base/schema)\\.ts$',
      },
      to: { path: 'node_modules/zod/' },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: { path: '^(sandbox/)?src/' },
      to: { couldNotResolve: true },
    },
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
