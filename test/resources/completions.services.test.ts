/** Reaches inside: compares what an editor offers, when a program compares a status, with the table of transitions. */

import { expect, it } from 'vitest';
import { type StatefulObject, transitions } from '../../src/resources/transitions.ts';
import { completionsAt } from '../support/compiler.ts';

const statuses: readonly (readonly [type: string, kind: StatefulObject, inferred: readonly string[]])[] = [
  ['CheckoutSession', 'checkout_session', []],
  ['PaymentIntent', 'payment_intent', ['requires_capture']],
  ['Charge', 'charge', ['failed']],
  ['Refund', 'refund', []],
  ['Invoice', 'invoice', []],
  ['Subscription', 'subscription', ['active', 'ended', 'past_due']],
  ['CreditNote', 'credit_note', []],
];

const offered = (type: string, field: string) =>
  completionsAt(
    `import type { ${type} } from 'payments-client';\ndeclare const it: ${type};\nif (it.${field} === '|') {}`,
  );

it.each(statuses)('offers every status of a %s', (type, kind, inferred) => {
  expect(offered(type, transitions[kind].field)).toEqual(
    [...transitions[kind].states, ...inferred].toSorted(),
  );
});

it('offers both states of a terminal batch', () => {
  expect(offered('TerminalBatch', 'status')).toEqual(['closed', 'open']);
  const { states, field } = transitions.terminal_batch;
  expect(offered('TerminalBatch', field)).toEqual(states.filter((state) => state !== 'open').toSorted());
});
