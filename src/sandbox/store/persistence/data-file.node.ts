import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { kinds, type State } from '../../domain/state.ts';
import type { Change } from '../unit-of-work.ts';
import { fromLine, readLines, toLine } from './lines.node.ts';
import { takeLock } from './lock.node.ts';
import type { Keeper } from './persistence.ts';
import { type JournalRecord, type KeptChange, readRecord, writeRecord } from './record.ts';
import { Recovery } from './recovery.ts';

/** The first line of every data file. */
const header = '{"file":"payments-client sandbox","version":1}';

/** How many objects go on one line when all are written. */
const objectsPerLine = 200;

/** How many changes there must be for writing the file anew. */
const manyChanges = 20_000;

/** Only the owner may read it: it says what the merchant's tests do. */
const mode = 0o600;

function toKept({ kind, id, after }: Change): KeptChange {
  return [kind, after ?? id];
}

/** All that a state remembers, as lines. */
function* linesOf(state: State): Iterable<string> {
  yield toLine(header);
  const { time, ids, objects, plan } = state.image();
  for (const kind of kinds) {
    const { items = [], removed = [] } = objects[kind] ?? {};
    const gone = removed.values();
    for (let index = 0; index < items.length; index += objectsPerLine) {
      const part = items.slice(index, index + objectsPerLine);
      const changes = part.map((item): KeptChange => [kind, item ?? gone.next().value ?? '']);
      yield toLine(writeRecord({ changes }));
    }
  }
  yield toLine(writeRecord({ time, ids, plan }));
}

/** Writes all of a text, or throws. */
function writeWhole(descriptor: number, text: string, position: number): number {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
  }
  return written;
}

function damage(file: string, line: number, what: string): Error {
  return new Error(
    `openSandbox: expected line ${line} of '${file}' to be as the sandbox wrote it, but ${what}. ` +
      'Restore the file from a copy, or delete it to begin anew.',
  );
}

/** Does what a line says. How many changes that were; `undefined` where it is no record that can be done. */
function applyTo(recovery: Recovery, text: string): number | undefined {
  try {
    const record = readRecord(text);
    if (record === undefined) return undefined;
    recovery.apply(record);
    return record.changes?.length ?? 0;
  } catch {
    return undefined;
  }
}

/**
 * The state of a sandbox in one file: a line for each unit of work, in the order of time. A line is written before
 * anything that it tells of is answered, so what was answered is there after a crash of the process. A line that was
 * not written to its end was never answered, and is dropped.
 */
class DataFile implements Keeper {
  readonly #file: string;
  readonly #unlock: () => void;
  #descriptor: number | undefined;
  #size = 0;
  /** Changes in the file, those that later ones made void too. */
  #changes = 0;
  #rewriteAt = manyChanges;

  constructor(file: string) {
    this.#file = resolve(file);
    this.#unlock = takeLock(this.#file);
  }

  attach(state: State): void {
    try {
      const isNew = !existsSync(this.#file);
      if (isNew) this.rewrite(state);
      else this.#recover(state);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  append(changes: readonly Change[], time: number, ids: number): void {
    this.#write({ time, ids, changes: changes.map(toKept) });
    this.#changes += changes.length;
  }

  rewrite(state: State): void {
    const beside = `${this.#file}.new`;
    const descriptor = openSync(beside, 'w', mode);
    let size = 0;
    try {
      for (const line of linesOf(state)) size += writeWhole(descriptor, line, size);
      fsyncSync(descriptor);
      renameSync(beside, this.#file);
    } catch (error) {
      closeSync(descriptor);
      rmSync(beside, { force: true });
      throw error;
    }
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = descriptor;
    this.#size = size;
    this.#changes = countAll(state);
    this.#rewriteAt = this.#changes * 2 + manyChanges;
  }

  /** Writes the file anew when most of it tells of what is no more. */
  tidy(state: State): void {
    if (this.#descriptor === undefined || this.#changes < this.#rewriteAt) return;
    // Meanwhile there may be more objects, and not more changes of the same ones.
    this.#rewriteAt = countAll(state) * 2 + manyChanges;
    if (this.#changes < this.#rewriteAt) return;
    try {
      this.rewrite(state);
    } catch {
      // There may be no room for a second file. The first is as good as ever.
      this.#rewriteAt = this.#changes + manyChanges;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#unlock();
  }

  #recover(state: State): void {
    const descriptor = openSync(this.#file, 'r+', mode);
    this.#descriptor = descriptor;
    const recovery = new Recovery(state);
    let number = 0;
    for (const { bytes, end } of readLines(descriptor)) {
      number += 1;
      const text = fromLine(bytes);
      if (text === undefined) throw damage(this.#file, number, 'its checksum is wrong');
      this.#readLine(text, number, recovery);
      this.#size = end;
    }
    recovery.finish();
    if (number === 0) this.#beginAnew(state);
    else if (this.#size < fstatSync(descriptor).size) ftruncateSync(descriptor, this.#size);
    this.#rewriteAt = countAll(state) * 2 + manyChanges;
    this.tidy(state);
  }

  #readLine(text: string, number: number, recovery: Recovery): void {
    if (number === 1) {
      if (text !== header) throw damage(this.#file, number, 'it is of another version');
      return;
    }
    const changes = applyTo(recovery, text);
    if (changes === undefined) throw damage(this.#file, number, 'it is of another version');
    this.#changes += changes;
  }

  /** A file without a whole line is a new one, unless somebody else has written into it. */
  #beginAnew(state: State): void {
    if (this.#descriptor !== undefined && fstatSync(this.#descriptor).size > 0) {
      throw damage(this.#file, 1, 'it is no data file of a sandbox');
    }
    this.rewrite(state);
  }

  #write(record: JournalRecord): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) {
      throw new Error('The sandbox was closed, and so was its data file: open it again to change anything.');
    }
    try {
      this.#size += writeWhole(descriptor, toLine(writeRecord(record)), this.#size);
    } catch (error) {
      // What is there of the line would spoil the next one.
      ftruncateSync(descriptor, this.#size);
      throw error;
    }
  }
}

function countAll({ objects }: State): number {
  return kinds.reduce((sum, kind) => sum + objects[kind].size, 0);
}

/**
 * Opens a data file, or makes one.
 *
 * @throws Error when another process has it, or it is damaged.
 */
export function openDataFile(file: string): Keeper {
  return new DataFile(file);
}
