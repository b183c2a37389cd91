/**
 * What may be shown all the same, each with its reason; a test that needs one names it. What a caller asks for by name is
 * the service's own answer and is not looked at: the value of a call, `error.body`, `error.headers`, `error.result`, and
 * `headers` of `.withResponse()`. The cause of a `RequestAbortedError` is the reason that the caller gave to its signal, as
 * its doc comment says.
 */

import type { Canary } from './canaries.ts';

/** Canaries that may be shown where it is named. */
export interface Allowance {
  readonly canary: (canary: Canary) => boolean;
  readonly why: string;
}

export const allowances = {
  ownIds: {
    canary: ({ kind }) => kind === 'card number',
    why: 'A call is repeated by its idempotency key, so it is told as it is; an order number cannot be told from a card number.',
  },
  shortValues: {
    canary: ({ name, kind }) => kind === 'short digits' || name.endsWith('_name'),
    why: 'A short word or number in a field of a harmless name is repeated when it is refused: it is a status or an amount.',
  },
  ownPeople: {
    canary: ({ kind }) => kind === 'person',
    why: 'Names and addresses are what a customer is made of: the sandbox keeps and shows them as the service does.',
  },
  endpointSecret: {
    canary: ({ name }) => name === 'the secret of webhooks',
    why: 'An endpoint of the sandbox has its secret as a field, by which a developer verifies what the sandbox signs.',
  },
  ownKeys: {
    canary: ({ name }) => ['secretKey', 'securityKey', 'the secret of webhooks'].includes(name),
    why: 'A sandbox shows its own keys, which open nothing else: they are public fields, and the program prints them on start.',
  },
} as const satisfies Record<string, Allowance>;
