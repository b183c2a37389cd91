import type { Entry } from '../stories/entry.ts';

/** The kinds of activity, in the order of the filter. */
export const entryKinds = ['request', 'page_view', 'event', 'delivery', 'change', 'action'] as const;

/** A kind of activity. `page_view`: a request of a buyer's browser. `change`: a change that emitted no event. */
export type EntryKind = (typeof entryKinds)[number];

/** Returns the kind of an entry. */
export function kindOf(entry: Entry): EntryKind {
  if (entry.kind === 'request' && entry.source === 'buyer') return 'page_view';
  return entry.kind === 'change' && entry.events.length > 0 ? 'event' : entry.kind;
}

/** Returns the ids of the events that a change emitted, or that a delivery is about. */
export function eventsOf(entry: Entry): readonly string[] {
  if (entry.kind === 'change') return entry.events.map(({ id }) => id);
  return entry.kind === 'delivery' ? [entry.event.id] : [];
}
