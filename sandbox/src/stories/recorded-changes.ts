import type { SandboxDelivery } from '../domain/records/delivery.ts';
import { type Change, isShownKind } from '../domain/state.ts';
import type { RecordedChange, RecordedDelivery } from './entry.ts';

/** An entry before it has its number. */
export type Unnumbered<One> = One extends unknown ? Omit<One, 'number'> : never;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(object: object | undefined): Fields | null {
  return object === undefined ? null : { ...object };
}

/** Returns the id of an event's object. A chargeback is not a stored object, but has an id of its own. */
export function subjectOf({ data: { object } }: { readonly data: { readonly object: object } }): string {
  return String(Reflect.get(object, 'id') ?? Reflect.get(object, 'chargeback_id') ?? '');
}

/** Merges the changes of each object in a unit of work: from before the first to after the last. */
function changesByObject(changes: readonly Change[]): Map<string, Change> {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    if (!isShownKind(change.kind) && change.kind !== 'authentication') continue;
    const first = merged.get(change.id);
    // Both are of the same object, so they have the same kind.
    merged.set(change.id, first === undefined ? change : ({ ...change, before: first.before } as Change));
  }
  return merged;
}

/** Returns the changes of a unit of work, each with the events that it emitted. */
export function recordedChanges(
  changes: readonly Change[],
  at: number,
  { cause, unit }: Pick<RecordedChange, 'cause' | 'unit'>,
): readonly Unnumbered<RecordedChange>[] {
  const events = changes.flatMap(({ kind, before, after }) =>
    kind === 'event' && before === undefined && after !== undefined ? [after] : [],
  );
  const byObject = changesByObject(changes);
  const eventsOf = (id: string) =>
    events.filter((event) => subjectOf(event) === id).map(({ id, type }) => ({ id, type }));
  const ofObjects = [...byObject.values()].map(({ kind, id, before, after }) => ({
    kind: 'change' as const,
    at,
    cause,
    unit,
    object: { kind, id },
    before: fieldsOf(before),
    after: fieldsOf(after),
    events: eventsOf(id),
  }));
  const ofNone = events
    .filter((event) => !byObject.has(subjectOf(event)))
    .map((event) => ({
      kind: 'change' as const,
      at,
      cause,
      unit,
      object: { kind: event.type.split('.')[0] ?? '', id: subjectOf(event) },
      before: null,
      after: fieldsOf(event.data.object),
      events: [{ id: event.id, type: event.type }],
    }));
  return [...ofObjects, ...ofNone];
}

/** Returns the delivery if a change is a new attempt; else `undefined`. */
export function attemptedDelivery({ kind, before, after }: Change): SandboxDelivery | undefined {
  if (kind !== 'delivery' || after === undefined) return undefined;
  return after.attempts.length > (before?.attempts.length ?? 0) ? after : undefined;
}

/** Returns the last attempt of a delivery. */
export function recordedDelivery(
  delivery: SandboxDelivery,
  object: string,
  body: string,
): Unnumbered<RecordedDelivery> | undefined {
  const { id, eventId, type, endpointId, url, status, attempts } = delivery;
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  return {
    kind: 'delivery',
    at: last.at,
    deliveryId: id,
    event: { id: eventId, type },
    object,
    endpointId,
    url,
    attempt: attempts.length,
    status,
    request: { headers: last.headers, body },
    responseStatus: last.status,
    error: last.error,
    responseText: last.responseText,
  };
}
