/** What a process writes down, so that it knows it after it was killed: one line each, in a file of its own. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** An operation is about to be done that must not be done again by a process that was started anew. */
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

/** All lines, oldest first. A line that was broken off by a kill is left out. */
export function readJournal(path: string): Entry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line): Entry => JSON.parse(line));
}

/** Adds a line. It is with the operating system when this returns, so that a kill cannot take it back. */
export function writeJournal(path: string, entry: Entry): void {
  appendFileSync(path, `${JSON.stringify(entry)}\n`);
}
