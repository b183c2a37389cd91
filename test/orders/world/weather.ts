import type { Draws } from './draws.ts';

/** What can go wrong, each with its probability at each place where it can. */
export interface Weather {
  /** The connection is refused: nothing is sent. */
  readonly refused: number;
  /** A request is lost before the service executes it. */
  readonly lostRequest: number;
  /** The service executes a request, and the reply is lost. */
  readonly lostReply: number;
  /** The caller gives a request up, and the service executes it later. */
  readonly lateRequest: number;
  /** A 500, 502 or 503, without or after the execution. */
  readonly serverError: number;
  /** A read returns an earlier state of the object. */
  readonly staleRead: number;
  /** The store fails before it acts. */
  readonly storeFails: number;
  /** The store acts, and its answer is lost. */
  readonly storeAnswerLost: number;
  /** A process dies at a gate. */
  readonly kill: number;
  /** The merchant's own code fails while it ships. */
  readonly shippingFails: number;
  /** An event is never delivered. */
  readonly eventLost: number;
  /** An event is delivered again. */
  readonly eventAgain: number;
}

/** Nothing goes wrong. */
export const calm: Weather = {
  refused: 0,
  lostRequest: 0,
  lostReply: 0,
  lateRequest: 0,
  serverError: 0,
  staleRead: 0,
  storeFails: 0,
  storeAnswerLost: 0,
  kill: 0,
  shippingFails: 0,
  eventLost: 0,
  eventAgain: 0,
};

/** What goes wrong most in a bad history. */
const storm: Weather = {
  refused: 0.05,
  lostRequest: 0.1,
  lostReply: 0.12,
  lateRequest: 0.06,
  serverError: 0.1,
  staleRead: 0.15,
  storeFails: 0.05,
  storeAnswerLost: 0.05,
  kill: 0.02,
  shippingFails: 0.2,
  eventLost: 0.3,
  eventAgain: 0.3,
};

/** Draws the weather of a history: each kind of fault is absent, or somewhere up to its worst. */
export function weatherOf(draws: Draws): Weather {
  if (draws.chance(0.1)) return calm;
  const drawn: Record<string, number> = {};
  for (const [name, worst] of Object.entries(storm))
    drawn[name] = draws.chance(0.4) ? 0 : worst * draws.fraction();
  return { ...calm, ...drawn };
}
