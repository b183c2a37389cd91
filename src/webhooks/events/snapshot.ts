import { isIntegerFrom } from '../../base/integer.ts';
import { formatIssue, issueAt } from '../../base/issue.ts';
import type { SnapshotStore } from '../../stores/snapshot-store.ts';
import type { TransactionOptions } from '../../stores/transaction-options.ts';
import type { ConnectObject } from './connect.ts';
import type { EventData } from './event.ts';

/** What of a Connect event puts it in order. */
export interface VersionedEvent {
  /** Whether it is about live money. */
  readonly livemode: boolean;
  /** What it is about. */
  readonly data: EventData<ConnectObject>;
}

/** A snapshot: the object as an event tells it, and the sequence that its version counts in. */
export interface ConnectSnapshot {
  /** The sequence: its mode, its `version_scope` and the object's id. One snapshot is kept for each. */
  readonly key: string;
  /** Its version within the sequence. */
  readonly version: number;
  /** The object. */
  readonly object: ConnectObject;
}

/**
 * Returns the snapshot that an event brings. A replacement link starts its own version sequence (*shown*). That it has an id of its own, and
 * so a key of its own, is *inferred*: if it keeps the id, delete what is stored under the key when you replace a link.
 *
 * @throws TypeError for an event whose object has no id or no `version`.
 */
export function snapshotOf({ livemode, data: { object } }: VersionedEvent): ConnectSnapshot {
  const { id, version, version_scope: scope = '' } = object;
  if (!isIntegerFrom(version, Number.MIN_SAFE_INTEGER)) {
    throw new TypeError(
      `${formatIssue(issueAt('data.object.version', 'an integer', version))}. Without it the event cannot be put in order: retrieve the object instead.`,
    );
  }
  // A tuple in JSON, so that no two sequences share a key whatever their parts hold.
  return { key: JSON.stringify([livemode ? 'live' : 'test', scope, id]), version, object };
}

/**
 * Keeps the newest snapshot of a Connect object, atomically: of any number of processes, with events in any order and more than once, the highest
 * version stays (*shown*). For a table of your own, the guide has the statement that does the same.
 *
 * @param store Where snapshots are kept, such as `postgresStore(pool)`. Nothing deletes them.
 * @param options `client`: a connection with your open transaction, where the store has transactions.
 * @returns The snapshot that is kept: that of the event, or a newer one. Act on this.
 * @throws TypeError for an event whose object has no id or no `version`. What the store throws comes through as it is.
 *
 * @example
 * const newest = await advanceSnapshot(store, event);
 * if (newest.object.payments_enabled) openTheTill(newest.object.id);
 */
export async function advanceSnapshot<Client = never>(
  store: SnapshotStore<Client>,
  event: VersionedEvent,
  options?: TransactionOptions<Client>,
): Promise<ConnectSnapshot> {
  const { key, version, object } = snapshotOf(event);
  const kept = await store.advance(key, version, JSON.stringify(object), options);
  return { key, version: kept.version, object: JSON.parse(kept.data) };
}
