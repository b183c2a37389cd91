/** What one export of the built package costs in a bundle: minified, with all dependencies, not compressed. */

import type { SizeLimitConfig } from 'size-limit';

/** Exports of an entry, and the bytes that each may cost alone. */
type Row = readonly [entry: string, names: string, maximum: number];

/** A page may use any of these. With what makes an error of data again. */
const small = 2560;

const rows: readonly Row[] = [
  ['index', 'PaymentsError', small],
  ['index', 'WebhookVerificationError', small],
  // A refusal of an argument has the base class of all errors, and redacts what it repeats: keys, and numbers that may be those of cards.
  ['index', 'ConfigurationError InvalidRequestError', 3000],
  // With the words for a wrong value, and the redaction of what they repeat.
  ['index', 'toDate unknownField', 8150],
  // With the masks of card data, since a store keeps the object.
  ['webhooks/index', 'advanceSnapshot', 11_200],
  // With the codes of AVS and CVV too.
  ['fraud/index', 'readChecks', 9450],
  // With the codes of all currencies too.
  ['index', 'formatAmount toDecimalAmount toMinorUnits', 9200],
  // With the errors of the service.
  ['index', 'isDecline', 4100],
  ['index', 'isTerminal', 2048],
  // With SHA-256, for long ids.
  ['index', 'deriveIdempotencyKey', 13_850],
  // With the checks of all arguments, the rules that SQLite shares, documents, and a log line before it is full.
  ['stores/index', 'memoryStore', 46_700],
];

/** Without warnings of imports that are left out. esbuild has none for packages, but this is a folder. */
const quiet = <Config extends object>(config?: Config): Config =>
  Object.assign({}, config, { logLevel: 'error' });

/** A CommonJS entry for Node, in bytes minified and compressed. */
function required(entry: string, minified: number, compressed: number) {
  const path = `../../dist/${entry}.cjs`;
  const forNode = <Config extends object>(config?: Config): Config =>
    Object.assign(quiet(config), { platform: 'node' });
  const row = { path, import: '*', modifyEsbuildConfig: forNode };
  return [
    { ...row, name: `${entry}.cjs`, limit: `${minified} B`, brotli: false },
    { ...row, name: `${entry}.cjs, compressed`, limit: `${compressed} B`, gzip: true },
  ];
}

export default [
  ...rows.flatMap(([entry, names, maximum]) =>
    names.split(' ').map((name) => ({
      name,
      path: `../../dist/${entry}.js`,
      import: `{ ${name} }`,
      limit: `${maximum} B`,
      brotli: false,
      modifyEsbuildConfig: quiet,
    })),
  ),
  {
    name: 'PaymentsClient, compressed',
    path: '../../dist/index.js',
    import: '{ PaymentsClient }',
    // With `instanceof` across copies, and small names in files of their own.
    limit: '69750 B',
    gzip: true,
    modifyEsbuildConfig: quiet,
  },
  {
    name: 'PaymentsClient and WebhookVerifier, compressed',
    path: '../../dist/index.js',
    import: {
      '../../dist/index.js': '{ PaymentsClient }',
      '../../dist/webhooks/index.js': '{ WebhookVerifier }',
    },
    limit: '79950 B',
    gzip: true,
    modifyEsbuildConfig: quiet,
  },
  // What a CommonJS program requires, which no bundler can shake: whole, minified and compressed.
  ...required('index.node', 279_300, 92_850),
  ...required('webhooks/index.node', 222_600, 74_000),
  {
    name: 'createOrders, compressed',
    path: '../../dist/orders/index.js',
    import: '{ createOrders }',
    limit: '31250 B',
    gzip: true,
    modifyEsbuildConfig: quiet,
  },
  ...required('stores/index', 168_800, 53_900),
] satisfies SizeLimitConfig;
