import { compareDue, type DocumentSave, type DocumentTables } from '../records/document.ts';
import { spaceOf } from '../records/open-order.ts';
import type { DueDocument, DueQuery, KeptDocument } from '../store.ts';
import { SortedQueue } from './sorted-queue.ts';

interface Kept extends KeptDocument {
  /** Its place among the documents of its space that wait; `undefined` if it does not. */
  readonly waiting: DueDocument | undefined;
}

/** Documents in memory. */
export class MemoryDocuments implements DocumentTables {
  readonly #kept = new Map<string, Kept>();
  readonly #keys = new Map<string, string>();
  readonly #waiting = new Map<string, SortedQueue<DueDocument>>();

  load(key: string): KeptDocument | undefined {
    const kept = this.#kept.get(key);
    return kept && { version: kept.version, data: kept.data };
  }

  lookUp(reference: string): string | undefined {
    return this.#keys.get(reference);
  }

  due({ space, until, after, limit }: DueQuery): readonly DueDocument[] {
    const page = this.#waiting.get(space)?.page(after, limit) ?? [];
    return page.filter(({ wakeAt }) => wakeAt <= until).map((document) => ({ ...document }));
  }

  put({ key, version, data, references, wakeAt }: DocumentSave): void {
    const waiting = wakeAt === null ? undefined : { key, wakeAt };
    this.#replaceWaiting(spaceOf(key), this.#kept.get(key)?.waiting, waiting);
    this.#kept.set(key, { version: version + 1, data, waiting });
    for (const reference of references) this.#keys.set(reference, key);
  }

  #replaceWaiting(space: string, before: DueDocument | undefined, after: DueDocument | undefined): void {
    const queue = this.#waiting.get(space) ?? new SortedQueue<DueDocument>(compareDue);
    if (before !== undefined) queue.delete(before);
    if (after !== undefined) queue.add(after);
    if (queue.size > 0) this.#waiting.set(space, queue);
    else this.#waiting.delete(space);
  }
}
