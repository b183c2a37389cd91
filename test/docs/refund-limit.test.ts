/** Runs the recipe of docs/fraud.md that limits refunds to 50.00 a day: in parallel, over repeats, in several processes, and on the next day. */

import { fileURLToPath } from 'node:url';
import { type BeforeCall, CallRefusedError, type PaymentsClient } from 'payments-client';
import type { VelocityGuardOptions } from 'payments-client/fraud';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { beforeAll, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund } from '../support/fixtures.ts';
import { json } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import { readSnippets, writeSnippets } from './snippets.ts';

const folder = new URL('../.tmp/refund-limit/', import.meta.url);
const service = useScriptedService();
const day = 86_400_000;
let refundLimit: (options: Pick<VelocityGuardOptions, 'secret' | 'store'>) => BeforeCall;

beforeAll(async () => {
  const all = await readSnippets();
  const recipe = all.filter(({ path, isModule }) => isModule && path.endsWith('/refund-limit.ts'));
  await writeSnippets(recipe, folder);
  ({ refundLimit } = await import(fileURLToPath(new URL(recipe[0]?.path ?? '', folder))));
});

/** Processes that share a store, whose clock the test moves. */
function shop({ processes = 1, journal = false } = {}) {
  let now = Date.UTC(2026, 0, 1);
  const store = memoryStore({ now: () => now });
  const secret = 'the same in every process';
  const options = journal ? { journal: createJournal({ store, now: () => now }) } : {};
  const clients = Array.from({ length: processes }, () =>
    service.createClient({ ...options, beforeCall: refundLimit({ secret, store }) }),
  );
  service.answers(() => json({ ...refund, amount: 100 }));
  return { clients, pass: (ms: number) => (now += ms) };
}

const give = ({ refunds }: PaymentsClient, operationId: string, amount = 100) =>
  refunds.create({ charge_id: 'ch_1', amount }, { operationId });

/** The operations that were sent: each is executed once, whatever repeats it. */
const sent = () => new Set(service.arrivals.map(({ headers }) => headers.get('idempotency-key')));

/** Makes refunds at once. Returns the ids of those that were refused. */
async function refusedOf(clients: readonly PaymentsClient[], ids: readonly string[]): Promise<string[]> {
  const refused = ids.map(async (id, index) => {
    const client = clients[index % clients.length] ?? expect.fail('no process');
    const error = await give(client, id).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined) expect(error).toBeInstanceOf(CallRefusedError);
    return error === undefined ? [] : [id];
  });
  return (await Promise.all(refused)).flat();
}

const ids = Array.from({ length: 100 }, (_, index) => `return-${index}`);

it('passes exactly 50 of 100 refunds of 1.00 at once, and their repeats, which spend nothing', async () => {
  const { clients, pass } = shop({ processes: 3 });
  const refused = await refusedOf(clients, ids);
  expect([sent().size, refused.length]).toEqual([50, 50]);
  const given = ids.filter((id) => !refused.includes(id));
  for (const _ of [1, 2]) expect(await refusedOf(clients, given)).toEqual([]);
  expect(await refusedOf(clients, refused)).toEqual(refused);
  expect([sent().size, service.arrivals.length]).toEqual([50, 150]);
  // The end of the last 60th of the day.
  pass(day + day / 60);
  expect(await refusedOf(clients, refused)).toEqual([]);
  expect(sent().size).toBe(100);
});

it('counts a refund once whose calls are made at once', async () => {
  const { clients } = shop({ processes: 2 });
  const refused = await refusedOf(clients, [...ids, ...ids]);
  expect([sent().size, new Set(refused).size]).toEqual([50, 50]);
});

it('passes a repeat at the limit, and no other amount under its id', async () => {
  const { clients } = shop();
  const [payments = expect.fail('no process')] = clients;
  await give(payments, 'return-1', 1);
  await give(payments, 'return-2', 4_999);
  await give(payments, 'return-1', 1);
  await failureOf(give(payments, 'return-1', 4_000), CallRefusedError);
  await failureOf(give(payments, 'return-3', 1), CallRefusedError);
});

it('refuses a refund without an amount by any method, and passes all that is no refund', async () => {
  const { clients } = shop();
  const [payments = expect.fail('no process')] = clients;
  const by = { operationId: 'return-1' };
  await failureOf(payments.refunds.create({ charge_id: 'ch_1' }, by), CallRefusedError);
  await failureOf(payments.paymentIntents.refund('pi_1', {}, by), CallRefusedError);
  await failureOf(payments.checkoutSessions.refund('cs_1', { amount: 5_001 }, by), CallRefusedError);
  expect(service.arrivals).toEqual([]);
  await payments.refunds.retrieve('rf_1');
  expect(service.arrivals).toHaveLength(1);
});

it('spends once for a refund that is planned, resumed and repeated', async () => {
  const { clients } = shop({ journal: true });
  const [payments = expect.fail('no process')] = clients;
  const plan = payments.journal.plan();
  await plan.refunds.create({ charge_id: 'ch_1', amount: 5_000 }, { operationId: 'return-1' });
  await failureOf(give(payments, 'return-2', 1), CallRefusedError);
  for await (const operation of payments.journal.open()) await operation.resume();
  await give(payments, 'return-1', 5_000);
  expect(sent().size).toBe(2); // The refund, and its retrieval, which has no key.
});
