/** The catalog against the table of the service's interface, row by row. */

import { transitions } from 'payments-client';
import { eventCatalog, type WebhookEvent } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';

/** The interface's table: type, `data.object`, `operations`. */
const table = `
checkout.session.created | checkout_session | expire, expand
checkout.session.completed | checkout_session | refund
checkout.session.expired | checkout_session | none
terminal_batch.closed | terminal_batch | none
terminal_batch.reconciled | terminal_batch | none
terminal_batch.incomplete | terminal_batch | none
terminal_batch.needs_attention | terminal_batch | none
charge.settled | charge | none
payment_intent.created | payment_intent | confirm, cancel
payment_intent.requires_action | payment_intent | none
payment_intent.succeeded | payment_intent | refund
payment_intent.payment_failed | payment_intent | retry_with_new_payment_method
payment_intent.canceled | payment_intent | none
refund.created | refund | none
refund.succeeded | refund | none
refund.failed | refund | retry
refund.settled | refund | none
invoice.paid | invoice | none
invoice.payment_failed | invoice | update_payment_method
invoice.marked_uncollectible | invoice | none
subscription.created | subscription | cancel
subscription.updated | subscription | cancel
subscription.canceled | subscription | none
credit_note.created | credit_note | void
credit_note.voided | credit_note | none
customer.created | customer | update, delete
customer.updated | customer | update, delete
customer.deleted | customer | restore
customer.restored | customer | update, delete
`;

const rows = table
  .trim()
  .split('\n')
  .map((line) => {
    const [type = '', object = '', operations = ''] = line.split(' | ');
    return { type, object, operations: operations === 'none' ? [] : operations.split(', ') };
  });

const types = Object.keys(eventCatalog).filter((type): type is keyof typeof eventCatalog =>
  Object.hasOwn(eventCatalog, type),
);

describe('the catalog', () => {
  it('has the 29 types of the interface and no other', () => {
    expect(types).toHaveLength(29);
    expect([...types].sort()).toEqual(rows.map(({ type }) => type).sort());
  });

  it.each(rows)('$type carries $object and names $operations', ({ type, object, operations }) => {
    const entry = Object.entries(eventCatalog).find(([name]) => name === type)?.[1];
    expect(entry).toEqual({ object, operations });
  });

  it('has every event that a move of the table of states emits', () => {
    const emitted = Object.values(transitions).flatMap((machine) =>
      machine.transitions.map(({ event }) => event),
    );
    for (const event of emitted) expect(types).toContain(event);
  });
});

describe.each(types)('a delivery of %s', (type) => {
  it('is refused where its object is of another kind', async () => {
    const { body, headers } = await delivery(
      eventOf(type, { data: { object: { object: 'another', id: 'x_1' } } }),
    );
    await expect(webhooksAt().verify(body, headers)).rejects.toMatchObject({
      reason: 'invalid_payload',
      message: expect.stringMatching(/data\.object\.object: expected /),
    });
    const lenient = webhooksAt({ validation: 'off' });
    expect((await lenient.verify(body, headers)).type).toBe(type);
  });

  it('is read as it came, its object checked', async () => {
    const sent = eventOf(type, { extra: { kept: true } });
    const { body, headers } = await delivery(sent);
    const event: WebhookEvent = await webhooksAt().verify(body, headers);
    expect(event).toEqual(sent);
  });
});
