/** What a process has done, as its notes say: a restarted process goes on where its predecessor was killed. */

import { PaymentsError } from 'payments-client';
import { appendLine, readLines } from '../lines.ts';
import type { Progress } from './crew.ts';
import type { Note } from './notes.ts';
import type { CallsTask, RecordedResponse } from './task.ts';

const concurrency = 16;

/** Makes the calls of one process, and notes their results. */
export class Work {
  readonly #path: string;
  readonly #begun = new Set<string>();
  readonly #answered = new Set<string>();
  #inFlight = 0;

  constructor({ notes }: CallsTask) {
    this.#path = notes;
    for (const note of readLines<Note>(notes)) {
      if (note.kind === 'begun') this.#begun.add(note.order);
      if (note.kind === 'answered') this.#answered.add(note.order);
    }
  }

  hasAnswer(order: string): boolean {
    return this.#answered.has(order);
  }

  hasBegun(order: string): boolean {
    return this.#begun.has(order);
  }

  /** Makes one call and notes its result. Returns its error, if it fails. */
  async attempt(order: string, call: () => Promise<RecordedResponse>): Promise<PaymentsError | undefined> {
    this.#inFlight += 1;
    this.#begun.add(order);
    this.#write({ kind: 'begun', order });
    try {
      const response = await call();
      this.#answered.add(order);
      this.#write({ kind: 'answered', order, response });
      this.#tell(1);
      return undefined;
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      const { name, code, outcome } = error;
      this.#write({ kind: 'failed', order, name, code, outcome });
      this.#tell(0);
      return error;
    } finally {
      this.#inFlight -= 1;
    }
  }

  #write(note: Note): void {
    appendLine(this.#path, note);
  }

  #tell(results: number): void {
    const news: Progress = { results, inFlight: this.#inFlight };
    process.send?.(news);
  }
}

/** Processes all items, some concurrently. */
export async function each<T>(all: readonly T[], one: (item: T) => Promise<void>): Promise<void> {
  const queue = all.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of queue) await one(item);
    }),
  );
}
