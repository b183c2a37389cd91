/**
 * What may be shown all the same. Everything else that the SDK shows by itself holds no canary. What a caller asks for by
 * name is the service's own answer and is not looked at: the value of a call, `error.body`, `error.headers`,
 * `error.result`, and `headers` of `.withResponse()`.
 */

import type { Canary } from './canaries.ts';

/** A place where some canaries may be shown. */
export interface Allowance {
  /** The place, as a {@link Watch} names it. */
  readonly where: RegExp;
  readonly canary: (canary: Canary) => boolean;
  readonly why: string;
}

const isPersonal = ({ kind }: Canary) => kind === 'person';
const isAny = () => true;

export const allowances = {
  ownIds: {
    where: /idempotencyKey|idempotency-key/,
    canary: isAny,
    why: 'The key is what a caller repeats a call by, so it is told as it is; an order number cannot be told from a card number.',
  },
  abortReason: {
    where: /^error$/,
    canary: isAny,
    why: 'The cause of a RequestAbortedError is the reason that the caller gave to its own signal, as the error says.',
  },
  ownWords: {
    where: /^(?:error|log|hook|promise)/,
    canary: isPersonal,
    why: 'The service may name a person in its own words, and no program can tell a name from a word; card data and secrets are taken out.',
  },
} as const satisfies Record<string, Allowance>;
