import { isIntegerFrom } from '../../base/integer.ts';
import { formatIssue, issueAt } from '../../base/issue.ts';
import type { ConnectObject } from './connect.ts';
import type { EventData } from './event.ts';

/** What of a Connect event puts it in order. */
export interface VersionedEvent {
  /** Whether it is about live money. */
  readonly livemode: boolean;
  /** What it is about. */
  readonly data: EventData<ConnectObject>;
}

/** A snapshot to store: the object as the newest event tells it, and the sequence that its version counts in. */
export interface ConnectSnapshot {
  /** The sequence: its mode, its `version_scope` and the object's id. Store one snapshot for each. */
  readonly key: string;
  /** Its version within the sequence. */
  readonly version: number;
  /** The object. */
  readonly object: ConnectObject;
}

/**
 * The snapshot that an event brings. A replacement link starts its own sequence of versions (*shown*), under the key of its own id
 * (*inferred*: that its id is another one).
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
 * The snapshot to keep: the incoming one where it is newer than the stored one of the same sequence, else the stored one
 * itself. Events come in any order and more than once; only a higher version advances (*shown*).
 *
 * @param stored What is stored under the incoming snapshot's `key`; `undefined` where nothing is.
 * @throws TypeError for a stored snapshot of another sequence, whose versions say nothing about this one.
 *
 * @example
 * const incoming = snapshotOf(event);
 * const stored = await rows.get(incoming.key);
 * const newest = advanceSnapshot(stored, incoming);
 * if (newest !== stored) await rows.set(incoming.key, newest);
 */
export function advanceSnapshot(
  stored: ConnectSnapshot | undefined,
  incoming: ConnectSnapshot,
): ConnectSnapshot {
  if (stored === undefined) return incoming;
  if (stored.key !== incoming.key) {
    throw new TypeError(
      "advanceSnapshot: expected a stored snapshot of the same object id, mode and version_scope, got one of another. Store one snapshot for each 'key'.",
    );
  }
  return incoming.version > stored.version ? incoming : stored;
}
