import type { Actor } from './actor.ts';
import type { Invariants } from './invariants.ts';

/** One run of a handler. */
interface Run {
  readonly actor: Actor;
  /** Whether the handler returned; otherwise it still runs, has thrown, or died. */
  state: 'running' | 'ended' | 'thrown';
}

/** An event of the service, and its state. */
export interface SentEvent {
  readonly id: string;
  /** How many deliveries were started. */
  tries: number;
  /** Whether the service received an acknowledgement. */
  isAcknowledged: boolean;
  readonly runs: Run[];
  /** Whether the store recorded it as handled. */
  isRecorded: boolean;
}

/** Returns the key of an event in the store, which is also the operation id of its handler. */
export const keyOf = (id: string) => `webhook.default/test//${id}`;

export function newEvent(id: string): SentEvent {
  return { id, tries: 0, isAcknowledged: false, runs: [], isRecorded: false };
}

/** A handler starts: the event is not handled yet, and no other actor is handling it, except for actors hit by a fault. */
export function beginRun(event: SentEvent, actor: Actor, invariants: Invariants): Run {
  const { id, isRecorded, runs } = event;
  invariants.require(!isRecorded || actor.isTroubled, `${id} was handled after it was recorded as handled`);
  const isExcused = (run: Run) => actor.isTroubled || run.actor.isTroubled || run.state === 'thrown';
  const other = runs.find((run) => !isExcused(run));
  invariants.require(other === undefined, `${id} was handled twice (${other?.state})`);
  const run: Run = { actor, state: 'running' };
  runs.push(run);
  return run;
}

/** The receiver answered with a 2xx: the service stops delivering the event. */
export function acknowledge(event: SentEvent, invariants: Invariants): void {
  const { id, runs, isRecorded } = event;
  const isHandled = runs.some(({ state }) => state === 'ended');
  invariants.require(isHandled, `${id} was acknowledged before it was handled`);
  invariants.require(isRecorded, `${id} was acknowledged before it was recorded`);
}
