/** The clients that the guide names, each adapted as the guide does, and PgBouncer in transaction mode. */

import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { type PostgresClient, postgresStore } from 'payments-client/stores';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { delivery, envelope, webhooksAt } from '../../support/deliveries.ts';
import { inTransaction } from '../../support/pg-transaction.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import { hasPostgres } from '../../support/postgres-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { describeStore } from '../contract.ts';
import { freshKey, long } from '../time.ts';
import { bucketsIn, type Connection, setClock, usePostgres } from './database.ts';

const alone = usePostgres('postgres/clients');
const behind = skipWithout(
  hasPostgres() && hasPgBouncer(),
  'PgBouncer',
  'test/stores/postgres/clients.services.test.ts',
);

/** A client of a merchant, adapted. `Client` is what a handler gets in a transaction. */
interface Opened<Client> {
  readonly client: PostgresClient;
  /** Runs a function in a transaction of the client, which rolls back if the function throws. */
  transaction(run: (client: Client) => Promise<void>): Promise<unknown>;
  /** The effect of a handler: inserts a key by the client's own means. */
  insert(client: Client, key: string): Promise<unknown>;
  close(): Promise<void>;
}

const poolOf = (connection: Connection) => new pg.Pool({ ...connection, max: 4 });

function openPg(connection: Connection): Opened<pg.PoolClient> {
  const pool = poolOf(connection);
  return {
    client: pool,
    transaction: (run) => inTransaction(pool, run),
    insert: (client, key) => client.query('INSERT INTO effects VALUES ($1)', [key]),
    close: () => pool.end(),
  };
}

/** It describes each statement to the server, and encodes parameters by their types. */
function openPostgres({ host, port, user, database }: Connection, options: { prepare?: boolean } = {}) {
  const path = `${host}/.s.PGSQL.${port}`;
  const pool = postgres({ path, user, database, max: 4, onnotice: () => {}, ...options });
  const adapt = <Sql extends Pick<postgres.Sql, 'unsafe'>>(sql: Sql) => ({
    sql,
    query: async (text: string, values: unknown[]) => ({ rows: await sql.unsafe(text, values as string[]) }),
  });
  const opened: Opened<ReturnType<typeof adapt<postgres.TransactionSql>>> = {
    client: adapt(pool),
    transaction: (run) => pool.begin((transaction) => run(adapt(transaction))),
    insert: (client, key) => client.sql`INSERT INTO effects VALUES (${key})`,
    close: () => pool.end(),
  };
  return opened;
}

function openKysely(connection: Connection) {
  const pool = new Kysely<{ effects: { key: string } }>({
    dialect: new PostgresDialect({ pool: poolOf(connection) }),
  });
  const adapt = (db: typeof pool) => ({
    db,
    query: (text: string, values: unknown[]) =>
      db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values)),
  });
  const opened: Opened<ReturnType<typeof adapt>> = {
    client: adapt(pool),
    transaction: (run) => pool.transaction().execute((trx) => run(adapt(trx))),
    insert: (client, key) => client.db.insertInto('effects').values({ key }).execute(),
    close: () => pool.destroy(),
  };
  return opened;
}

function openDrizzle(connection: Connection): Opened<pg.PoolClient> {
  const db = drizzle({ client: poolOf(connection) });
  return {
    client: db.$client,
    transaction: (run) => inTransaction(db.$client, run),
    insert: (client, key) => drizzle({ client }).execute(sql`INSERT INTO effects VALUES (${key})`),
    close: () => db.$client.end(),
  };
}

let bouncer: PgBouncer | undefined;
beforeAll(async () => {
  if (alone.isSkipped) return;
  if (!behind.isSkipped) bouncer = await startPgBouncer(alone.server());
  await postgresStore(alone.pool()).migrate();
});
afterAll(() => bouncer?.stop());

const direct = () => alone.server().connection;
/** Where PgBouncer listens. */
function pooled(connection = direct()): Connection {
  if (bouncer === undefined) throw new Error('PgBouncer is not started');
  return { ...bouncer.connection, database: connection.database };
}

function describeContract(
  name: string,
  { isSkipped, why }: typeof behind,
  open: (connection: Connection) => Pick<Opened<unknown>, 'client' | 'close'>,
): void {
  describeStore(`PostgreSQL, by ${name}${why}`, isSkipped, async () => {
    const { connection, admin } = await alone.createTimed();
    const { client, close } = open(connection);
    const store = postgresStore(client, { timeout: 5000 });
    await store.migrate();
    return {
      stores: [store, postgresStore(client, { timeout: 5000 })],
      isServer: true,
      setTime: (now) => setClock(admin, now),
      bucketsOf: (key) => bucketsIn(admin, key),
      purge: () => store.purge(),
      close,
    };
  });
}

function describeTransactions<Client extends PostgresClient>(
  name: string,
  { isSkipped, why }: typeof behind,
  open: () => Opened<Client>,
): void {
  describe.skipIf(isSkipped)(`a transaction of ${name}${why}`, () => {
    let opened: Opened<Client>;
    beforeAll(() => {
      opened = open();
    });
    afterAll(() => opened?.close());

    it('commits the effect of a handler with the record, or neither', async () => {
      const { client: pool, transaction, insert } = opened;
      const webhooks = webhooksAt();
      let mustFail = true;
      const receiver = webhooks.receiver<Client>({
        store: postgresStore(pool),
        transaction,
        onEvent: async ({ id }, { client }) => {
          await insert(client, id);
          if (mustFail) throw new Error('the handler failed');
        },
        onError: () => {},
      });
      const id = freshKey();
      const sent = await delivery(envelope('refund.failed', {}, { id }), webhooks);
      expect(await receiver.handle(sent)).toMatchObject({ outcome: 'failed' });
      expect(await alone.effectsOf(id)).toBe(0);
      mustFail = false;
      expect(await receiver.handle(sent)).toMatchObject({ outcome: 'handled' });
      expect(await receiver.handle(sent)).toMatchObject({ outcome: 'duplicate' });
      expect(await alone.effectsOf(id)).toBe(1);
    });

    it('completes a claim with the effect, or neither', async () => {
      const { client: pool, transaction, insert } = opened;
      const store = postgresStore(pool);
      const [key, token] = [freshKey(), 'mine'];
      await store.claim(key, long, { token });
      const complete = async (client: Client) => {
        await insert(client, key);
        expect(await store.complete(key, token, long, { client })).toBe(true);
      };
      const failed = transaction(async (client) => {
        await complete(client);
        throw new Error('the handler failed');
      });
      await expect(failed).rejects.toThrow('the handler failed');
      expect(await store.claim(key, long)).toMatchObject({ status: 'in_progress' });
      expect(await alone.effectsOf(key)).toBe(0);
      await transaction(complete);
      expect(await store.claim(key, long)).toEqual({ status: 'completed' });
      expect(await alone.effectsOf(key)).toBe(1);
    });
  });
}

describeContract('postgres', alone, (connection) => openPostgres(connection));
describeContract('kysely', alone, openKysely);
describeContract('pg, through PgBouncer', behind, (connection) => openPg(pooled(connection)));
describeContract('postgres, through PgBouncer', behind, (connection) =>
  openPostgres(pooled(connection), { prepare: false }),
);

describeTransactions('postgres', alone, () => openPostgres(direct()));
describeTransactions('kysely', alone, () => openKysely(direct()));
// Its client for the store is a pool of pg.
describeTransactions('drizzle-orm', alone, () => openDrizzle(direct()));
describeTransactions('pg, through PgBouncer', behind, () => openPg(pooled()));
describeTransactions('postgres, through PgBouncer', behind, () => openPostgres(pooled(), { prepare: false }));

it.skipIf(behind.isSkipped)(
  `leaves no setting behind in a connection of PgBouncer${behind.why}`,
  async () => {
    const { client, transaction, close } = openPg(pooled());
    const settings = `SELECT current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('lock_timeout') AS lock`;
    const store = postgresStore(client, { timeout: 5000 });
    await transaction(async (connection) => {
      await store.record(freshKey(), long, { client: connection, lease: long });
      expect((await connection.query(settings)).rows).toEqual([{ idle: '1h', lock: '0' }]);
    });
    // PgBouncer gives out the connection that was used last.
    expect((await client.query(settings, [])).rows).toEqual([{ idle: '0', lock: '0' }]);
    await close();
  },
);
