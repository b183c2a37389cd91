/** The records of a process, which survive its crash: one line each, in its own file. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** An operation starts that a restarted process must not repeat. */
interface Begun {
  readonly kind: 'begun';
  readonly operation: string;
}

/** An operation has its result. */
interface Answered {
  readonly kind: 'answered';
  readonly operation: string;
  readonly answer: unknown;
}

/** A call ended with an error. */
export interface Failed {
  readonly kind: 'failed';
  readonly operation: string;
  readonly name: string;
  readonly code: string | undefined;
  readonly outcome: string;
  readonly attempts: number;
}

/** One line. */
export type Entry = Begun | Answered | Failed;

/** Returns all lines, oldest first, without a line that a kill interrupted. */
export function readJournal(path: string): Entry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line): Entry => JSON.parse(line));
}

/** Appends a line. The operating system has it when this returns, so a kill cannot lose it. */
export function writeJournal(path: string, entry: Entry): void {
  appendFileSync(path, `${JSON.stringify(entry)}\n`);
}
