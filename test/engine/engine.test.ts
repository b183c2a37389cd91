import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySize } from '../support/size.ts';
import { describeFailure, runCampaign } from './campaign.ts';
import { type Plan, plans } from './plan.ts';
import { planted } from './planted.ts';
import { promises } from './promises.ts';
import { Seats, unchangedSystem } from './virtual/seat.ts';
import { runEpisode } from './virtual/world.ts';

const total = bySize({ short: 300, all: 10_000 });
/** Set ENGINE_SEED to use another seed. */
const seed = Number(process.env['ENGINE_SEED'] ?? 20_261_127);

/** A hang is found in virtual time: nothing is planned, and something still waits. The limit is for the runner alone. */
const patient = { timeout: 600_000 };

test(`keeps every promise through ${total} operations (ENGINE_SEED=${seed})`, patient, async () => {
  const { operations, faults, failure } = await runCampaign({
    system: unchangedSystem,
    seed,
    operations: total,
  });
  expect(failure && describeFailure(failure)).toBeUndefined();
  expect(operations).toBeGreaterThan(total / 2);
  expect([...faults.values()].reduce((one, other) => one + other)).toBeGreaterThan(total / 10);
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

test('repeats a schedule for the same plan, in memory and with SQLite', patient, async () => {
  if (plan === undefined) throw new Error('fast-check drew nothing');
  const schedule = await scheduleOf({ ...plan, store: { kind: 'memory', losesWrites: false } });
  expect(schedule.length).toBeGreaterThan(20);
  expect(await scheduleOf({ ...plan, store: { kind: 'memory', losesWrites: false } })).toEqual(schedule);
  expect(await scheduleOf({ ...plan, store: { kind: 'file', losesWrites: false } })).toEqual(schedule);
});

test('prints a failure as a schedule, a small plan, and the command that repeats it', patient, async () => {
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

test('each promise falls by a planted defect', () => {
  expect(new Set(planted.map(({ breaks }) => breaks))).toEqual(new Set(promises.map(([name]) => name)));
});
