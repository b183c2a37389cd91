import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySize } from '../support/size.ts';
import { describeFailure, runCampaign } from './campaign.ts';
import { sharings } from './dimensions/accounts.ts';
import { mistakes } from './dimensions/currencies.ts';
import { endpointSecrets, eventKinds, modes } from './dimensions/deliveries.ts';
import { orderKinds } from './dimensions/orders.ts';
import { type Plan, plans } from './plan.ts';
import { planted } from './planted.ts';
import { promises } from './promises.ts';
import { Seats, unchangedSystem } from './virtual/seat.ts';
import { runEpisode } from './virtual/world.ts';

const total = bySize({ short: 100, all: 10_000 });
/** Set ENGINE_SEED to use another seed. The short form has one that draws every value of every dimension. */
const seed = Number(process.env['ENGINE_SEED'] ?? 8);

const both = [true, false];

/** The values of each dimension, by the names of the plan. `kind` is that of an order, an event or a store. */
const dimensions: Readonly<Record<string, readonly unknown[]>> = {
  inSandbox: both,
  hasJournal: both,
  isCrowded: both,
  takesObject: both,
  sharing: sharings,
  kind: [...orderKinds, ...eventKinds, 'memory', 'file'],
  losesWrites: both,
  jump: [401 * 86_400_000, -30 * 3_600_000],
  heals: both,
  isOther: both,
  currency: ['usd', 'eur'],
  mistake: mistakes,
  hasCard: both,
  isShared: both,
  maxRetries: [0, 1],
  isChanged: both,
  mode: modes,
  scope: Object.keys(endpointSecrets),
  movesMoney: both,
};

/** Returns the values of a plan, as `name value`. */
function valuesOf(plan: Plan): readonly string[] {
  const values: string[] = [];
  JSON.stringify(plan, (name, value: unknown) => {
    if (typeof value !== 'object') values.push(`${name} ${value}`);
    return value;
  });
  return values;
}

test(`keeps every promise through ${total} operations (ENGINE_SEED=${seed})`, async () => {
  const values = new Set<string>();
  const facts = new Set<string>();
  const { operations, faults, failure } = await runCampaign({
    system: unchangedSystem,
    seed,
    operations: total,
    onEpisode: (plan, result) => {
      for (const value of valuesOf(plan)) values.add(value);
      for (const fact of result.facts) facts.add(fact);
    },
  });
  expect(failure && describeFailure(failure)).toBeUndefined();
  expect(operations).toBeGreaterThan(total / 2);
  expect([...faults.values()].reduce((one, other) => one + other)).toBeGreaterThan(total / 10);
  // It asked every promise about every kind of fact, and drew every value of every dimension.
  expect(promises.flatMap(([, rules]) => Object.keys(rules)).filter((what) => !facts.has(what))).toEqual([]);
  const expected = Object.entries(dimensions).flatMap(([name, all]) =>
    all.map((value) => `${name} ${value}`),
  );
  expect(expected.filter((value) => !values.has(value))).toEqual([]);
});

async function scheduleOf(plan: Plan): Promise<readonly string[]> {
  const lines: string[] = [];
  await runEpisode(new Seats(unchangedSystem), plan, (line) => lines.push(line));
  return lines;
}

const [plan] = fc.sample(
  plans.filter(
    ({ operations, inSandbox, clock }) => operations.length > 5 && !inSandbox && clock === undefined,
  ),
  { seed: 1, numRuns: 1 },
);

test('repeats a schedule for the same plan, in memory and with SQLite', async () => {
  if (plan === undefined) throw new Error('fast-check drew nothing');
  const schedule = await scheduleOf({ ...plan, store: { kind: 'memory', losesWrites: false } });
  expect(schedule.length).toBeGreaterThan(20);
  expect(await scheduleOf({ ...plan, store: { kind: 'memory', losesWrites: false } })).toEqual(schedule);
  expect(await scheduleOf({ ...plan, store: { kind: 'file', losesWrites: false } })).toEqual(schedule);
});

test('prints a failure as a schedule, a small plan, and the command that repeats it', async () => {
  const system = planted.find(({ name }) => name === 'the journal closes an operation before the send');
  if (system === undefined) throw new Error('the defect is not planted');
  const { failure } = await runCampaign({ system, seed: 0, operations: 100 });
  if (failure === undefined) throw new Error('the defect was not found');
  expect(failure.plan.operations).toHaveLength(1);
  expect(failure.schedule.length).toBeLessThan(10);
  const [command = ''] = /--seed \S+ --path \S+/.exec(describeFailure(failure)) ?? [];
  const [, again, , path] = command.split(' ');
  const repeated = await runCampaign({ system, seed: Number(again), path, operations: 1 });
  expect(repeated.failure).toMatchObject({ promise: failure.promise, why: failure.why });
});
