/** Four processes that share a server count as one, although one clock is ten minutes ahead and another process is killed. */

import type { VelocityAttempt } from 'payments-client/fraud';
import { postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, startPostgresServer } from '../../../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../../../support/redis-server.ts';
import { bySize } from '../../../support/size.ts';
import { skipWithout } from '../../../support/skip.ts';
import { Checker } from './checkers.ts';
import { cardWindow, type StoreAddress } from './rules.ts';

const tenMinutes = 600_000;
const rounds = Array.from({ length: bySize({ short: 3, all: 10, long: 200 }) }, (_, index) => index);
const fresh = () => crypto.randomUUID();
const many = (count: number, attempt: () => VelocityAttempt) => Array.from({ length: count }, attempt);
const allowed = ({ decision }: { readonly decision: string }) => decision === 'allow';

/** Runs the suite over a server. */
function describeProcesses(
  name: string,
  isSkipped: boolean,
  startServer: () => Promise<{ readonly address: StoreAddress; readonly stop: () => Promise<void> }>,
): void {
  describe.skipIf(isSkipped)(`four processes that share ${name}, one of them ten minutes ahead`, () => {
    const cleanUps: (() => Promise<unknown>)[] = [];
    let address: StoreAddress;
    let checkers: readonly [ahead: Checker, ...others: Checker[]];

    const start = async (ahead: number) => {
      const before = Date.now();
      const checker = await Checker.start({ store: address, ahead });
      cleanUps.push(() => checker.stop());
      // Its clock really is ahead, or is not.
      expect(checker.startedAt - ahead).toBeGreaterThanOrEqual(before);
      expect(checker.startedAt - ahead).toBeLessThanOrEqual(Date.now());
      return checker;
    };
    beforeAll(async () => {
      const server = await startServer();
      cleanUps.push(() => server.stop());
      address = server.address;
      checkers = [await start(tenMinutes), ...(await Promise.all([start(0), start(0), start(0)]))];
    });
    afterAll(async () => {
      for (const cleanUp of cleanUps.reverse()) await cleanUp();
    });

    /** Lets each process check its own attempts concurrently. */
    const checkAll = async (attemptsOf: (index: number) => readonly VelocityAttempt[]) =>
      Promise.all(checkers.map((checker, index) => checker.check(attemptsOf(index))));
    /** Returns how many attempts are counted at a till. Takes back the attempt that asks. */
    const countedAt = async (till: string) => {
      const asked = await checkers[0].check([{ subjects: { till } }]);
      await checkers[0].record(
        asked.map(({ ticket }) => ticket),
        'not_sent',
      );
      return Number(asked[0]?.reached['total']) - 1;
    };

    it('allows as many of 100 attempts of a card as its limit, and returns one time for the next', async () => {
      for (const _ of rounds) {
        const card = { token: fresh() };
        const before = Date.now();
        const checked = (await checkAll(() => many(25, () => ({ card })))).flat();
        const after = Date.now();
        expect(checked.filter(allowed)).toHaveLength(3);
        const times = new Set(checked.flatMap(({ retryAt = [] }) => retryAt));
        expect(times.size).toBe(1);
        for (const time of times) {
          expect(time).toBeGreaterThanOrEqual(before + cardWindow - 1);
          expect(time).toBeLessThan(after + cardWindow + cardWindow / 60);
        }
      }
    });

    it('blocks a stolen card tried 50 times, but not another card at the same address', async () => {
      for (const round of rounds) {
        const ip = fresh();
        const [stolen, innocent] = [
          { card: { token: fresh() }, ip },
          { card: { token: fresh() }, ip },
        ];
        // The innocent card pays twice, in changing processes and positions.
        const place = (round * 5) % 12;
        const pays = (index: number) => (index + round) % 2 === 0;
        const checked = await checkAll((index) =>
          many(index < 2 ? 13 : 12, () => stolen).toSpliced(place, 0, ...(pays(index) ? [innocent] : [])),
        );
        const payments = checked.flatMap((each, index) => (pays(index) ? each.slice(place, place + 1) : []));
        expect(payments.map(({ decision }) => decision)).toEqual(['allow', 'allow']);
        expect(checked.flat().filter(allowed)).toHaveLength(3 + 2);
        // The address has counted these five, but none of the 47 blocked ones.
        const [next] = await checkers[0].check([innocent]);
        expect(next).toMatchObject({ decision: 'block', reached: { ip: '6' } });
      }
    });

    it('counts an attempt with one id once, and takes it back once', async () => {
      for (const _ of rounds) {
        const subjects = { till: fresh() };
        const attempts = many(5, () => ({ id: fresh(), subjects }));
        const checked = await checkAll(() => [...attempts, ...attempts]);
        expect(checked.flat().map(({ decision }) => decision)).toEqual(Array(40).fill('review'));
        expect(await countedAt(subjects.till)).toBe(5);
        await checkAll(() => [{ subjects }]);
        const tickets = checked.map((each) => each.map(({ ticket }) => ticket));
        await Promise.all(checkers.map((checker, index) => checker.record(tickets[index] ?? [], 'not_sent')));
        expect(await countedAt(subjects.till)).toBe(4);
      }
    });

    it('counts each attempt of a killed process once when another repeats it', async () => {
      const till = fresh();
      const attempts = many(60, () => ({ id: fresh(), card: { token: fresh() }, subjects: { till } }));
      await (await start(0)).checkUntilKilled(attempts, 20);
      expect(await countedAt(till)).toBeGreaterThanOrEqual(20);
      await checkAll(() => attempts);
      expect(await countedAt(till)).toBe(60);
    });
  });
}

const file = 'test/fraud/velocity/guard/processes.services.test.ts';
const redis = skipWithout(hasRedis(), 'redis-server', file);
const postgres = skipWithout(hasPostgres(), 'PostgreSQL server', file);

describeProcesses(`Redis${redis.why}`, redis.isSkipped, async () => {
  const { path, stop } = await startRedisServer();
  return { address: { kind: 'redis', path }, stop };
});

describeProcesses(`PostgreSQL${postgres.why}`, postgres.isSkipped, async () => {
  const { connection, stop } = await startPostgresServer();
  const pool = new pg.Pool(connection);
  await pool.query(postgresStore(pool).schema);
  await pool.end();
  return { address: { kind: 'postgres', connection }, stop };
});
