/**
 * Charges an order once as a workflow of DBOS, on PostgreSQL alone: after a crash, start it again, and it goes on.
 *
 * Run it, after `npm install --no-save @dbos-inc/dbos-sdk`: `DATABASE_URL=postgres://… npm run example -- durable/dbos`. In your app also
 * PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY; then `node dbos.ts order-1042 1200 usd pm_… pm_…`. It exits with 0 only if the order is paid.
 */

import { DBOS } from '@dbos-inc/dbos-sdk';
import { PaymentsClient, PaymentsError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { type Order, payOrder, stepsOf } from './order.ts';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });
pool.on('error', console.error); // without it a broken idle connection would end the process
const store = postgresStore(pool);
await store.migrate();
// The journal knows each result also when the service has forgotten its key.
const payments = new PaymentsClient({ journal: createJournal({ store }) });
const steps = stepsOf(payments);

const tries = {
  retriesAllowed: true,
  maxAttempts: 10,
  shouldRetry: (error: unknown) => error instanceof PaymentsError && error.retryable,
};
const durable = {
  open: DBOS.registerStep(steps.open, { ...tries, name: 'open' }),
  charge: DBOS.registerStep(steps.charge, { ...tries, name: 'charge' }),
};
const workflow = DBOS.registerWorkflow((order: Order) => payOrder(durable, order), {
  name: 'payOrder',
});

DBOS.setConfig({ name: 'shop', systemDatabasePool: pool, logLevel: 'error' });
await DBOS.launch(); // and goes on with what was killed

const [id = '', amount, currency = '', ...cards] = process.argv.slice(2);
const order = { id, amount: Number(amount), currency, cards };
const handle = await DBOS.startWorkflow(workflow, { workflowID: id })(order);
const result = await handle.getResult();
console.log(`${id}: ${result}`);
process.exitCode = result === 'succeeded' ? 0 : 1;
await DBOS.shutdown();
await pool.end();
