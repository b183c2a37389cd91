/** The events of the service, the instructions and notes of one process, and how these go into the books. */

import fc from 'fast-check';
import { bodyOf, type EventPlan, events, type Mode, modes } from '../dimensions/deliveries.ts';
import type { Book } from '../facts.ts';
import type { Lifetime } from './pool.ts';
import { exactly } from './report.ts';
import type { StoreAddress } from './stores.ts';

/** An event, and how to send it. */
export interface SentEvent extends EventPlan {
  /** Identifies it in effects and reports: mode, scope and id. */
  readonly name: string;
  readonly eventId: string;
  readonly body: string;
}

/** The events of a test, and what happens while they are delivered. */
export interface DeliveriesPlan {
  readonly events: readonly SentEvent[];
  /** To which processes the service turns, one delivery after the other, and whether to two at once. */
  readonly targets: readonly { readonly first: number; readonly both: boolean }[];
  /** Which process stalls next. */
  readonly stalls: readonly number[];
}

export const nameOf = (mode: Mode, scope: string | undefined, id: string) => `${mode}/${scope}/${id}`;

/** How its handler fails, once in some processes: the id says it, so that a handler can read it. */
export const failureIn = (id: string) => id.split('_').at(-1);

function failureOf({ faults }: EventPlan): 'none' | 'before' | 'after' {
  const fault = faults.find(({ at }) => at === 'handler')?.fault;
  if (fault === undefined) return 'none';
  return fault === 'throws' ? 'before' : 'after';
}

/** One event in this many has an id that an event of the other endpoint has too. */
const sharedEvery = 10;

function sentOf(plan: EventPlan, number: number, allModes: readonly Mode[]): readonly SentEvent[] {
  const mode = allModes.includes(plan.mode) ? plan.mode : 'leased';
  const eventId = `evt_${number}_${failureOf(plan)}`;
  const isShared = plan.kind === 'good' && number % sharedEvery === 0;
  const scopes = isShared ? (['platform', 'connected'] as const) : ([plan.scope] as const);
  const body = bodyOf(plan, eventId);
  return scopes.map((scope) => ({ ...plan, mode, scope, name: nameOf(mode, scope, eventId), eventId, body }));
}

/** Redis and a file have no transactions with the merchant's table. */
export function deliveriesOf(count: number, hasTransactions: boolean): fc.Arbitrary<DeliveriesPlan> {
  const allModes = hasTransactions ? modes : (['leased'] as const);
  return fc.record({
    events: exactly(count, events).map((all) =>
      all.flatMap((plan, number) => sentOf(plan, number, allModes)),
    ),
    targets: exactly(400, fc.record({ first: fc.nat(3), both: fc.nat(7).map((one) => one === 3) })),
    stalls: exactly(100, fc.nat(3)),
  });
}

/** The task of a process. */
export interface DeliveryTask {
  readonly name: string;
  /** Its slot among the concurrent processes. */
  readonly slot: number;
  readonly store: StoreAddress;
  readonly modes: readonly Mode[];
  /** How long a handler may take, in ms. */
  readonly lease: number;
  /** Whether its handlers fail as planned. */
  readonly fails: boolean;
  /** The path of its notes. */
  readonly notes: string;
}

/** What a process notes. */
export type DeliveryNote = { readonly at: number } & (
  | { readonly what: 'began'; readonly name: string; readonly run: string }
  | {
      readonly what: 'stopped';
      readonly name: string;
      readonly run: string;
      readonly how: 'returned' | 'threw';
    }
  | {
      readonly what: 'reported';
      /** The name of the event; `undefined` if there is none. */
      readonly name: string | undefined;
      readonly response: string;
      readonly isVerified: boolean;
      readonly hasIssues: boolean;
      readonly hasClaim: boolean;
    }
);

/** The notes of one lifetime of a process. */
export interface LifeNotes {
  readonly lifetime: Lifetime;
  readonly notes: readonly DeliveryNote[];
}

/**
 * Whether a fault hit a run: its process was killed before the run had its report, or was stopped while it held the event. With
 * `completeIn` a run may start after its lease, since it then rolls back.
 */
function isHit({ lifetime, notes }: LifeNotes, name: string, at: number, lease: number): boolean {
  const isReported = notes.some((note) => note.what === 'reported' && note.name === name && note.at >= at);
  if (lifetime.isKilled && !isReported) return true;
  const isStopped = lifetime.stalls.some(({ from, to }) => to >= at - lease && from <= at + lease);
  return isStopped || name.startsWith('completeIn/');
}

/** Notes in the books what the processes noted, in order of time. A quarter of the lease remains when a handler starts. */
export function bookNotes(book: Book, lives: readonly LifeNotes[], lease: number): void {
  const all = lives.flatMap((life) => life.notes.map((note) => ({ life, note })));
  for (const { life, note } of all.sort((one, other) => one.note.at - other.note.at)) {
    const name = life.lifetime.name;
    const of = note.name ?? '';
    if (note.what === 'began') {
      const { run, at } = note;
      const isExcused = isHit(life, of, at, lease);
      book.note('began', { of, run, life: name, at, holds: lease / 4, isExcused: () => isExcused });
    } else if (note.what === 'stopped') {
      book.note('stopped', { of, run: note.run, life: name, how: note.how });
    } else {
      const { response, isVerified, hasIssues, hasClaim } = note;
      const known = book.expected.events.has(of) ? of : 'nothing';
      book.note('reported', {
        of: known,
        life: name,
        response,
        isVerified,
        hasIssues,
        hasClaim: hasClaim && known === of,
      });
      if (response.endsWith(' handled')) book.note('handled', { of, isHandled: true });
    }
  }
}
