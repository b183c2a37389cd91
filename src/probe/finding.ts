import type { ServiceInterface } from '../resources/service-interface.ts';
import type { Reading } from './question.ts';

/** What a gap needs in addition to reads. */
export type Need = 'a test key' | '--create' | '--form' | '--webhook';

/** The finding for one gap. */
export interface Finding {
  readonly verdict: 'as assumed' | 'differs' | 'not seen';
  /** The observation, in words. */
  readonly detail?: string | undefined;
  /** The facts for the client. */
  readonly known?: ServiceInterface | undefined;
}

/** A gap of the interface that requests can close. */
export interface Gap {
  /** Its number in `docs/interface-gaps.md`. */
  readonly id: string;
  /** A short description of the unknown fact. */
  readonly title: string;
  /** What it needs; absent if reads suffice. */
  readonly needs?: Need | undefined;
  /** Closes the gap. */
  read(): Reading<Finding>;
}

/** The service behaves as the SDK assumes by default. */
export function asAssumed(detail?: string, known?: ServiceInterface): Finding {
  return { verdict: 'as assumed', detail, known };
}

/** The service differs from the SDK's assumption. */
export function differs(detail: string, known?: ServiceInterface): Finding {
  return { verdict: 'differs', detail, known };
}

/** The answers are inconclusive. */
export function notSeen(detail?: string): Finding {
  return { verdict: 'not seen', detail };
}
