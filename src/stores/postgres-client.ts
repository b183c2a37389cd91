import { checkOptions } from '../base/check-options.ts';
import { having } from '../base/options.ts';

/** What a statement gives. */
export interface PostgresResult {
  /** Its rows, each with its columns by name. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** What `postgresStore` needs of a connection or a pool: `Pool`, `PoolClient` and `Client` of `pg`, or `PGlite`. */
export interface PostgresClient {
  /** Runs one statement with the values of `$1`, `$2`, …. */
  query(text: string, values: unknown[]): Promise<PostgresResult>;
}

const connection = having<PostgresClient>('an object with query(text, values)', 'query');

/** @throws ConfigurationError when a value can run no statement. */
export function checkConnection(path: string, client: unknown): void {
  checkOptions(path, connection, client, 'Pass a Pool or a Client of pg, or a PGlite.');
}
