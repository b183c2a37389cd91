/**
 * Exceptions that may be output, each with its reason. A test that needs one names it. What a caller reads explicitly is the
 * service's own response and is not searched: the value of a call, `error.body`, `error.headers`, `error.result`, and `headers`
 * of `.withResponse()`. The cause of a `RequestAbortedError` is the caller's own reason, as its doc comment says.
 */

import type { Canary } from './canaries.ts';

/** Canaries that a test may allow by this name. */
export interface Allowance {
  readonly canary: (canary: Canary) => boolean;
  readonly why: string;
}

export const allowances = {
  ownIds: {
    canary: ({ kind }) => kind === 'card number',
    why: 'A retry needs the idempotency key, so it is output unchanged; an order number may look like a card number.',
  },
  shortValues: {
    canary: ({ name, kind }) => kind === 'short digits' || name.endsWith('_name'),
    why: 'A short word or number in a field of a harmless name is repeated when it is refused: it is a status or an amount.',
  },
  ownPeople: {
    canary: ({ kind }) => kind === 'person',
    why: 'Names and addresses are the data of a customer: the sandbox stores and shows them as the service does.',
  },
  ownKeys: {
    canary: ({ name }) => ['secretKey', 'securityKey', 'the secret of webhooks'].includes(name),
    why: 'A sandbox shows its own keys, which are valid nowhere else: they are public fields, and the program prints them on start.',
  },
} as const satisfies Record<string, Allowance>;
