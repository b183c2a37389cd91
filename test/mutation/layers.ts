/** The mutated files, and the tests that must fail. */

import { readdirSync } from 'node:fs';
import { alone } from '../support/alone.ts';

/** One layer of the code. */
export interface Layer {
  /** The mutated files. */
  readonly mutate: readonly string[];
  /** The tests of the layer. Tests that start other processes are left out: those would run code without mutations. */
  readonly tests: readonly string[];
  /** Files to leave out. */
  readonly without?: readonly string[];
  /** Whether each test file loads the code anew, so that tests find mutants of what runs then. Default: true. */
  readonly isolate?: boolean;
  /** The required share of found mutants, in percent. Default: 85. */
  readonly score?: number;
}

export const usualScore = 85;

/** Several files of a folder: `each('src/http/*.ts', 'page', 'poll')`. */
function each(pattern: string, ...names: readonly string[]): string[] {
  return names.map((name) => pattern.replace('*', name));
}

/** Returns the other files of a folder. */
function othersIn(folder: string, taken: readonly string[]): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .filter((path) => !taken.includes(path));
}

const baseTests = 'test/base/*.test.ts';
const inHttp = 'src/http/*.ts';
const httpTests = 'test/http/*.test.ts';
const resourceTests = 'test/resources/*.test.ts';

const secrets = ['src/base/redact.ts'];

/** What decides whether, and with which key, a request is sent again. */
const decisions = each(inHttp, 'call', 'send', 'request/idempotency');

const lists = each(inHttp, 'api-promise');

const responses = each(inHttp, 'response');

/** What an error and a repeat say of the earlier calls of an operation. */
const historyTests = [...each(httpTests, 'past/*'), ...each('test/journal/*.test.ts', 'histories')];

/** The tests of the retry decision. */
const decisionTests = [
  ...historyTests,
  ...each(httpTests, 'request/keys'),
  ...each(httpTests, 'send/*', 'request/idempotency', 'request/secret', 'call', 'client/hooks'),
  ...each(httpTests, 'failure/refusal', 'failure/network-failure', 'failure/api-errors', 'failure/failure'),
  'test/promises/*.test.ts',
];

/**
 * The layers that money depends on; large ones are split, each part with its own tests, so that a mutation runs few of
 * them.
 */
export const layers = {
  base: {
    mutate: [...othersIn('src/base', secrets), 'src/base/{runtime,schema}/*.ts'],
    tests: [
      'test/base/**/*.test.ts',
      ...each(resourceTests, 'objects/open-resource', 'fields/*'),
      ...each(
        httpTests,
        'client/connection',
        'client/calls-under-way',
        'request/*',
        'call',
        'response',
        'veto/shown',
      ),
      'test/client/close.test.ts',
      'test/webhooks/receiver/drain.test.ts',
    ],
  },
  'base/secrets': {
    mutate: secrets,
    tests: [
      ...each(baseTests, 'redact'),
      ...each(httpTests, 'failure/error-body', 'failure/network-failure', 'client/hooks', 'client/hooks/*'),
      ...each(httpTests, 'request/secret', 'veto/shown'),
      ...each('test/security/*.test.ts', 'injection-output', 'secrets/functions', 'secrets/rotation'),
      'test/journal/record-contents.test.ts',
    ],
  },
  http: {
    mutate: [
      ...othersIn('src/http', [...lists, ...responses, ...decisions]),
      'src/http/{client,past}/*.ts',
      ...othersIn('src/http/request', decisions),
    ],
    tests: [
      ...each(httpTests, 'call', 'call/*', 'client/*', 'client/*/*', 'request/*', 'failure/failure'),
      ...each(httpTests, 'send/*', 'list/page', 'api-promise', 'failure/refusal', 'transport/fetch'),
      ...historyTests,
      ...each('test/journal/*.test.ts', 'journal', 'planned-calls', 'store-failures', 'record-contents'),
      ...each(httpTests, 'veto', 'veto/*'),
      ...each(baseTests, 'errors', 'runtime/runtime', 'redact'),
      ...each(resourceTests, 'routes', 'collection', 'service/*'),
      ...each(httpTests, 'execute/*'),
      ...each('test/security/*.test.ts', 'injection-requests', 'injection-origins'),
      'test/promises/*.test.ts',
      'test/client/close.test.ts',
      'test/opentelemetry/{calls,load}.test.ts',
    ],
  },
  'http/decisions': {
    mutate: decisions,
    tests: [
      ...decisionTests,
      ...each(httpTests, 'transport/fetch'),
      ...each('test/security/secrets/*.test.ts', 'rotation'),
      'test/opentelemetry/*.test.ts',
      'test/client/close.test.ts',
      ...each(httpTests, 'client/retry-budget', 'client/calls-under-way'),
    ],
  },
  'http/responses': {
    mutate: [...responses, 'src/http/failure/*.ts'],
    tests: [
      ...each(httpTests, 'response', 'failure/*', 'send/*', 'list/page', 'client/hooks', 'call'),
      ...each(httpTests, 'transport/fetch', 'transport/node'),
      ...each('test/bytes/*.test.ts', 'sizes'),
      ...each(httpTests, 'veto', 'veto/*'),
      ...each('test/journal/*.test.ts', 'journal', 'settle'),
      ...historyTests,
      'test/client/close.test.ts',
      ...each(httpTests, 'client/calls-under-way'),
      'test/base/errors/*.test.ts',
      ...each(httpTests, 'execute/*', 'request/secret'),
      ...each(resourceTests, 'poll'),
      ...each(httpTests, 'request/raw'),
      ...each(resourceTests, 'objects/open-resource', 'fields/ids', 'tolerance', 'routes'),
      'test/opentelemetry/calls.test.ts',
      ...each(httpTests, 'client/call-events'),
      'test/security/injection-output.test.ts',
    ],
  },
  'http/lists': {
    mutate: [...lists, 'src/http/list/*.ts', 'src/resources/poll.ts'],
    tests: [
      'test/client/close.test.ts',
      ...each(httpTests, 'list/page', 'list/page/*', 'list/cursor-warning', 'api-promise', 'response'),
      ...each(httpTests, 'request/raw', 'request/secret', 'client/hooks', 'past/*'),
      ...each(baseTests, 'time', 'errors'),
      ...each(resourceTests, 'collection', 'poll'),
    ],
  },
  'http/transport': {
    mutate: ['src/http/transport/*.ts'],
    tests: [
      ...each('test/http/transport/*.test.ts', 'node', 'fetch', 'received', 'pool', 'every-transport'),
      ...each('test/http/transport/node/*.test.ts', 'connecting', 'proxy', 'replaced-fetch'),
      'test/http/transport/pool/*.test.ts',
      ...each(httpTests, 'send/*', 'call/cost'),
      ...each(baseTests, 'time', 'errors'),
      ...each('test/bytes/*.test.ts', 'connections', 'reaching', 'encodings', 'sizes'),
    ],
  },
  transact: {
    mutate: ['src/transact/*.ts'],
    tests: [
      'test/transact/*.test.ts',
      'test/base/errors/*.test.ts',
      ...historyTests,
      'test/money/decimal-amount.test.ts',
      ...each('test/bytes/*.test.ts', 'service', 'sizes'),
      'test/promises/*.test.ts',
      ...each('test/journal/*.test.ts', 'record-contents'),
      ...each('test/security/secrets/*.test.ts', 'stored-cards'),
    ],
    without: ['test/transact/php.services.test.ts'],
  },
  webhooks: {
    mutate: ['src/webhooks/*.ts', 'src/webhooks/events/*.ts', 'src/webhooks/signatures/*.ts'],
    tests: [
      'test/webhooks/*.test.ts',
      'test/webhooks/{events,signatures}/*.test.ts',
      'test/webhooks/receiver/secret-lookup.test.ts',
    ],
    without: ['test/webhooks/signatures/tampering.test.ts'],
  },
  'webhooks/receiver': {
    mutate: ['src/webhooks/receiver/**/*.ts'],
    tests: [
      ...each('test/webhooks/*.test.ts', 'receiver', 'options'),
      ...each('test/webhooks/receiver/*.test.ts', 'modes', 'transaction', 'lease', 'store-timeout', 'failed'),
      ...each(
        'test/webhooks/receiver/*.test.ts',
        'delivery-key',
        'secret-lookup',
        'hand-off',
        'reports',
        'drain',
        'unhandled',
      ),
      ...each('test/webhooks/receiver/*.test.ts', 'servers', 'adapters/*', 'frameworks', 'hono'),
      ...each('test/webhooks/receiver/*.test.ts', 'without-on-error', 'misuse', 'job'),
      'test/webhooks/events/forgotten.test.ts',
    ],
  },
  journal: {
    mutate: ['src/journal/**/*.ts'],
    tests: [
      'test/client/close.test.ts',
      'test/journal/**/*.test.ts',
      'test/promises/*.test.ts',
      'test/stores/kept/*.test.ts',
      ...each('test/security/*.test.ts', 'secrets/stored-cards', 'secret-rotation'),
    ],
  },
  // Only services tests run the other files of a store on a server.
  stores: {
    mutate: [
      'src/stores/*.ts',
      'src/stores/{kept,records,memory,sqlite}/*.ts',
      'src/stores/postgres/{connections,transaction}.ts',
    ],
    tests: ['test/stores/**/*.test.ts', 'test/webhooks/receiver/job.test.ts'],
  },
  orders: {
    mutate: ['src/orders/*.ts', 'src/orders/{calls,record,steps}/*.ts'],
    tests: ['test/orders/*.test.ts'],
    without: ['test/orders/world.test.ts'],
    // Two samples of new code, 84.9 and 80.6 %. The world finds more, and is too slow here.
    score: 82,
  },
  money: {
    mutate: ['src/money/*.ts'],
    tests: ['test/money/*.test.ts', 'test/transact/form-amounts.test.ts'],
  },
  fraud: { mutate: ['src/fraud/**/*.ts'], tests: ['test/fraud/**/*.test.ts'] },
} satisfies Readonly<Record<string, Layer>>;

/** All tests that can run in one process. */
export const everywhere = {
  tests: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
  without: [...alone],
  // Hundreds of files would load the package anew for the initial run alone.
  isolate: false,
};

/** The few files that decide whether, and with which key, a request is sent again. */
export const shortForm = {
  http: { mutate: decisions, tests: decisionTests, score: 97 },
  transact: { ...layers.transact, mutate: ['src/transact/result.ts'], score: 100 },
  money: { ...layers.money, score: 95 },
} satisfies Readonly<Record<string, Layer>>;
