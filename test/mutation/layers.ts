/** What is mutated, and the tests that must notice. */

/** One layer of the code. */
export interface Layer {
  /** The files that are mutated. */
  readonly mutate: readonly string[];
  /** The tests that attack it. Tests that start other processes are left out: those would run code that is not mutated. */
  readonly tests: readonly string[];
  /** What of these is left out. */
  readonly without?: readonly string[];
}

/** The layers that money depends on. */
export const layers = {
  core: {
    mutate: ['src/core/**/*.ts'],
    tests: [
      ...['test/core/**/*.test.ts', 'test/promises.test.ts', 'test/defects.test.ts'],
      'test/properties/idempotency-key.test.ts',
      ...['routes', 'wait-for', 'with-schema', 'livemode', 'ids'].map(
        (name) => `test/resources/${name}.test.ts`,
      ),
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
    mutate: ['src/webhooks/**/*.ts'],
    tests: ['test/webhooks/**/*.test.ts'],
    without: [
      'test/webhooks/exactly-once/**',
      'test/webhooks/servers/worker.test.ts',
      'test/webhooks/stores/postgres.test.ts',
    ],
  },
  fraud: { mutate: ['src/fraud/*.ts'], tests: ['test/fraud/*.test.ts'] },
} satisfies Readonly<Record<string, Layer>>;

/** The few files that decide whether something is sent again, and under which name. */
export const shortForm = {
  core: {
    ...layers.core,
    mutate: ['idempotency', 'outcome', 'retry', 'retry-after'].map((file) => `src/core/${file}.ts`),
  },
  transact: { ...layers.transact, mutate: ['src/transact/amount.ts', 'src/transact/result.ts'] },
} satisfies Readonly<Record<string, Layer>>;
