import { issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { refuse } from '../checks.ts';

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

/** @throws ConfigurationError when a value can run no statement. */
export function checkConnection(path: string, client: unknown): void {
  const isUsable = isRecord(client) && typeof client['query'] === 'function';
  const issues = isUsable ? [] : [issueAt(path, 'an object with query(text, values)', client)];
  refuse(issues, 'Pass a Pool or a Client of pg, or a PGlite.');
}
