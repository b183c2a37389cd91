import type { Entry } from '../../../stories/entry.ts';

/** Where things happen. */
export const lanes = ['your app', 'service', 'money', 'your webhook'] as const;

/** One of the lanes. */
export type Lane = (typeof lanes)[number];

/** The kinds of objects that stand for money that moves. */
const moving: readonly string[] = [
  'charge',
  'refund',
  'transaction',
  'chargeback',
  'credit_note',
  'terminal_batch',
];

/** Returns where an entry happened; `undefined` for what was done to the sandbox from outside. */
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

/** A request whose reply was sent again: its number, and its place among the steps, from 1. */
export interface Original {
  readonly number: number;
  readonly place: number;
}

/** Returns the first request with the same key, which a replayed reply belongs to. */
export function originalOf(entry: Entry, entries: readonly Entry[]): Original | undefined {
  if (entry.kind !== 'request' || !entry.replayed || entry.idempotencyKey === null) return undefined;
  const index = entries.findIndex(
    (one) => one.kind === 'request' && one.idempotencyKey === entry.idempotencyKey && !one.replayed,
  );
  const original = entries[index];
  return original && { number: original.number, place: index + 1 };
}
