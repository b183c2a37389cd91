/** What a process writes down, a line each, so that it is known after the process was killed. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { DeliveryOutcome, DeliverySource } from 'payments-client/webhooks';

/** A handler began, or ended in whatever way. */
interface Ran {
  readonly what: 'began' | 'ended';
  readonly name: string;
  readonly at: number;
}

/** `onDelivery` was called. */
export interface Reported {
  readonly what: 'reported';
  /** The name of the event; `undefined` where there is none. */
  readonly name: string | undefined;
  readonly at: number;
  readonly outcome: DeliveryOutcome;
  readonly source: DeliverySource;
  readonly status: number | undefined;
  readonly attempt: number | undefined;
  readonly verified: boolean;
  readonly issues: number;
}

export type Note = Ran | Reported;

/** Adds a line. It is with the operating system when this returns, so that a kill cannot take it back. */
export function writeNote(path: string, note: Note): void {
  appendFileSync(path, `${JSON.stringify(note)}\n`);
}

/** All lines, oldest first. A line that was broken off by a kill is left out. */
export function readNotes(path: string): Note[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line): Note => JSON.parse(line));
}
