import type { Size } from './plan.ts';
import type { StoreAddress } from './stores.ts';

/** The task of a process, which may be a restart. */
export interface CallsTask extends Size {
  readonly worker: number;
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly securityKey: string;
  /** The attempt timeout, in ms. */
  readonly timeout: number;
  /** The path of its notes. */
  readonly notes: string;
  /** The store of its journal. Without one it has no journal. */
  readonly store?: StoreAddress;
  /** How far its clock is in the future, in ms. */
  readonly later: number;
  /** Whether its connections break occasionally. */
  readonly isFaulty: boolean;
}

/** A process's record of a response. */
export interface RecordedResponse {
  /** The id of the service's object; for a sale, also the decision. */
  readonly what: string;
  /** A digest of the whole response. */
  readonly digest: string;
  readonly fromJournal: boolean;
}
