/** The contract of every store with a database: how long the record of a key stays there, by what happened to the key. */

import { expect, it } from 'vitest';
import { day } from './time.ts';

/** How long after the end of a lease its attempts are remembered. */
const week = 7 * day;

/** Histories of a key, and how long its record is kept: some units after a fixed time; without a time for ever. */
const lifetimes: readonly (readonly [history: string, units?: number, ms?: number])[] = [
  ['a claims 3: claimed 1', 3, week],
  ['a claims 3: claimed 1; a renews 5: yes', 5, week],
  ['a claims 3: claimed 1; a releases: yes', 0, week],
  ['a claims 3: claimed 1; a releases: yes; b claims 5: claimed 2', 5, week],
  ['a claims 3: claimed 1; a releases 9: yes', 9],
  ['a claims 3: claimed 1; a completes 9: yes', 9],
  ['a claims 3: claimed 1; a completes 5: yes; a completes 9: yes', 9],
  ['a claims 3: claimed 1; a completes 9: yes; a completes 5: yes', 9],
  ['a claims 3: claimed 1; a renews 3 "late": yes'],
  ['a claims 3: claimed 1; a releases "late": yes'],
  ['a claims 3 "x": claimed 1 "x"'],
  ['a claims 3 "x": claimed 1 "x"; a renews 5: yes'],
  ['a claims 3 "x": claimed 1 "x"; a releases: yes'],
  ['a claims 3 "x": claimed 1 "x"; a releases 9: yes', 9],
  ['a claims 3 "x": claimed 1 "x"; a releases 9: yes; b claims 3: claimed 2 "x"'],
  ['a claims 3 "x": claimed 1 "x"; a completes 9: yes', 9],
];

/** What the contract of claims has for its parts. */
export interface Claims {
  follow(key: string, history: string): Promise<void>;
  /** Lets time pass, in ms. */
  passMs(ms: number): unknown;
  unitOf(): number;
  /** Whether the record of a key is in the database, once what has expired is deleted. Absent for a store without one. */
  keptOf(): ((key: string) => Promise<boolean>) | undefined;
}

/** Adds the tests to the surrounding suite. Must be the first: it leaves few records behind. */
export function describeLifetimes({ follow, passMs, unitOf, keptOf }: Claims): void {
  it.for(lifetimes)('keeps the record of a key as long as it needs it: %s', async (row, { skip }) => {
    const [history, units, ms = 0] = row;
    const isKept = keptOf() ?? skip('this store has no database');
    const key = `of/${crypto.randomUUID()}`;
    await follow(key, history);
    const lifetime = units === undefined ? 10 * week : units * unitOf() + ms;
    await passMs(lifetime - unitOf());
    expect(await isKept(key)).toBe(true);
    await passMs(unitOf());
    expect(await isKept(key)).toBe(units === undefined);
  });
}
