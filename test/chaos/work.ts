/** What each process of a merchant has in common: it does many things at once, and writes down what came of them. */

import { PaymentsError } from 'payments-client';
import type { Progress } from './crew.ts';
import { type Entry, readJournal, writeJournal } from './journal.ts';
import type { WorkerTask } from './task.ts';

const concurrency = 16;

/** Keeps the books of one process. */
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

  /** What an operation came to before, or `undefined`. */
  answerOf(operation: string): unknown {
    return this.#answers.get(operation);
  }

  /** Whether an operation was begun by this process or by the one before it; from now on it is. */
  begin(operation: string): boolean {
    if (this.#begun.has(operation)) return false;
    this.#begun.add(operation);
    this.#write({ kind: 'begun', operation });
    return true;
  }

  /** Makes one call and writes down what came of it. Answers `undefined` where that was an error. */
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

/** Does all of them, some at the same time. */
export async function each<T>(all: readonly T[], one: (item: T) => Promise<void>): Promise<void> {
  const queue = all.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of queue) await one(item);
    }),
  );
}

/** Does all of them, some at the same time, and ends the process. */
export async function doAll<T>(all: readonly T[], one: (item: T) => Promise<void>): Promise<never> {
  await each(all, one);
  process.exit(0);
}
