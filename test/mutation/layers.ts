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

const inHttp = 'src/http/*.ts';
const httpTests = 'test/http/*.test.ts';
const resourceTests = 'test/resources/*.test.ts';

const lists = each(
  inHttp,
  ...['page', 'page-body', 'item-iterator', 'list-params', 'work-through', 'poll', 'api-promise'],
);

const responses = each(inHttp, 'response', 'response-headers', 'error-body', 'refusal', 'api-errors');

/** All other files of a call. */
const calls = readdirSync('src/http')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/http/${name}`)
  .filter((path) => !lists.includes(path) && !responses.includes(path));

const callTests = [
  ...each(httpTests, 'call', 'call/parameters', 'raw-request', 'secret', 'bounded', 'config', 'debug'),
  ...each(httpTests, 'attempt', 'retry', 'refusal', 'network-failure', 'api-errors', 'error-body/*'),
  ...each(httpTests, 'idempotency', 'idempotency/*', 'response', 'page', 'poll', 'api-promise'),
  ...each(httpTests, 'observer', 'observer/events', 'observer/loggers', 'observer/channels'),
  ...each(httpTests, 'transport/fetch', 'transport/pool', 'transport/node/connecting'),
  ...each(resourceTests, 'collection', 'routes'),
  ...each('test/security/*.test.ts', 'injection-requests', 'injection-origins'),
  'test/promises.test.ts',
];

/** The layers that money depends on; large ones in parts, each with the tests of that part, so that a change meets few of them. */
export const layers = {
  base: {
    mutate: ['src/base/*.ts'],
    tests: [
      'test/base/*.test.ts',
      ...each(httpTests, 'config', 'call/parameters', 'response', 'response/*', 'error-body', 'retry'),
      ...each(httpTests, 'network-failure', 'idempotency'),
      ...each(resourceTests, 'open-resource', 'ids'),
      'test/security/injection-output.test.ts',
    ],
  },
  http: { mutate: calls, tests: callTests },
  'http/lists': {
    mutate: lists,
    tests: [
      ...each(httpTests, 'page', 'work-through', 'item-iterator', 'poll', 'api-promise', 'response'),
      ...each(httpTests, 'call', 'raw-request', 'secret', 'bounded', 'observer', 'transport/fetch'),
    ],
  },
  'http/responses': {
    mutate: responses,
    tests: [
      ...each(httpTests, 'response', 'response/*', 'error-body', 'error-body/*', 'refusal', 'api-errors'),
      ...each(httpTests, 'call', 'page', 'raw-request', 'retry', 'transport/received'),
    ],
  },
  'http/transport': {
    mutate: ['src/http/transport/*.ts'],
    tests: [
      ...each('test/http/transport/*.test.ts', 'fetch', 'received', 'node', 'node/connecting', 'node/proxy'),
      ...each('test/http/transport/*.test.ts', 'pool', 'pool/concurrent-calls'),
      ...each(httpTests, 'attempt', 'retry', 'call/cost'),
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
  http: {
    mutate: [...each(inHttp, 'idempotency', 'retry'), ...each('src/base/*.ts', 'outcome', 'retry-after')],
    tests: [
      ...each(httpTests, 'idempotency', 'idempotency/*', 'retry', 'network-failure', 'api-errors'),
      'test/promises.test.ts',
    ],
  },
  transact: { ...layers.transact, mutate: ['src/transact/result.ts'] },
  money: layers.money,
} satisfies Readonly<Record<string, Layer>>;
