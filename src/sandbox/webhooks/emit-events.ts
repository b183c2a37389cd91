import { eventCatalog } from '../../webhooks/events/catalog.ts';
import type { SandboxEvent } from '../domain/records/event.ts';
import type { Change, State } from '../domain/state.ts';
import { eventTypeOf } from './derive-event.ts';
import { publish } from './publish.ts';

/** The API version in the sandbox's events. The interface shows only its format. */
const apiVersion = '2026-01-01';

/** Creates an event with the current time. */
export function makeEvent(
  { ids, clock }: State,
  type: string,
  object: object,
  operations: readonly string[],
): SandboxEvent {
  const created = new Date(clock.now()).toISOString();
  const id = ids.next('evt');
  return { id, type, api_version: apiVersion, created, livemode: false, data: { object }, operations };
}

/** Publishes the events of some changes, in order. */
export function emitEvents(state: State, changes: readonly Change[]): void {
  for (const change of changes) {
    const type = eventTypeOf(change);
    if (type === undefined || change.after === undefined) continue;
    publish(state, makeEvent(state, type, change.after, eventCatalog[type].operations));
  }
}
