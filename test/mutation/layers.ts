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

/** Several files of a folder: `each('src/http/*.ts', 'page', 'poll')`. */
function each(pattern: string, ...names: readonly string[]): string[] {
  return names.map((name) => pattern.replace('*', name));
}

const inCore = 'src/http/*.ts';

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
const calls = readdirSync('src/http')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/http/${name}`)
  .filter((path) => !lists.includes(path) && !values.includes(path));

const coreTests = 'test/http/*.test.ts';
const resourceTests = 'test/resources/*.test.ts';

const callTests = [
  ...each(
    coreTests,
    'caller',
    'call/parameters',
    'raw-request',
    'secret',
    'bounded',
    'observer',
    'fetch-transport',
  ),
  ...each(coreTests, 'retry', 'errors', 'api-errors', 'error-body/*', 'config', 'idempotency', 'attempt'),
  ...each(coreTests, 'network-failure', 'resource-reader', 'page', 'poll', 'api-promise'),
  ...each(coreTests, 'node/transport/connecting', 'node/pool', 'debug'),
  ...each(coreTests, 'observer/events', 'observer/loggers'),
  ...each(resourceTests, 'routes'),
  ...each('test/security/*.test.ts', 'injection-requests', 'injection-origins'),
  'test/promises.test.ts',
];

/** The layers that money depends on; large ones in parts, each with the tests of that part, so that a change meets few of them. */
export const layers = {
  core: { mutate: calls, tests: callTests },
  'core/lists': {
    mutate: lists,
    tests: [
      ...each(coreTests, 'page', 'work-through', 'item-iterator', 'poll', 'api-promise', 'resource-reader'),
      ...each(coreTests, 'caller', 'raw-request', 'secret', 'bounded', 'observer', 'fetch-transport'),
    ],
  },
  'core/values': {
    mutate: values,
    tests: [
      ...each(coreTests, 'resource-reader', 'response/*', 'config', 'raw-request', 'call/parameters'),
      ...each(coreTests, 'shapes', 'errors', 'api-errors', 'page', 'poll', 'api-promise', 'idempotency'),
      ...each(coreTests, 'error-body', 'error-body/*', 'redact', 'body-reader'),
      ...each(coreTests, 'describe', 'integer', 'json', 'standard-schema'),
      ...each(resourceTests, 'open-resource', 'ids'),
      'test/security/injection-output.test.ts',
    ],
  },
  'core/node': {
    mutate: ['src/http/transport/*.ts'],
    tests: [
      ...each('test/http/transport/*.test.ts', 'transport', 'node/connecting', 'node/proxy'),
      ...each('test/http/transport/*.test.ts', 'pool', 'pool/concurrent-calls'),
      ...each(coreTests, 'attempt', 'retry', 'call/cost'),
      ...each('test/faults/*.test.ts', 'connections', 'names', 'bodies'),
    ],
  },
  transact: {
    mutate: ['src/transact/*.ts'],
    tests: [
      ...['test/transact/*.test.ts', 'test/money/to-decimal-amount.test.ts'],
      ...['test/properties/readers.test.ts', 'test/promises.test.ts'],
    ],
    without: ['test/transact/secrets.test.ts', 'test/transact/php-server.test.ts'],
  },
  webhooks: {
    mutate: ['src/webhooks/*.ts', 'src/webhooks/events/*.ts', 'src/webhooks/signatures/*.ts'],
    tests: ['test/webhooks/*.test.ts', 'test/webhooks/{events,signatures}/*.test.ts'],
    without: ['test/webhooks/signatures/tampering.test.ts', 'test/webhooks/signatures/interop.test.ts'],
  },
  'webhooks/receiver': {
    mutate: ['src/webhooks/receiver/*.ts'],
    tests: [
      ...each('test/webhooks/*.test.ts', 'receiver', 'error-messages'),
      ...each('test/webhooks/receiver/*.test.ts', 'fetch', 'node', 'fastify', 'hono'),
    ],
  },
  'webhooks/stores': {
    mutate: ['src/webhooks/stores/*.ts'],
    tests: ['test/webhooks/stores/**/*.test.ts'],
  },
  money: { mutate: ['src/money/*.ts'], tests: ['test/money/*.test.ts'] },
  fraud: { mutate: ['src/fraud/*.ts'], tests: ['test/fraud/*.test.ts'] },
} satisfies Readonly<Record<string, Layer>>;

/** The few files that decide whether something is sent again, and under which name. */
export const shortForm = {
  core: {
    mutate: each(inCore, 'idempotency', 'outcome', 'retry', 'retry-after'),
    tests: [
      ...each(coreTests, 'idempotency', 'idempotency/*', 'retry', 'network-failure', 'api-errors'),
      'test/promises.test.ts',
    ],
  },
  transact: { ...layers.transact, mutate: ['src/transact/result.ts'] },
  money: layers.money,
} satisfies Readonly<Record<string, Layer>>;
