/** The notes of a process, which survive a kill: one line each, in its own file. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';

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
