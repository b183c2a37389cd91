/** The notes of a process, which survive its crash: one line each, in its own file. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { RecordedResponse } from './task.ts';

/** A call starts that a restarted process must not repeat. */
interface Begun {
  readonly kind: 'begun';
  readonly order: string;
}

/** An order has its result. */
interface Answered {
  readonly kind: 'answered';
  readonly order: string;
  readonly response: RecordedResponse;
}

/** A call ended with an error. */
export interface Failed {
  readonly kind: 'failed';
  readonly order: string;
  readonly name: string;
  readonly code: string | undefined;
  readonly outcome: string;
}

/** One line. */
export type Note = Begun | Answered | Failed;

/** Returns all lines, oldest first, without a line that a kill interrupted. */
export function readNotes(path: string): Note[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line): Note => JSON.parse(line));
}

/** Appends a line. The operating system has it when this returns, so a kill cannot lose it. */
export function writeNote(path: string, note: Note): void {
  appendFileSync(path, `${JSON.stringify(note)}\n`);
}
