/** What takes part in each unit of work. */
export interface Participant<Change> {
  /** After the work, before anything counts: may change more, and may refuse all of it by throwing. */
  complete(changes: readonly Change[]): void;
  /** Takes back one change. */
  undo(change: Change): void;
  /** When all of it counts. */
  committed(changes: readonly Change[]): void;
}

/**
 * Units of work: all changes of one request, or of one thing that falls due, count together or not at all. Work is
 * synchronous, so no two units overlap; a unit within another one is part of it.
 */
export class UnitOfWork<Change extends { readonly kind: string; readonly id: string }> {
  readonly #participant: Participant<Change>;
  #open: Change[] | undefined;

  constructor(participant: Participant<Change>) {
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
      this.#participant.complete(changes);
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
