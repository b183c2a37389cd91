import { type StateMachine, transitions } from '../../resources/transitions.ts';
import type { State } from '../domain/state.ts';
import { redactObject } from '../stories/redact-body.ts';
import { capacity } from '../webhooks/publish.ts';

/** The state of an object at an event. */
export interface Moment {
  /** The id of the event. */
  readonly event: string;
  /** The event's type. */
  readonly type: string;
  /** The time of the sandbox's clock, ISO 8601 in UTC. */
  readonly created: string;
  /** The object's state after the event; null if its kind has none. */
  readonly state: string | null;
  /** The object after the event. */
  readonly object: object;
}

const machines: ReadonlyMap<string, StateMachine<readonly string[]>> = new Map(Object.entries(transitions));

/** Returns the state of an object; null if its kind has none. */
export function stateOf(kind: string, object: object): string | null {
  const field = machines.get(kind)?.field ?? (kind === 'transaction' ? 'status' : undefined);
  return field === undefined ? null : String(Reflect.get(object, field));
}

/** Returns the events of an object, oldest first. */
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
