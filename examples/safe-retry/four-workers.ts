/**
 * Four workers of `outbox.ts` send the refunds of a hundred returns, while some of them are killed and replaced. In the end each return
 * has one refund.
 *
 * Run it: `DATABASE_URL=postgres://… npm run example -- safe-retry/four-workers`.
 */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { PaymentsClient } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { postgresStore } from 'payments-client/stores';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });
pool.on('error', console.error); // without it a broken idle connection would end the process
const store = postgresStore(pool);
await store.migrate();
const payments = new PaymentsClient({ journal: createJournal({ store }) });
const run = Date.now(); // each run has its own returns
const returns = Array.from({ length: 100 }, (_, index) => `return-${run}-${index}`);

for (const id of returns) {
  const options = { operationId: id };
  const intent = await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, options);
  await payments.paymentIntents.confirm(intent.id, { payment_method: 'pm_card' }, options);
  const refund = { payment_intent_id: intent.id, amount: 500, reason: id };
  await payments.journal.plan().refunds.create(refund, options);
}

type Worker = ChildProcessByStdio<null, Readable, null>;
const workers = new Set<Worker>();
const ends: Promise<unknown>[] = [];
let [sent, kills] = [0, 0];

function startWorker(): void {
  const program = join(import.meta.dirname, 'outbox.ts');
  const worker = spawn(process.execPath, [...process.execArgv, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  workers.add(worker);
  ends.push(once(worker, 'exit').then(() => workers.delete(worker)));
  createInterface({ input: worker.stdout }).on('line', () => {
    sent += 1;
    if (sent % 10 === 0 && sent < returns.length) killOne();
  });
}

/** Kills a worker during its work, and starts another one. */
function killOne(): void {
  const alive = [...workers];
  alive[Math.floor(Math.random() * alive.length)]?.kill('SIGKILL');
  kills += 1;
  startWorker();
}

for (let index = 0; index < 4; index += 1) startWorker();
for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end;

const refunds = await payments.refunds.list({ limit: 100 }).toArray({ max: 10_000 });
const perReturn = returns.map((id) => refunds.filter(({ reason }) => reason === id).length);
const refundedOnce = perReturn.filter((count) => count === 1).length;
console.log(`${returns.length} returns, ${refundedOnce} refunded once, ${kills} workers killed`);
process.exitCode = refundedOnce === returns.length ? 0 : 1;
await pool.end();
