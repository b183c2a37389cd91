import { refuseValue } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { isIntegerFrom } from '../../base/numbers.ts';
import type { Store, TransactionOptions } from '../../stores/store.ts';
import type { ConnectObject } from './connect.ts';

/** The fields of a Connect event that determine its order. Checked when it is passed, so that an event of an unknown type fits. */
type VersionedEvent = {
  /** True for a live event. */
  readonly livemode?: boolean | undefined;
  /** The object that changed. */
  readonly data: { readonly object: unknown };
};

/** A snapshot of a Connect object, and the sequence that its version belongs to. */
type ConnectSnapshot = {
  /** The sequence: mode, `version_scope` and the object's id. The store keeps one snapshot per key. */
  readonly key: string;
  /** The version within the sequence. */
  readonly version: number;
  /** The object in the event. */
  readonly object: ConnectObject;
};

const advice = 'The event cannot be ordered: retrieve the object instead.';

/** Returns the snapshot in an event. */
function snapshotOf(event: VersionedEvent): ConnectSnapshot {
  const object = event?.data?.object;
  if (!isRecord(object)) return refuseValue('event', 'a Connect event', event, advice);
  const { livemode } = event;
  if (typeof livemode !== 'boolean') return refuseValue('event.livemode', 'true or false', livemode, advice);
  const { id, version, version_scope: scope = '' } = object;
  // Without it, all objects would share one key.
  if (typeof id !== 'string' || id === '') {
    return refuseValue('event.data.object.id', 'a non-empty string', id, advice);
  }
  if (!isIntegerFrom(version, Number.MIN_SAFE_INTEGER)) {
    return refuseValue('event.data.object.version', 'an integer', version, advice);
  }
  // A JSON tuple: no two sequences share a key, whatever their parts contain.
  return { key: JSON.stringify([livemode ? 'live' : 'test', scope, id]), version, object: { ...object, id } };
}

/**
 * Stores the newest snapshot of a Connect object atomically: the highest version wins (*shown*), with any number of
 * processes, and with events in any order or repeated. A replacement link starts its own version sequence (*shown*). The SDK assumes
 * that the new link has a new id, and so a new key (*inferred*). If the link keeps its id, delete the stored snapshot when you
 * replace it. The guide has the SQL statement for a table of your own.
 *
 * It takes a Connect event of any type, also an `UnknownEvent`, such as one of a visit.
 *
 * @param store The store of the snapshots, such as `postgresStore(pool)`. Nothing deletes them.
 * @param options `client`: a connection with your open transaction, if the store supports transactions.
 * @returns The stored snapshot: the event's, or a newer one. Act on this one.
 * @throws ConfigurationError for an event without `livemode`, or whose object has no id or no `version`, or for a key of more than 512 characters. Errors of the store pass through unchanged.
 *
 * @example
 * const newest = await advanceSnapshot(store, connectEvent);
 * if (newest.object.payments_enabled) acceptPayments(newest.object.id);
 */
export async function advanceSnapshot<Client = never>(
  store: Pick<Store<Client>, 'advance'>,
  event: VersionedEvent,
  options?: TransactionOptions<Client>,
): Promise<ConnectSnapshot> {
  const { key, version, object } = snapshotOf(event);
  const kept = await store.advance(key, version, JSON.stringify(object), options);
  return { key, version: kept.version, object: JSON.parse(kept.data) };
}
