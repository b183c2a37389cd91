import { refuseValue } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { isIntegerFrom } from '../../base/numbers.ts';
import { idsOfObjects, withoutCards } from '../../stores/kept/card-data.ts';
import type { KeptSnapshot, Store, TransactionOptions } from '../../stores/store.ts';
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
  /** The object in the event, with `[card-1111-masked]` in place of card data, but in ids. */
  readonly object: ConnectObject;
};

/** What an event did to the stored snapshots. */
type SnapshotAdvance = {
  /** Whether the event's snapshot is new, and stored now. False for one that was stored before, and for an older one. */
  readonly advanced: boolean;
  /** The newest snapshot: the event's, or a newer one that is stored. */
  readonly current: ConnectSnapshot;
  /**
   * The newest snapshot before: the one that was replaced, or `current` if nothing advanced; `undefined` for the first one. Compare it with
   * `current` to see what changed.
   */
  readonly previous: ConnectSnapshot | undefined;
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
 * Of all deliveries of a version, `advanced` is true for at most one. If the handler crashes after that, or the store's answer is lost,
 * the repeated delivery gets false: so advance and act in one transaction (`client`). Without one, act on `current` in a way that may be
 * repeated, whatever `advanced` is.
 *
 * Card data in the object is masked before it is stored. `current` and `previous` have what is stored.
 *
 * It takes a Connect event of any type, also an `UnknownEvent`, such as one of a visit.
 *
 * @param store The store of the snapshots, such as `postgresStore(pool)`. Nothing deletes them.
 * @param options `client`: a connection with your open transaction, if the store supports transactions.
 * @returns Whether the event's snapshot is new, and the newest snapshots after and before it.
 * @throws ConfigurationError for an event without `livemode`, or whose object has no id or no `version`, or for a key of more than 512 characters. Errors of the store pass through unchanged.
 *
 * @example
 * await database.transaction(async (client) => {
 *   const { advanced, current, previous } = await advanceSnapshot(store, connectEvent, { client });
 *   const isNew = current.object.payments_enabled && !previous?.object.payments_enabled;
 *   if (advanced && isNew) await acceptPayments(client, current.object.id);
 * });
 */
export async function advanceSnapshot<Client = never>(
  store: Pick<Store<Client>, 'advance'>,
  event: VersionedEvent,
  options?: TransactionOptions<Client>,
): Promise<SnapshotAdvance> {
  const { key, version, object } = snapshotOf(event);
  const kept = await store.advance(key, version, withoutCards(JSON.stringify(object), idsOfObjects), options);
  const read = (snapshot: KeptSnapshot): ConnectSnapshot => ({
    key,
    version: snapshot.version,
    object: JSON.parse(snapshot.data),
  });
  return {
    advanced: kept.advanced,
    current: read(kept.current),
    previous: kept.previous && read(kept.previous),
  };
}
