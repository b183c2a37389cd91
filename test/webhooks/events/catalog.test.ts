/** Reaches inside: compares the catalog, row by row, with the table of the service's interface and with the SDK's transitions. */

import { eventCatalog, type VerifiedEvent } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { transitions } from '../../../src/resources/transitions.ts';
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
  it('differs from the interface if its object is of another kind', async () => {
    const { body, headers } = await delivery(
      eventOf(type, { data: { object: { object: 'another', id: 'x_1' } } }),
    );
    const event = await webhooksAt().verify(body, headers);
    expect(event.issues.map(({ path }) => path)).toContain('data.object.object');
    const unchecked = await webhooksAt({ validation: 'off' }).verify(body, headers);
    expect(unchecked.issues).toEqual([]);
  });

  it('is returned unchanged after its object is checked', async () => {
    const sent = eventOf(type, { extra: { kept: true } });
    const { body, headers } = await delivery(sent);
    const event: VerifiedEvent = await webhooksAt().verify(body, headers);
    expect(event).toEqual(sent);
    expect(event.issues).toEqual([]);
  });
});
