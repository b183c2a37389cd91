import type { State } from '../../domain/state.ts';
import { dueAt } from '../../due.ts';
import type { Collection } from '../collection.ts';
import type { Due } from '../scheduler.ts';
import type { JournalRecord, KeptChange } from './record.ts';

/** Brings a state that is empty to where a journal has left it. Nothing is told of it, and nothing is due meanwhile. */
export class Recovery {
  readonly #state: State;
  /** What falls due, in the order in which it was planned, by its object. */
  readonly #plan = new Map<string, Due>();
  #time: number | undefined;
  #ids: number | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  /** Does what one record says. */
  apply({ time, ids, changes = [], plan }: JournalRecord): void {
    // What is made to look as if it had happened long ago does not turn the time back.
    if (time !== undefined) this.#time = Math.max(time, this.#time ?? time);
    this.#ids = ids ?? this.#ids;
    for (const change of changes) this.#put(change);
    if (plan === undefined) return;
    this.#plan.clear();
    for (const due of plan) this.#plan.set(keyOf(due), due);
  }

  /** From now on, time goes on. */
  finish(): void {
    const { clock, ids, agenda } = this.#state;
    if (this.#time !== undefined) clock.set(this.#time);
    if (this.#ids !== undefined) ids.resume(this.#ids);
    agenda.beginAnew([...this.#plan.values()]);
  }

  #put([kind, value]: KeptChange): void {
    const collection: Collection<{ readonly id: string }> = this.#state.objects[kind];
    const id = typeof value === 'string' ? value : value.id;
    collection.put(id, typeof value === 'string' ? undefined : value);
    collection.settle(id);
    this.#replan(typeof value === 'string' ? undefined : dueAt(kind, value), { kind, id });
  }

  #replan(at: number | undefined, what: Omit<Due, 'at'>): void {
    const key = keyOf(what);
    if (at === this.#plan.get(key)?.at) return;
    // What is planned anew comes after what was planned before.
    this.#plan.delete(key);
    if (at !== undefined) this.#plan.set(key, { at, ...what });
  }
}

function keyOf({ kind, id }: Omit<Due, 'at'>): string {
  return `${kind} ${id}`;
}
