/** A participant of each unit of work. */
export interface Participant<Change> {
  /** Called before the commit: may make more changes, and rolls all back by throwing. */
  complete(changes: readonly Change[]): void;
  /** Reverts one change. */
  undo(change: Change): void;
  /** Called after the commit. */
  committed(changes: readonly Change[]): void;
}

/**
 * Units of work: all changes of one request, or of one due action, are committed together or rolled back. Work is
 * synchronous, so no two units overlap; a nested unit is part of the outer one.
 */
export class UnitOfWork<Change extends { readonly kind: string; readonly id: string }> {
  readonly #participant: Participant<Change>;
  #open: Change[] | undefined;

  constructor(participant: Participant<Change>) {
    this.#participant = participant;
  }

  /**
   * Records a change.
   *
   * @throws Error outside a unit, where nothing could roll it back.
   */
  note(change: Change): void {
    if (this.#open === undefined)
      throw new Error(`The ${change.kind} '${change.id}' was changed outside a unit.`);
    this.#open.push(change);
  }

  /** Runs work as one unit. An error rolls it back. */
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
