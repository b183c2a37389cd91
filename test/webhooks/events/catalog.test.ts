/** Compares the catalog with the table of the service's interface, row by row. */

import { transitions } from 'payments-client';
import { eventCatalog, type WebhookEvent } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import events from '../../interface/tables/events.json' with { type: 'json' };
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';

const rows = events.catalog;

const types = Object.keys(eventCatalog).filter((type): type is keyof typeof eventCatalog =>
  Object.hasOwn(eventCatalog, type),
);

describe('the catalog', () => {
  it('has the 29 types of the interface and no other', () => {
    expect(types).toHaveLength(29);
    expect([...types].sort()).toEqual(rows.map(({ type }) => type).sort());
  });

  it.each(rows)('$type contains $object and names $operations', ({ type, object, operations }) => {
    const entry = Object.entries(eventCatalog).find(([name]) => name === type)?.[1];
    expect(entry).toEqual({ object, operations });
  });

  it('has every event that a state transition emits', () => {
    const emitted = Object.values(transitions).flatMap((machine) =>
      machine.transitions.map(({ event }) => event),
    );
    for (const event of emitted) expect(types).toContain(event);
  });
});

describe.each(types)('a delivery of %s', (type) => {
  it('is refused if its object is of another kind', async () => {
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

  it('is returned unchanged after its object is checked', async () => {
    const sent = eventOf(type, { extra: { kept: true } });
    const { body, headers } = await delivery(sent);
    const event: WebhookEvent = await webhooksAt().verify(body, headers);
    expect(event).toEqual(sent);
  });
});
