import type { State } from '../../domain/state.ts';
import type { Change } from '../unit-of-work.ts';

/** Keeps the state of a sandbox beyond its process. */
export interface Keeper {
  /** Puts what is kept into a state that is empty, and keeps what becomes of it from then on. */
  attach(state: State): void;
  /** Keeps a unit of work, before it counts. Throws where it cannot: then the unit does not count. */
  append(changes: readonly Change[], time: number, ids: number): void;
  /** Keeps the state as it is now, in place of all that was kept. */
  rewrite(state: State): void;
  /** May make what is kept smaller. Never throws. */
  tidy(state: State): void;
  /** Ends it. Nothing can be changed any more. */
  close(): void;
}
