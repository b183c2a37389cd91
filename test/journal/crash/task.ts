import type { WorkerTask } from '../../chaos/task.ts';
import type { Size } from './plan.ts';
import type { StoreAddress } from './stores.ts';

/** What a process is told when it is started, and started again. */
export interface CrashTask extends WorkerTask, Size {
  readonly store: StoreAddress;
  /** How long after the present it lives, in ms. */
  readonly later: number;
  /** Whether its connections break now and then. */
  readonly isHarmed: boolean;
}

/** What a process writes down of an answer. */
export interface Told {
  /** The id of the service's object; of a sale, the service's decision too. */
  readonly what: string;
  /** A digest of the whole answer. */
  readonly digest: string;
  readonly fromJournal: boolean;
}
