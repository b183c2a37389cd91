/**
 * Charges an order once as a workflow of DBOS, and ships it exactly once, on PostgreSQL alone: after a crash, start it again, and it goes on.
 *
 * Run it, after `npm install --no-save @dbos-inc/dbos-sdk`: `DATABASE_URL=postgres://… npm run example -- durable/dbos`. In your app also
 * PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY; then `node dbos.ts order-1042 pm_… pm_…`. It exits with 0 only if the order is paid.
 */

import { DBOS } from '@dbos-inc/dbos-sdk';
import { PaymentsClient } from 'payments-client';
import { createOrders, type OrderRow } from 'payments-client/orders';
import { postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { type Order, payOrder, stepsOf } from './order.ts';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });
pool.on('error', console.error); // without it a broken idle connection would end the process
const store = postgresStore(pool);
await store.migrate();
await pool.query(`CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, shipped boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(), currency text NOT NULL, lines jsonb NOT NULL)`);

const orders = createOrders({
  payments: new PaymentsClient(),
  store,
  account: 'tea-shop',
  page: (id) => `https://shop.example/orders/${id}`,
  async order(id, client) {
    const text = 'SELECT created_at AS "createdAt", currency, lines FROM orders WHERE id = $1 FOR UPDATE';
    return (await client.query(text, [id])).rows[0] as OrderRow | undefined; // its fields are checked
  },
  // In the same transaction as the record of the payment.
  onPaid: ({ id }, client) => client.query('UPDATE orders SET shipped = true WHERE id = $1', [id]),
});

const { charge } = stepsOf(orders);
const tries = { retriesAllowed: true, maxAttempts: 10 };
const steps = { charge: DBOS.registerStep(charge, { ...tries, name: 'charge' }) };
const workflow = DBOS.registerWorkflow((order: Order) => payOrder(steps, order), { name: 'payOrder' });
DBOS.setConfig({ name: 'shop', systemDatabasePool: pool, logLevel: 'error' });
await DBOS.launch(); // and goes on with what was killed

const [id = '', ...cards] = process.argv.slice(2);
const lines = JSON.stringify([{ name: 'Tea', amount: 1200, quantity: 1 }]);
const insert = "INSERT INTO orders (id, currency, lines) VALUES ($1, 'usd', $2) ON CONFLICT DO NOTHING";
await pool.query(insert, [id, lines]); // your shop does it when the buyer orders
const handle = await DBOS.startWorkflow(workflow, { workflowID: id })({ id, cards });
const result = await handle.getResult();
console.log(`${id}: ${result}`);
process.exitCode = result === 'paid' ? 0 : 1;
await DBOS.shutdown();
await pool.end();
