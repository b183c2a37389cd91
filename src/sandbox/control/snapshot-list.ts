import { objectNotFound } from '../domain/problem.ts';
import type { SandboxSnapshot } from '../store/snapshot.ts';
import type { ControlContext } from './control-context.ts';
import { countObjects } from './count-objects.ts';

/** A snapshot that the control API took. */
export interface ListedSnapshot {
  readonly id: string;
  readonly name: string;
  /** The sandbox's time in it, in milliseconds since 1970. */
  readonly at: number;
  /** When it was taken, in milliseconds of real time since 1970. */
  readonly taken_at: number;
  /** The number of objects in it, events and deliveries included. */
  readonly objects: number;
}

/** The maximum number of snapshots; the oldest is dropped first. */
const capacity = 20;

/** Holds the snapshots of a sandbox in memory. */
export class SnapshotList {
  readonly #sandbox: ControlContext;
  readonly #snapshots = new Map<
    string,
    { readonly shown: ListedSnapshot; readonly snapshot: SandboxSnapshot }
  >();
  #count = 0;

  constructor(sandbox: ControlContext) {
    this.#sandbox = sandbox;
  }

  /** Returns the snapshots, newest first. */
  list(): readonly ListedSnapshot[] {
    return [...this.#snapshots.values()].map(({ shown }) => shown).toReversed();
  }

  /** Takes a snapshot, and drops the oldest beyond the capacity. */
  take(name: string | undefined): ListedSnapshot {
    this.#count += 1;
    const id = `snap_${this.#count}`;
    const counts = Object.values(countObjects(this.#sandbox.state));
    const shown = {
      id,
      name: name ?? `Snapshot ${this.#count}`,
      at: this.#sandbox.clock.now(),
      taken_at: Date.now(),
      objects: counts.reduce((sum, count) => sum + count, 0),
    };
    this.#snapshots.set(id, { shown, snapshot: this.#sandbox.snapshot() });
    const [oldest] = this.#snapshots.keys();
    if (this.#snapshots.size > capacity && oldest !== undefined) this.#snapshots.delete(oldest);
    return shown;
  }

  /**
   * Restores a snapshot and keeps it.
   *
   * @throws Problem for an unknown id.
   */
  restore(id: string): ListedSnapshot {
    const { shown, snapshot } = this.#find(id);
    this.#sandbox.restore(snapshot);
    return shown;
  }

  /**
   * Deletes a snapshot.
   *
   * @throws Problem for an unknown id.
   */
  remove(id: string): void {
    this.#find(id);
    this.#snapshots.delete(id);
  }

  #find(id: string) {
    const found = this.#snapshots.get(id);
    if (found === undefined) throw objectNotFound('snapshot', id);
    return found;
  }
}
