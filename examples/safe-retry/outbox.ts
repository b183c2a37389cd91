/**
 * Commits each return and its refund together in PostgreSQL: no return is without its refund, and no refund without its return.
 * Any number of workers send the committed refunds. After any crash, each is made once.
 *
 * Run it: `DATABASE_URL=postgres://… npm run example -- safe-retry/outbox`. In your app also PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY; then
 * `node outbox.ts return-77 pi_… 500` stores a return, and `node outbox.ts` is a worker, which ends when all refunds are sent. It exits
 * with 1 if a refund failed or is left to a person, and with 2 after wrong arguments.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { IdempotencyKeyInProgressError, PaymentsClient, PaymentsError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { postgresStore } from 'payments-client/stores';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });
pool.on('error', console.error); // without it a broken idle connection would end the process
const store = postgresStore(pool);
await store.migrate();
await pool.query(
  'CREATE TABLE IF NOT EXISTS returns (id text PRIMARY KEY, intent text NOT NULL, amount int)',
);
const payments = new PaymentsClient({ journal: createJournal({ store }) });

async function storeReturn(id: string, intent: string, amount: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO returns VALUES ($1, $2, $3)', [id, intent, amount]);
    const refund = { payment_intent_id: intent, amount };
    await payments.journal.plan({ client }).refunds.create(refund, { operationId: id });
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** Sends the open refunds, and returns whether to try again later. */
async function sendOpen(): Promise<boolean> {
  let isLeft = false;
  for await (const operation of payments.journal.open()) {
    try {
      const { status } = Object(await operation.resume()); // of the refund
      console.log(`${operation.operationId}: ${status}`);
      if (status !== 'pending' && status !== 'succeeded') process.exitCode = 1;
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      if (error.retryable) isLeft = true;
      else process.exitCode = 1;
      // Another worker is sending it.
      if (error instanceof IdempotencyKeyInProgressError) continue;
      // An operation that cannot be retried stays open until somebody checks it and calls `settle`.
      console.error(
        `${operation.operationId}: ${error.retryable ? 'later' : 'look into it'}: ${error.message}`,
      );
    }
  }
  return isLeft;
}

const [id, intent, amount, ...more] = process.argv.slice(2);
if (id && intent && amount && more.length === 0) await storeReturn(id, intent, Number(amount));
else if (id !== undefined) {
  console.error('Expected: node outbox.ts [<return> <payment intent> <amount>]');
  process.exit(2);
}
while (await sendOpen()) await wait(1000);
await pool.end();
