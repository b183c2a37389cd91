/**
 * A merchant's process with a guard, whose store it shares with others. It runs its parent's orders, and answers with
 * the verdicts.
 */

import { PaymentsError } from 'payments-client';
import { type VelocityAttempt, VelocityGuard } from 'payments-client/fraud';
import { postgresStore, redisStore, type Store } from 'payments-client/stores';
import pg from 'pg';
import { createClient } from 'redis';
import { type Checked, type CheckerTask, type Order, rules, type StoreAddress } from './rules.ts';

const task: CheckerTask = JSON.parse(process.argv[2] ?? '');
for (const clock of [Date, performance]) {
  const now = clock.now.bind(clock);
  clock.now = () => now() + task.ahead;
}

async function openStore(address: StoreAddress): Promise<Store> {
  if (address.kind === 'postgres') return postgresStore(new pg.Pool({ ...address.connection, max: 10 }));
  return redisStore(await createClient({ socket: { path: address.path, tls: false } }).connect());
}

const guard = new VelocityGuard({
  secret: 'the same in every process',
  rules,
  store: await openStore(task.store),
});

/** Asks again while a busy machine keeps the store from answering in time; the attempt's id lets it count once. */
async function whenAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof PaymentsError && error.code === 'STORE_TIMEOUT')) throw error;
    }
  }
}

async function check({ id = crypto.randomUUID(), ...rest }: VelocityAttempt): Promise<Checked> {
  const { decision, retryAt, reasons, ticket } = await whenAnswered(() => guard.check({ id, ...rest }));
  const reached = Object.fromEntries(reasons.map((reason) => [reason.rule, reason.reached]));
  return { decision, ticket, retryAt: retryAt?.getTime(), reached };
}

async function obey(order: Order): Promise<readonly Checked[]> {
  if (order.kind === 'record') {
    await Promise.all(order.tickets.map((ticket) => whenAnswered(() => guard.record(ticket, order.outcome))));
    return [];
  }
  let answers = 0;
  const checkOne = async (attempt: VelocityAttempt) => {
    const checked = await check(attempt);
    answers += 1;
    if (answers === order.killAfter) process.kill(process.pid, 'SIGKILL');
    return checked;
  };
  return Promise.all(order.attempts.map(checkOne));
}

process.on('message', async (order: Order) => {
  process.send?.(await obey(order));
});
process.on('disconnect', () => process.exit());
process.send?.(Date.now());
