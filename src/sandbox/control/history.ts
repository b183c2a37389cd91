import { type StateMachine, transitions } from '../../resources/transitions.ts';
import type { State } from '../domain/state.ts';
import { redactObject } from '../stories/redact-body.ts';
import { capacity } from '../webhooks/publish.ts';

/** A moment in the life of an object. */
export interface Moment {
  /** The event that told of it. */
  readonly event: string;
  /** The event's type. */
  readonly type: string;
  /** When, ISO 8601 in UTC, by the sandbox's clock. */
  readonly created: string;
  /** The state that the object was in then; null where its kind has none. */
  readonly state: string | null;
  /** The object as it was then. */
  readonly object: object;
}

const machines: ReadonlyMap<string, StateMachine<string>> = new Map(Object.entries(transitions));

/** The state of an object; null where its kind has none. */
export function stateOf(kind: string, object: object): string | null {
  const field = machines.get(kind)?.field ?? (kind === 'transaction' ? 'status' : undefined);
  return field === undefined ? null : String(Reflect.get(object, field));
}

/** What has happened to an object, oldest first, as far as events tell. */
export function historyOf({ objects: { event } }: State, kind: string, id: string): readonly Moment[] {
  const about = event.page({ limit: capacity }).filter(({ data }) => Reflect.get(data.object, 'id') === id);
  return about
    .map(({ id, type, created, data }) => ({
      event: id,
      type,
      created,
      state: stateOf(kind, data.object),
      object: redactObject(data.object),
    }))
    .toReversed();
}
