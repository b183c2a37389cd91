/** A process that takes payments over the form endpoint, which has no idempotency keys: each is sent once and never retried. */

import { Transact } from 'payments-client';
import { breakSomeConnections } from './late-errors.ts';
import { amountsOf, workerCount } from './plan.ts';
import type { WorkerTask } from './task.ts';
import { doAll, Work } from './work.ts';

const task: WorkerTask = JSON.parse(process.argv[2] ?? '');
breakSomeConnections(task.worker + 1);
const { baseUrl, securityKey, timeout } = task;
const transact = new Transact({ baseUrl, securityKey, timeout, totalTimeout: 20_000 });
const work = new Work(task);

const own = amountsOf(task.operations).filter((_, index) => index % workerCount === task.worker);

await doAll(own, async (amount) => {
  if (!work.begin(amount)) return;
  await work.attempt(amount, () => transact.sale({ amount, payment_token: `tok_${amount}` }));
});
