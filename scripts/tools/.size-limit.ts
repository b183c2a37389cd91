/** What one export of the built package costs in a bundle: minified, with all dependencies, not compressed. */

import type { SizeLimitConfig } from 'size-limit';

/** Exports of an entry, and the bytes that each may cost alone. */
type Row = readonly [entry: string, names: string, maximum: number];

/** A page may use any of these. */
const small = 2048;

const rows: readonly Row[] = [
  ['index', 'PaymentsError', small],
  ['index', 'WebhookVerificationError', small],
  // A refusal of an argument has the base class of all errors, and redacts what it repeats: keys, and numbers that may be those of cards.
  ['index', 'ConfigurationError InvalidRequestError', 3000],
  // With the words for a wrong value, and the redaction of what they repeat.
  ['index', 'toDate unknownField', 5800],
  ['webhooks/index', 'advanceSnapshot', 5800],
  // With the codes of AVS and CVV too.
  ['fraud/index', 'readChecks', 7500],
  // With the codes of all currencies too.
  ['index', 'formatAmount toDecimalAmount toMinorUnits', 6800],
  // With the table of all states, or with the errors of the service.
  ['index', 'isDecline', 4200],
  ['index', 'isTerminal', 5700],
  // With SHA-256, for long ids.
  ['index', 'deriveIdempotencyKey', 11_300],
  // With the checks of all arguments, the rules that SQLite shares, and a log line before it is full.
  ['stores/index', 'memoryStore', 39_900],
];

/** Without warnings of imports that are left out. esbuild has none for packages, but this is a folder. */
const quiet = <Config extends object>(config?: Config): Config =>
  Object.assign({}, config, { logLevel: 'error' });

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
    // With the journal, its accounts, seals and count.
    limit: '71200 B',
    gzip: true,
    modifyEsbuildConfig: quiet,
  },
] satisfies SizeLimitConfig;
