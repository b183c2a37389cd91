import { act, insertOrder } from './acts.ts';
import { checkStep } from './at-each-step.ts';
import { checkRest } from './at-rest.ts';
import type { Database } from './database.ts';
import { help } from './person.ts';
import { World } from './world.ts';

/** What happened in a history. */
export interface History {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly log: readonly string[];
  readonly kills: number;
  readonly edits: number;
  readonly calls: number;
  readonly shipped: number;
  readonly severalPayments: number;
  readonly faults: ReadonlyMap<string, number>;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Waits at rest: over any lease, any back-off and any time in which an expired page may still be paid. */
const rests = [
  ...Array<number>(6).fill(5 * minute),
  ...Array<number>(4).fill(hour),
  ...Array<number>(4).fill(6 * hour),
  ...Array<number>(10).fill(day),
  ...Array<number>(3).fill(7 * day),
  // A refund that others make is looked for during two months.
  ...Array<number>(3).fill(30 * day),
];

/** How often a handler may refuse an event before the service gives it up. */
const mostRefusals = 8;

async function endRefunds(world: World): Promise<void> {
  for (const { id, status } of world.refunds())
    if (status === 'pending') world.service.sandbox.update('refund', id, { status: 'succeeded' });
}

async function deliverAll(world: World): Promise<void> {
  for (let round = 0; round < 3 * mostRefusals; round += 1) {
    const waiting = world.letters.waiting.filter(({ refusals }) => refusals < mostRefusals);
    if (waiting.length === 0) return;
    for (const letter of waiting) world.deliver(letter);
    await world.drain();
  }
}

/** Lets time pass until nothing is left to do. */
async function rest(world: World): Promise<void> {
  for (const wait of rests) {
    await deliverAll(world);
    await world.pass(wait);
    for (const shop of world.shops) world.resume(shop);
    await world.drain();
    await endRefunds(world);
  }
  await deliverAll(world);
  const before = world.service.requests;
  await world.pass(30 * day);
  for (const shop of world.shops) world.resume(shop);
  await world.drain();
  const more = world.service.requests - before;
  if (more > 0) world.violate(`no rest: ${more} requests after four months`);
}

/** Mends what the world has broken, so that only the module's own state is left. */
async function mend(world: World): Promise<void> {
  world.becomeCalm();
  await world.drain();
  await world.bringBack();
  await world.restart();
  await world.drain();
  // After an edit a shop lets the buyer pay again, as the guide says: that is when the order learns of it.
  for (const row of await world.database.rows())
    if (row.shipped === 0)
      world.call('checkout', row, async (orders) => void (await orders.checkout(row.id)));
  await world.drain();
}

/** The number of draws in a history. */
const length = { least: 60, most: 700 };

async function live(world: World): Promise<void> {
  await world.restart();
  world.afterStep = () => checkStep(world);
  await insertOrder(world);
  const steps = length.least + world.draws.below(length.most - length.least);
  for (let step = 0; step < steps && world.violations.length === 0; step += 1) {
    if (world.draws.chance(0.75) && (await world.turns.step())) await checkStep(world);
    else await act(world);
    const dying = world.service.has('kill') ? world.turns.pickWaiting() : undefined;
    if (dying !== undefined) world.turns.kill(dying);
    await world.restart();
  }
  await mend(world);
  await rest(world);
  await checkRest(world);
  const isHelped = world.draws.chance(0.5);
  if (!isHelped || world.violations.length > 0) return;
  await help(world);
  await rest(world);
  await checkRest(world);
}

/** Replaces the clock of this process and the random back-off by those of the simulation. */
async function inItsTime<Value>(world: World, work: () => Promise<Value>): Promise<Value> {
  const { now } = Date;
  const { random } = Math;
  Date.now = () => world.service.now;
  Math.random = () => 0;
  try {
    return await work();
  } finally {
    Date.now = now;
    Math.random = random;
  }
}

/** Runs the history of a seed. */
export async function runHistory(seed: number, database: Database): Promise<History> {
  const world = new World(seed, database);
  try {
    await inItsTime(world, () => live(world));
  } catch (error) {
    world.violate(`the history broke: ${error instanceof Error ? error.stack : String(error)}`);
  }
  const rows = await database.rows();
  await database.close();
  return {
    seed,
    violations: world.violations,
    log: world.log,
    kills: world.turns.kills,
    edits: world.edits,
    calls: world.calls,
    shipped: rows.filter(({ shipped }) => shipped > 0).length,
    severalPayments: world.severalPayments,
    faults: world.service.faults,
  };
}
