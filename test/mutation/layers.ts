/** What is mutated, and the tests that must notice. */

import { readdirSync } from 'node:fs';

/** One layer of the code. */
export interface Layer {
  /** The files that are mutated. */
  readonly mutate: readonly string[];
  /** The tests that attack it. Tests that start other processes are left out: those would run code that is not mutated. */
  readonly tests: readonly string[];
  /** What of these is left out. */
  readonly without?: readonly string[];
}

/** Several files of a folder: `each('src/core/*.ts', 'page', 'poll')`. */
function each(pattern: string, ...names: readonly string[]): string[] {
  return names.map((name) => pattern.replace('*', name));
}

const inCore = 'src/core/*.ts';

const lists = each(
  inCore,
  ...['page', 'item-iterator', 'list-params', 'envelope', 'work-through', 'poll', 'api-promise'],
);

const values = each(
  inCore,
  ...['schema', 'shapes', 'explain', 'describe', 'standard-schema', 'resource-reader'],
  ...['json', 'json-reader', 'integer', 'body-reader', 'error-body', 'redact'],
);

/** Whatever else there is of the core. */
const calls = readdirSync('src/core')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/core/${name}`)
  .filter((path) => !lists.includes(path) && !values.includes(path));

const coreTests = 'test/core/*.test.ts';
const resourceTests = 'test/resources/*.test.ts';

const callTests = [
  ...each(coreTests, 'calls', 'retries', 'errors', 'options', 'keys', 'bodies', 'words', 'wire'),
  ...each(resourceTests, 'routes'),
  ...each(coreTests, 'failures', 'telling', 'option-words', 'node/connecting', 'node/connections'),
  ...each('test/core/observe/*.test.ts', 'channels', 'debug', 'events', 'loggers'),
  ...each('test/security/*.test.ts', 'injection-requests', 'injection-origins'),
  'test/promises.test.ts',
];

/** The layers that money depends on; large ones in parts, each with the tests of that part, so that a change meets few of them. */
export const layers = {
  core: { mutate: calls, tests: callTests },
  'core/lists': {
    mutate: lists,
    tests: [
      ...each(coreTests, 'lists', 'for-each', 'prefetch', 'calls', 'bodies', 'words'),
      ...each(resourceTests, 'wait-for'),
    ],
  },
  'core/values': {
    mutate: values,
    tests: [
      ...each(coreTests, 'bodies', 'options', 'shapes', 'errors', 'lists', 'keys', 'words'),
      ...each(coreTests, 'error-bodies', 'redaction', 'body-reading', 'values'),
      ...each(resourceTests, 'with-schema', 'livemode', 'ids'),
      'test/security/injection-output.test.ts',
    ],
  },
  'core/node': {
    mutate: ['src/core/node/*.ts'],
    tests: [
      ...['test/core/node/*.test.ts', ...each(coreTests, 'wire', 'retries', 'economy')],
      ...each('test/faults/*.test.ts', 'connections', 'names', 'bodies'),
    ],
    without: ['test/core/observe/worker.test.ts'],
  },
  transact: {
    mutate: ['src/transact/*.ts'],
    tests: ['test/transact/*.test.ts', 'test/properties/readers.test.ts', 'test/promises.test.ts'],
    without: [
      'test/transact/fuzz.test.ts',
      'test/transact/secrets.test.ts',
      'test/transact/php-server.test.ts',
    ],
  },
  webhooks: {
    mutate: ['src/webhooks/*.ts', 'src/webhooks/events/*.ts', 'src/webhooks/signatures/*.ts'],
    tests: ['test/webhooks/*.test.ts', 'test/webhooks/signatures/*.test.ts'],
    without: ['test/webhooks/signatures/properties.test.ts', 'test/webhooks/signatures/interop.test.ts'],
  },
  'webhooks/receiver': {
    mutate: ['src/webhooks/receiver/*.ts'],
    tests: [
      ...each('test/webhooks/*.test.ts', 'receiver', 'refusals'),
      ...each('test/webhooks/servers/*.test.ts', 'bridge', 'node-http', 'fastify', 'hono'),
    ],
  },
  'webhooks/stores': {
    mutate: ['src/webhooks/stores/*.ts'],
    tests: ['test/webhooks/stores/*.test.ts'],
  },
  money: { mutate: ['src/money/*.ts'], tests: ['test/money/*.test.ts', 'test/transact/params.test.ts'] },
  fraud: { mutate: ['src/fraud/*.ts'], tests: ['test/fraud/*.test.ts'] },
} satisfies Readonly<Record<string, Layer>>;

/** The few files that decide whether something is sent again, and under which name. */
export const shortForm = {
  core: {
    ...layers.core,
    mutate: each(inCore, 'idempotency', 'outcome', 'retry', 'retry-after'),
  },
  transact: { ...layers.transact, mutate: ['src/transact/result.ts'] },
  money: layers.money,
} satisfies Readonly<Record<string, Layer>>;
