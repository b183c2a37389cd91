import { checkOptions, having } from '../../base/schema/options.ts';
import { lazily } from '../../base/schema/schema.ts';

/** The part of a connection or a pool that `postgresStore` uses: `Pool`, `PoolClient` and `Client` of `pg`, or `PGlite`. */
export interface PostgresClient {
  /** Runs one statement with the values of `$1`, `$2`, …. Each row is an object of its columns. */
  query(
    text: string,
    values: unknown[],
  ): Promise<{
    /** The rows of the result, with their columns by name. */
    readonly rows: readonly Readonly<Record<string, unknown>>[];
  }>;
}

const connection = /* @__PURE__ */ lazily(() =>
  having<PostgresClient>('an object with query(text, values)', 'query'),
);

/** @throws ConfigurationError for a value that cannot run statements. */
export function checkConnection(path: string, client: unknown): void {
  checkOptions(path, connection, client, 'Pass a Pool or a Client of pg, or a PGlite.');
}
