import { objectNotFound } from '../domain/problem.ts';
import type { SandboxSnapshot } from '../store/snapshot.ts';
import type { ControlContext } from './control-context.ts';
import { countObjects } from './count-objects.ts';

/** A snapshot that was taken over the control API. */
export interface TakenSnapshot {
  readonly id: string;
  readonly name: string;
  /** The time of the sandbox's clock in it, in milliseconds since 1970. */
  readonly at: number;
  /** When it was taken, in milliseconds of real time since 1970. */
  readonly taken_at: number;
  /** How many objects it holds, events and deliveries too. */
  readonly objects: number;
}

/** How many are kept; the oldest goes first. */
const capacity = 20;

/** The snapshots of a sandbox, in memory. */
export class SnapshotShelf {
  readonly #sandbox: ControlContext;
  readonly #taken = new Map<string, { readonly shown: TakenSnapshot; readonly snapshot: SandboxSnapshot }>();
  #count = 0;

  constructor(sandbox: ControlContext) {
    this.#sandbox = sandbox;
  }

  /** The snapshots, newest first. */
  list(): readonly TakenSnapshot[] {
    return [...this.#taken.values()].map(({ shown }) => shown).toReversed();
  }

  /** Takes one, and forgets the oldest where there are too many. */
  take(name: string | undefined): TakenSnapshot {
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
    this.#taken.set(id, { shown, snapshot: this.#sandbox.snapshot() });
    const [oldest] = this.#taken.keys();
    if (this.#taken.size > capacity && oldest !== undefined) this.#taken.delete(oldest);
    return shown;
  }

  /**
   * Goes back to one, which stays.
   *
   * @throws Problem when there is none with the id.
   */
  restore(id: string): TakenSnapshot {
    const { shown, snapshot } = this.#find(id);
    this.#sandbox.restore(snapshot);
    return shown;
  }

  /**
   * Forgets one.
   *
   * @throws Problem when there is none with the id.
   */
  remove(id: string): void {
    this.#find(id);
    this.#taken.delete(id);
  }

  #find(id: string) {
    const found = this.#taken.get(id);
    if (found === undefined) throw objectNotFound('snapshot', id);
    return found;
  }
}
