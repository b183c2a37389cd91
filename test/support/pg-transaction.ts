import type { Pool, PoolClient } from 'pg';

/** Runs a function in a transaction of a pool, as a merchant does with pg. */
export async function inTransaction(pool: Pool, run: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await run(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
