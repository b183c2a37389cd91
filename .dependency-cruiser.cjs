/**
 * The arrows between the layers. Every layer may import `base`. A layer imports only what is listed for it here; everything else is an error,
 * so a new arrow is a decision that shows in review.
 */
const layers = {
  base: [],
  core: [],
  resources: ['core'],
  fraud: [],
  money: ['core'],
  transact: ['core', 'fraud'],
  webhooks: ['core', 'resources'],
  opentelemetry: ['core'],
  browser: [],
  react: ['browser'],
  sandbox: ['resources', 'fraud', 'webhooks'],
  testing: ['client.ts', 'core', 'sandbox', 'webhooks'],
};

const forbiddenArrows = Object.entries(layers).map(([layer, allowed]) => ({
  name: `${layer}-imports-only-${allowed.length > 0 ? allowed.join('-and-') : 'itself'}`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: { path: '^src/', pathNot: `^src/(${['base', layer, ...allowed].join('|')})(/|$)` },
}));

module.exports = {
  forbidden: [
    ...forbiddenArrows,
    {
      name: 'nothing-a-merchant-ships-imports-the-sandbox',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/sandbox/', '^src/testing/', '^src/cli(\\.ts$|/)'] },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'cli-imports-only-the-sandbox',
      severity: 'error',
      from: { path: '^src/cli(\\.ts$|/)' },
      // What it takes of core is a single constant.
      to: { path: '^src/', pathNot: '^src/(base/|cli/|sandbox/|core/version\\.ts$)' },
    },
    {
      name: 'webhooks-use-only-the-errors-of-core',
      severity: 'error',
      from: { path: '^src/webhooks/' },
      // web-types holds types of the runtime and no code.
      to: {
        path: '^src/core/',
        pathNot: '^src/core/(errors|api-errors|webhook-error|web-types)\\.ts$',
      },
    },
    {
      name: 'only-its-own-entry-imports-opentelemetry',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/opentelemetry/' },
      to: { path: '@opentelemetry/' },
    },
    {
      name: 'opentelemetry-uses-no-code-of-core-but-the-version',
      severity: 'error',
      from: { path: '^src/opentelemetry/' },
      to: { path: '^src/core/', pathNot: '^src/core/version\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-merchant-ships-zod',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: 'node_modules/zod/' },
    },
    {
      name: 'node-modules-only-in-node-files',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.node\\.ts$', '^src/cli(\\.ts$|/)'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
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
