import type { Actor } from './actor.ts';
import type { Invariants } from './invariants.ts';

/** One run of a handler. */
interface Run {
  readonly actor: Actor;
  /** Whether the handler came to its end; else it goes on, has thrown, or died. */
  state: 'running' | 'ended' | 'thrown';
}

/** An event of the service, and what became of it. */
export interface SentEvent {
  readonly id: string;
  /** How many deliveries were started. */
  tries: number;
  /** Whether the service was told that it was handled. */
  isAcknowledged: boolean;
  readonly runs: Run[];
  /** Whether the store says that it was handled. */
  isRecorded: boolean;
}

/** The key of an event in the store, and the operation id of its handler. */
export const keyOf = (id: string) => `webhook/default/test//${id}`;

export function newEvent(id: string): SentEvent {
  return { id, tries: 0, isAcknowledged: false, runs: [], isRecorded: false };
}

/** A handler begins: nobody has handled the event, and nobody is at it, but those whom something happened to. */
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

/** The receiver has answered with a 2xx: from now on the service does not deliver the event by itself. */
export function acknowledge(event: SentEvent, invariants: Invariants): void {
  const { id, runs, isRecorded } = event;
  const isHandled = runs.some(({ state }) => state === 'ended');
  invariants.require(isHandled, `${id} was acknowledged before it was handled`);
  invariants.require(isRecorded, `${id} was acknowledged before it was recorded`);
}
