import type { RequestListener } from 'node:http';
import type { PostgresClient } from 'payments-client/stores';
import { Pool } from 'pg';

/** Makes the listener of a receiver. The database is a URL; `memory` does not use it. */
export type ReceiverJob = (database: string) => RequestListener | Promise<RequestListener>;

/** A file of `sides/`, and the export of it that receives. */
export interface ReceiverSide {
  readonly library: 'receiver' | 'bare-receiver';
  readonly job: 'memory' | 'inline' | 'transaction' | 'postgres';
}

export interface ReceiverSettings extends ReceiverSide {
  /** The URL of a PostgreSQL database; empty for a receiver that uses none. */
  readonly database: string;
}

/** Opens the pool of a receiver, with the table of effects. */
export async function openPool(connectionString: string): Promise<Pool> {
  const pool = new Pool({ connectionString });
  await pool.query('CREATE TABLE IF NOT EXISTS effects (event text NOT NULL)');
  return pool;
}

/** The effect of an event. */
export function insertEffect(client: PostgresClient, id: string): Promise<unknown> {
  return client.query('INSERT INTO effects (event) VALUES ($1)', [id]);
}
