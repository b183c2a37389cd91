import type { ServiceInterface } from 'payments-client';
import type { Reading } from './question.ts';

/** What a gap needs in addition to reads. */
export type Need = 'a test key' | '--create' | '--form' | '--sale' | '--webhook';

/** The finding for one gap. */
export interface Finding {
  readonly verdict: 'as assumed' | 'differs' | 'not seen';
  /** The observation, in words. */
  readonly detail?: string | undefined;
  /** The facts for the client. */
  readonly known?: ServiceInterface | undefined;
  /** The words of the service in `detail`, in their order: a key may be split among them. */
  readonly words?: readonly string[] | undefined;
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

/** The reason of a gap that needs the id of an object. */
export const unusableIds = "the ids in the answers are not plain: letters, digits, '_' and '-'";

/** Returns whether a service's word can be printed and written: short, and on one line. */
export function isWord(text: string): boolean {
  return /^(?!__proto__$)[\w$@.:[\] -]{1,64}$/.test(text);
}

/** A part of a detail, and the word of the service in it. */
export interface Told {
  readonly text: string;
  readonly word: string;
}

/** The most words of a service in one line. */
const maxListed = 50;

/** The service differs in each of these. */
export function differsIn(told: readonly Told[], advice = ''): Finding {
  const shown = told.slice(0, maxListed);
  const more = told.length > shown.length ? ` and ${told.length - shown.length} more` : '';
  return {
    verdict: 'differs',
    detail: shown.map(({ text }) => text).join(', ') + more + advice,
    words: shown.map(({ word }) => word),
  };
}
