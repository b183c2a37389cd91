import type { Store } from 'payments-client/stores';

/** A store, and what happens to it while a shop sells. */
export interface Drill {
  readonly store: Store;
  /** Happens after the first half of the sales. Default: nothing does. */
  readonly midway?: () => Promise<unknown>;
  /** Happens after all of them. Returns the store that the shop has then. */
  readonly strike: () => Promise<Store>;
}

/**
 * What the contract says of the second half of the sales. `kept`: each is known. `refused`: none is sent, since the store cannot keep it.
 * `noticed`: they are forgotten, and a sale is refused until a person has looked. `unnoticed`: they are forgotten, as the guide says.
 */
export type Promised = 'kept' | 'refused' | 'noticed' | 'unnoticed';

/** A drill with what is promised, or why there is none. */
type Cell = { readonly promised: Promised; readonly open: () => Promise<Drill> } | string;

/** The drills of a store. */
export interface Drills {
  readonly 'a crash': Cell;
  readonly 'a failover': Cell;
  readonly 'a failover of what replicas have confirmed': Cell;
  readonly 'no replica that confirms': Cell;
  readonly 'a change of its settings': Cell;
  readonly 'a restored backup': Cell;
  readonly 'a replica by mistake': Cell;
}
