/** The common parts of a merchant's processes: they run many calls concurrently, and record the results. */

import { PaymentsError } from 'payments-client';
import type { Progress } from './crew.ts';
import { type Entry, readJournal, writeJournal } from './journal.ts';
import type { WorkerTask } from './task.ts';

const concurrency = 16;

/** Records the calls of one process. */
export class Work {
  readonly #path: string;
  readonly #begun = new Set<string>();
  readonly #answers = new Map<string, unknown>();
  #inFlight = 0;

  constructor({ journal }: WorkerTask) {
    this.#path = journal;
    for (const entry of readJournal(journal)) {
      if (entry.kind === 'begun') this.#begun.add(entry.operation);
      if (entry.kind === 'answered') this.#answers.set(entry.operation, entry.answer);
    }
  }

  /** Returns the earlier result of an operation, or `undefined`. */
  answerOf(operation: string): unknown {
    return this.#answers.get(operation);
  }

  /** Returns whether this process or its predecessor already started an operation, and marks it as started. */
  begin(operation: string): boolean {
    if (this.#begun.has(operation)) return false;
    this.#begun.add(operation);
    this.#write({ kind: 'begun', operation });
    return true;
  }

  /** Makes one call and records its result. Returns `undefined` after an error. */
  async attempt<T>(operation: string, call: () => PromiseLike<T>): Promise<T | undefined> {
    this.#inFlight += 1;
    try {
      const answer = await call();
      this.#answers.set(operation, answer);
      this.#write({ kind: 'answered', operation, answer });
      this.#tell(1);
      return answer;
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      const { name, code, outcome } = error;
      const attempts = Number(Reflect.get(error, 'attempts') ?? 0);
      this.#write({ kind: 'failed', operation, name, code, outcome, attempts });
      this.#tell(0);
      return undefined;
    } finally {
      this.#inFlight -= 1;
    }
  }

  #write(entry: Entry): void {
    writeJournal(this.#path, entry);
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

/** Processes all items, some concurrently, and ends the process. */
export async function doAll<T>(all: readonly T[], one: (item: T) => Promise<void>): Promise<never> {
  await each(all, one);
  process.exit(0);
}
