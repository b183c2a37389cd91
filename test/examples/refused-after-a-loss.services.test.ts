/**
 * Each program that moves money, when the service acts, its reply is lost, and the same call is then refused: nothing acts twice, and
 * nothing says that no money moved. The sandbox's ledger is the judge.
 */

import type { Sandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { movedIn } from '../support/sandbox.ts';
import { everyNth } from '../support/size.ts';
import { exampleDatabase } from './database.ts';
import {
  denialsIn,
  durableOrder,
  type Operation,
  type Program,
  programs,
  programsOn,
} from './money-programs.ts';

const database = exampleDatabase('test/examples/refused-after-a-loss.services.test.ts');
const { isSkipped, reason: why } = database;

/** All that moved money. */
async function ledgerOf(sandbox: Sandbox): Promise<readonly string[]> {
  return [
    ...(await movedIn(sandbox)),
    ...sandbox.transactions.map(({ type, status, captured }) => `${type} ${status} ${captured}`),
  ].toSorted();
}

/** How the next calls are refused. */
interface Refusal {
  readonly by: string;
  /** How often the reply is lost before. */
  readonly losses: number;
  /** Refuses each request of an operation. Absent: the service is down. */
  readonly refuse?: (sandbox: Sandbox, operation: Operation) => void;
}

const refusals: readonly Refusal[] = [
  {
    by: 'a 429',
    losses: 1,
    refuse: ({ faults }, operation) =>
      faults.inject({ kind: 'rate_limit', retryAfter: 0, times: 2, operation }),
  },
  {
    by: 'a 403',
    losses: 1,
    refuse: ({ faults }, operation) =>
      faults.inject({ kind: 'respond', status: 403, body: { code: 'FORBIDDEN' }, times: 2, operation }),
  },
  { by: 'a refused connection', losses: 3 },
];

type Case = Program & Refusal;

/** Each program with each refusal. */
function casesOf(all: readonly Program[]): readonly Case[] {
  return all.flatMap((program) => refusals.map((refusal) => ({ ...program, ...refusal })));
}

async function drive({ start, loses: operation, ledger, ends, losses, refuse }: Case): Promise<void> {
  const { sandbox, act } = await start();
  const port = Number(new URL(sandbox.url).port);
  const actAndJudge = async () => {
    const said = await act();
    expect(await ledgerOf(sandbox), said).toEqual(ledger);
    expect(denialsIn(said)).toEqual([]);
    return said.trim();
  };
  sandbox.faults.inject({ kind: 'drop_reply', operation, times: losses });
  refuse?.(sandbox, operation);
  await actAndJudge();
  expect(sandbox.faults.history()[0]?.fault.kind).toBe('drop_reply');
  if (refuse === undefined) await sandbox.close();
  await actAndJudge();
  if (refuse === undefined) await sandbox.listen({ port });
  sandbox.faults.clear();
  await actAndJudge();
  expect(await actAndJudge()).toMatch(ends);
}

it.each(casesOf(programs))('$name acts once if a reply is lost, then $by refuses the call', drive);

describe.skipIf(isSkipped)(`on PostgreSQL${why}`, () => {
  it.each(everyNth(casesOf(programsOn(database)), 2))(
    '$name acts once if a reply is lost, then $by refuses the call',
    drive,
  );
});

it('durable/order asks for no other card while an earlier try is on its way', async () => {
  const { sandbox, act } = await durableOrder();
  const operation = 'paymentIntents.confirm';
  const late = sandbox.faults.inject({ kind: 'drop_during', operation });
  sandbox.faults.inject({ kind: 'respond', status: 403, body: { code: 'FORBIDDEN' }, operation, skip: 1 });
  expect(await act()).toBe('PermissionError: the engine tries again');
  expect(await ledgerOf(sandbox)).toEqual([]);
  late.release();
  await sandbox.settled();
  expect(await act()).toBe('paid');
  expect(await ledgerOf(sandbox)).toEqual(['charge 1200']);
});
