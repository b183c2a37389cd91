/** Reaches inside: compares the final states with the table of transitions. */

import { isTerminal } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { type Transition, transitions } from '../../src/resources/transitions.ts';
import { catalogRow, catalogTypes } from '../support/event-catalog.ts';

describe('isTerminal', () => {
  it.each([
    [{ object: 'checkout_session', status: 'open' }, false],
    [{ object: 'checkout_session', status: 'complete' }, true],
    [{ object: 'checkout_session', status: 'expired' }, true],
    [{ object: 'payment_intent', status: 'requires_payment_method' }, false],
    [{ object: 'payment_intent', status: 'requires_action' }, false],
    [{ object: 'payment_intent', status: 'requires_capture' }, false],
    [{ object: 'payment_intent', status: 'succeeded' }, true],
    [{ object: 'payment_intent', status: 'canceled' }, true],
    [{ object: 'refund', status: 'pending' }, false],
    [{ object: 'refund', status: 'succeeded' }, true],
    [{ object: 'refund', status: 'failed' }, false],
    [{ object: 'charge', status: 'succeeded' }, true],
    [{ object: 'invoice', status: 'draft' }, false],
    [{ object: 'invoice', status: 'open' }, false],
    [{ object: 'invoice', status: 'paid' }, true],
    [{ object: 'invoice', status: 'uncollectible' }, true],
    [{ object: 'subscription', status: 'incomplete' }, false],
    [{ object: 'subscription', status: 'active' }, false],
    [{ object: 'subscription', status: 'canceled' }, true],
    [{ object: 'credit_note', status: 'issued' }, false],
    [{ object: 'credit_note', status: 'void' }, true],
    [{ object: 'customer', deleted: false }, false],
    [{ object: 'customer', deleted: true }, false],
    [{ object: 'terminal_batch', status: 'closed', reconciliation_status: 'pending' }, false],
    [{ object: 'terminal_batch', status: 'closed', reconciliation_status: 'needs_attention' }, false],
    [{ object: 'terminal_batch', status: 'closed', reconciliation_status: 'reconciled' }, false],
    [{ object: 'product' }, false],
    [{ object: 'toString' }, false],
  ])('of %j is %s', (resource, expected) => {
    expect(isTerminal(resource)).toBe(expected);
  });

  it.each(
    Object.entries(transitions).flatMap(([object, { field, states, transitions: rows }]) =>
      [...states].map((state) => ({ object, field, state, rows: [...rows] })),
    ),
  )('of $object $state follows the table of transitions', ({ object, field, state, rows }) => {
    const leads = rows.some(
      ({ from, to }: Transition<string>) =>
        to !== state && to !== 'any' && (from === 'any' || from.includes(state)),
    );
    const isRetriable = object === 'refund' && state === 'failed';
    expect(isTerminal({ object, [field]: state })).toBe(!leads && !isRetriable);
  });

  it('is false after each event of the catalog that names a retry', () => {
    const sandbox = createSandbox();
    for (const type of catalogTypes) {
      if (!catalogRow(type).operations.some((operation) => operation.startsWith('retry'))) continue;
      const { data } = sandbox.trigger(type);
      expect(isTerminal(data.object as { readonly object: string }), type).toBe(false);
    }
  });
});
