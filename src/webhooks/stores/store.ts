/** The claim is yours until its lease runs out. */
export interface Claimed {
  /** Says so. */
  readonly status: 'claimed';
  /** Proves that the claim is yours. Another claim of the same key has another one. */
  readonly token: string;
  /** How many times the key was claimed, this time included. */
  readonly attempt: number;
}

/** Another process holds the key. */
export interface InProgress {
  /** Says so. */
  readonly status: 'in_progress';
  /** When its lease runs out at the latest, in ms from now. */
  readonly retryAfter: number;
}

/** The key was handled to its end. */
export interface Completed {
  /** Says so. */
  readonly status: 'completed';
}

/** What a store says to a claim. */
export type ClaimResult = Claimed | InProgress | Completed;

/**
 * Remembers which events were handled, for all processes that share it.
 *
 * A key is claimed for the time of its lease, then completed or released. A claim that is neither is free again once
 * its lease has run out, so that an event whose process died is handled on its next delivery.
 *
 * @typeParam Client A connection of the store's database in which a transaction of yours is open; `never` where the
 *   store knows no transactions.
 */
export interface WebhookStore<Client = never> {
  /**
   * Claims a key, atomically: of any number of callers at the same time, one gets it.
   *
   * @param lease How long it is held, in ms.
   * @param client Claims within your transaction.
   */
  claim(key: string, lease: number, client?: Client): Promise<ClaimResult>;
  /**
   * Records that the key was handled. May be called again with the same token.
   *
   * @param retention How long it is remembered at least, in ms.
   * @param client Completes within your transaction, so that your effect and this record are committed together.
   * @returns Whether the claim was still yours; where not, nothing was recorded.
   */
  complete(key: string, token: string, retention: number, client?: Client): Promise<boolean>;
  /** Gives the claim back, so that the next delivery is handled at once. Does nothing where it is no longer yours. */
  release(key: string, token: string, client?: Client): Promise<void>;
}
