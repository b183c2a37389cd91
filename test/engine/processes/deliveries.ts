/** The events of the service, the task of one process, and how its notes go into the books. */

import fc from 'fast-check';
import { bodyOf, type EventPlan, events, type Mode, modes } from '../dimensions/deliveries.ts';
import type { Book, Facts } from '../facts.ts';
import { exactly, isAbout, type Noted } from './notes.ts';
import type { Lifetime } from './pool.ts';
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

/** One event in this many has an id that an event of the other endpoint has too. */
const sharedEvery = 10;

function sentOf(plan: EventPlan, number: number, allModes: readonly Mode[]): readonly SentEvent[] {
  const mode = allModes.includes(plan.mode) ? plan.mode : 'leased';
  const fault = plan.faults.find(({ at }) => at === 'handler')?.fault ?? 'none';
  const eventId = `evt_${number}_${fault.replace(' ', '-')}`;
  const isShared = plan.kind === 'good' && number % sharedEvery === 0;
  const scopes = isShared ? (['platform', 'connected'] as const) : ([plan.scope] as const);
  const body = bodyOf(plan, eventId);
  return scopes.map((scope) => ({ ...plan, mode, scope, name: nameOf(mode, scope, eventId), eventId, body }));
}

export function deliveriesOf(count: number, allModes: readonly Mode[] = modes): fc.Arbitrary<DeliveriesPlan> {
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
  /** How long a handler may take, in ms. */
  readonly lease: number;
  /** Whether its handlers fail as planned. */
  readonly fails: boolean;
  /** The path of its notes. */
  readonly notes: string;
}

/** A run of a handler. Whether a fault excuses it is known later. */
export type Began = Omit<Noted<'began'>, 'fact'> & { readonly fact: Omit<Facts['began'], 'isExcused'> };

/** The notes of one lifetime of a process. */
export interface LifeNotes {
  readonly lifetime: Lifetime;
  readonly notes: readonly Noted[];
}

/**
 * Whether a fault hit a run: its process was killed before the run had its report, or was stopped while it held the event. With
 * `completeIn` a run may start after its lease, since it then rolls back.
 */
function isHit({ lifetime, notes }: LifeNotes, { of, at }: Facts['began'], lease: number): boolean {
  const isReported = notes.some((one) => one.at >= at && isAbout('reported', one) && one.fact.of === of);
  if (lifetime.isKilled && !isReported) return true;
  const isStopped = lifetime.stalls.some(({ from, to }) => to >= at - lease && from <= at + lease);
  return isStopped || of.startsWith('completeIn/');
}

/** Returns the events that a process was killed over between the end of their handlers and its report: it may have recorded them. */
export function unreportedIn({ lifetime, notes }: LifeNotes): string[] {
  if (!lifetime.isKilled) return [];
  const reported = new Set(notes.flatMap((one) => (isAbout('reported', one) ? one.fact.of : [])));
  return notes.flatMap((one) =>
    isAbout('stopped', one) && one.fact.how === 'returned' && !reported.has(one.fact.of) ? one.fact.of : [],
  );
}

/** Notes in the books what the processes noted, in order of time. */
export function bookNotes(book: Book, lives: readonly LifeNotes[], lease: number): void {
  const all = lives.flatMap((life) => life.notes.map((note) => ({ life, note })));
  for (const { life, note } of all.sort((one, other) => one.note.at - other.note.at)) {
    if (isAbout('began', note)) {
      const isExcused = isHit(life, note.fact, lease);
      book.note('began', { ...note.fact, isExcused: () => isExcused });
    } else if (isAbout('reported', note)) {
      const { of, hasClaim, response } = note.fact;
      const isKnown = book.expected.events.has(of);
      book.note('reported', { ...note.fact, of: isKnown ? of : 'nothing', hasClaim: hasClaim && isKnown });
      if (response.endsWith(' handled')) book.note('handled', { of, isHandled: true });
    } else {
      book.note(note.what, note.fact);
    }
  }
}
