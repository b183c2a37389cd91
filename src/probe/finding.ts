import type { ServiceInterface } from '../resources/service-interface.ts';
import type { Reading } from './question.ts';

/** What a service must be asked with, beyond reads. */
export type Need = 'a test key' | '--create' | '--form' | '--webhook';

/** What was found out of one gap. */
export interface Finding {
  readonly verdict: 'as assumed' | 'differs' | 'not seen';
  /** What came, in words. */
  readonly detail?: string | undefined;
  /** What a client should know. */
  readonly known?: ServiceInterface | undefined;
}

/** A gap of the interface that requests can close. */
export interface Gap {
  /** Its number in `docs/interface-gaps.md`. */
  readonly id: string;
  /** What is not shown, in a few words. */
  readonly title: string;
  /** What it needs; left out for reads alone. */
  readonly needs?: Need | undefined;
  /** Finds it out. */
  read(): Reading<Finding>;
}

/** As the SDK assumes without being told. */
export function asAssumed(detail?: string, known?: ServiceInterface): Finding {
  return { verdict: 'as assumed', detail, known };
}

/** In another form than the SDK assumes. */
export function differs(detail: string, known?: ServiceInterface): Finding {
  return { verdict: 'differs', detail, known };
}

/** The answers do not tell. */
export function notSeen(detail?: string): Finding {
  return { verdict: 'not seen', detail };
}
