/** What the processes note, and what the suites of this folder share: the seed of their plans, and how they print counts. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Facts, What } from '../facts.ts';

/** A fact, and when it was noted. */
export interface Noted<W extends What = What> {
  readonly at: number;
  readonly what: W;
  readonly fact: Facts[W];
}

/** The time in ms, by a clock that all processes of a machine share and nobody sets. */
export const clock = () => Number(process.hrtime.bigint()) / 1e6;

export function noted<W extends What>(what: W, fact: Facts[W]): Noted {
  return { at: clock(), what, fact };
}

export function isAbout<W extends What>(what: W, note: Noted): note is Noted<W> {
  return note.what === what;
}

/** Appends a note. The operating system has it when this returns, so a kill cannot lose it. */
export function appendLine<Note>(path: string, note: Note): void {
  appendFileSync(path, `${JSON.stringify(note)}\n`);
}

/** Returns all notes, oldest first, without a line that a kill interrupted. */
export function readLines<Note>(path: string): Note[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line): Note => JSON.parse(line));
}

/** Set ENGINE_SEED to use another seed. */
export const seed = Number(process.env['ENGINE_SEED'] ?? 20_261_121) >>> 0;

/** Draws one value. Processes run at their own speed, so a plan repeats what was asked, and not how it went: nothing is shrunk. */
export function drawOne<T>(arbitrary: fc.Arbitrary<T>, offset = 0): T {
  const [value] = fc.sample(arbitrary, { seed: seed + offset, numRuns: 1 });
  if (value === undefined) throw new Error('fast-check drew nothing');
  return value;
}

/** A list of one length. */
export function exactly<T>(length: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(arbitrary, { minLength: length, maxLength: length, size: 'max' });
}

/** Counts equal items. */
export function tally(items: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of [...items].sort()) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}

/** Prints counts on one line. */
export function report(title: string, counts: Readonly<Record<string, number>>): void {
  const all = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(`${title}: ${all.join(', ')}\n`);
}
