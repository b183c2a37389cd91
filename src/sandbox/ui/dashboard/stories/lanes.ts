import type { Entry } from '../../../stories/entry.ts';

/** The lanes of the timeline. */
export const lanes = ['your app', 'service', 'money', 'your webhook'] as const;

/** One of the lanes. */
export type Lane = (typeof lanes)[number];

/** The object kinds that stand for moved money. */
const moving: readonly string[] = [
  'charge',
  'refund',
  'transaction',
  'chargeback',
  'credit_note',
  'terminal_batch',
];

/** Returns the lane of an entry; `undefined` for an action on the sandbox itself. */
export function laneOf(entry: Entry): Lane | undefined {
  switch (entry.kind) {
    case 'request':
      return 'your app';
    case 'change':
      return moving.includes(entry.object.kind) ? 'money' : 'service';
    case 'delivery':
      return 'your webhook';
    case 'action':
      return undefined;
  }
}

/** The original of a replayed response: its request's number, and its position among the steps, from 1. */
export interface Original {
  readonly number: number;
  readonly place: number;
}

/** Returns the first request with the same key, whose response was replayed. */
export function originalOf(entry: Entry, entries: readonly Entry[]): Original | undefined {
  if (entry.kind !== 'request' || !entry.replayed || entry.idempotencyKey === null) return undefined;
  const index = entries.findIndex(
    (one) => one.kind === 'request' && one.idempotencyKey === entry.idempotencyKey && !one.replayed,
  );
  const original = entries[index];
  return original && { number: original.number, place: index + 1 };
}
