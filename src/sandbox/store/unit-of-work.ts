import type { Kind, Kinds } from '../domain/records/records.ts';

/** One change of one object. */
export interface ChangeOf<One extends Kind> {
  readonly kind: One;
  readonly id: string;
  /** What it was; `undefined` where it is new. */
  readonly before: Kinds[One] | undefined;
  /** What it is; `undefined` where it was removed. */
  readonly after: Kinds[One] | undefined;
}

/** One change of one object, of whatever kind. */
export type Change = { [One in Kind]: ChangeOf<One> }[Kind];

/** What takes part in each unit of work. */
export interface Participant {
  /** After the work, before anything counts: may change more, and may refuse all of it by throwing. */
  finish(changes: readonly Change[]): void;
  /** Takes back one change. */
  undo(change: Change): void;
  /** When all of it counts. */
  committed(changes: readonly Change[]): void;
}

/**
 * Units of work: all changes of one request, or of one thing that falls due, count together or not at all. Work is
 * synchronous, so no two units overlap; a unit within another one is part of it.
 */
export class UnitOfWork {
  readonly #participant: Participant;
  #open: Change[] | undefined;

  constructor(participant: Participant) {
    this.#participant = participant;
  }

  /**
   * Notes a change.
   *
   * @throws Error outside a unit, where nobody could take it back.
   */
  note(change: Change): void {
    if (this.#open === undefined)
      throw new Error(`The ${change.kind} '${change.id}' was changed outside a unit.`);
    this.#open.push(change);
  }

  /** Does the work as one unit. When it throws, it is as if it had never begun. */
  run<T>(work: () => T): T {
    if (this.#open !== undefined) return work();
    const changes: Change[] = [];
    this.#open = changes;
    try {
      const result = work();
      this.#participant.finish(changes);
      this.#open = undefined;
      this.#participant.committed(changes);
      return result;
    } catch (error) {
      if (this.#open !== undefined) this.#takeBack(changes);
      throw error;
    }
  }

  #takeBack(changes: readonly Change[]): void {
    this.#open = undefined;
    for (const change of changes.toReversed()) this.#participant.undo(change);
  }
}
