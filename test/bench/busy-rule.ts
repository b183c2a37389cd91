/**
 * A check where a rule has counted about 50,000 attempts, beside one where it has counted 10. The attempts are spread over the window, so that
 * nearly all its buckets are in use. The store does not wait for the disk, since a wait would hide what the store itself takes.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { VelocityGuard } from 'payments-client/fraud';
import { micros, type Row, times } from './row.ts';
import { median, middleHalf, ratios } from './statistics.ts';
import type { StorePlace } from './store-places.ts';
import { openStore } from './stores.ts';

const windowMs = 60_000;
const buckets = 60;
const [many, few] = [50_000, 10];
const target = 1.3;

const rounds = 31;
const checksPerRound = 40;

/** Does something so often, so many at once. */
async function repeat(count: number, inFlight: number, act: (index: number) => Promise<unknown>) {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await act(index);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

/** Seconds for one check, one in flight. */
async function timeOf(check: (index: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await repeat(checksPerRound, 1, check);
  return (performance.now() - start) / 1000 / checksPerRound;
}

/** Measures one store. */
export async function busyRow(name: string, place: StorePlace): Promise<Row> {
  const { store, close } = await openStore(place);
  // Exceeded by every attempt, so that verdicts say how many there are.
  const rule = { name: 'ip', per: 'ip', counts: 'attempts', limit: 0, windowMs, action: 'review' } as const;
  const guard = new VelocityGuard({ secret: 'a secret of the benchmark', rules: [rule], store });
  const busy = () => guard.check({ ip: 'busy' });

  const start = performance.now();
  for (let bucket = 1; bucket <= buckets; bucket += 1) {
    await repeat(Math.ceil(many / buckets), 32, busy);
    await wait(Math.max(0, start + (bucket * windowMs) / buckets - performance.now()));
  }
  // Each address is checked once, so that it has no more than it had before.
  await repeat(rounds * checksPerRound, 32, async (index) => {
    for (let attempt = 0; attempt < few; attempt += 1) await guard.check({ ip: `quiet ${index}` });
  });

  const [after, before]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    after.push(await timeOf(busy));
    before.push(await timeOf((index) => guard.check({ ip: `quiet ${round * checksPerRound + index}` })));
  }
  const reached = (await busy()).reasons[0]?.reached;
  await close();
  const figures = ratios(after, before);
  return {
    what: `velocity check in ${name} after some 50,000 attempts of its rule, one in flight, time`,
    target: `≤ ${target} × after ${few}`,
    figure: times(median(figures)),
    isMet: median(figures) <= target,
    spread: middleHalf(figures),
    measured: [
      [`after ${reached}`, micros(median(after))],
      [`after ${few}`, micros(median(before))],
    ],
  };
}
