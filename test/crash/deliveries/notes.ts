/** The log of a process, one record per line, which survives a kill. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { DeliveryReport } from 'payments-client/webhooks';

/** A handler started or ended. */
interface Ran {
  readonly what: 'began' | 'ended';
  readonly name: string;
  readonly at: number;
}

/** `onDelivery` was called. */
export interface Reported {
  readonly what: 'reported';
  /** The name of the event; `undefined` if there is none. */
  readonly name: string | undefined;
  readonly at: number;
  readonly outcome: DeliveryReport['outcome'];
  readonly status: number | undefined;
  readonly attempt: number | undefined;
  readonly verified: boolean;
  readonly issues: number;
}

export type Note = Ran | Reported;

/** Appends a line. The operating system has it when this function returns, so a kill cannot lose it. */
export function writeNote(path: string, note: Note): void {
  appendFileSync(path, `${JSON.stringify(note)}\n`);
}

/** Returns all lines, oldest first, without a line that a kill interrupted. */
export function readNotes(path: string): Note[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line): Note => JSON.parse(line));
}
