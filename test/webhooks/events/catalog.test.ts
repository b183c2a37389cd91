/** Reaches inside: compares the events of the interface with the SDK's transitions and catalog. */

import type { VerifiedEvent } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { transitions } from '../../../src/resources/transitions.ts';
import { type CatalogEntry, eventCatalog } from '../../../src/webhooks/events/catalog.ts';
import table from '../../interface/tables/transitions.json' with { type: 'json' };
import { delivery, eventOf, objectOf, webhooksAt } from '../../support/deliveries.ts';
import { catalogRow, catalogTypes } from '../../support/event-catalog.ts';

it('the interface has 29 events, and the state transitions emit no other', () => {
  expect(catalogTypes).toHaveLength(29);
  const emitted = Object.values(transitions).flatMap((machine) =>
    machine.transitions.map(({ event }) => event),
  );
  for (const event of emitted) expect(catalogTypes).toContain(event);
});

const rowOf = (type: string) => table.find(({ event }) => event === type);

/** Returns a value that a field does not have in the row. */
const otherThan = (value: unknown) =>
  typeof value === 'boolean' ? !value : value === null ? 'pm_1' : 'other';

describe.each(catalogTypes)('a delivery of %s', (type) => {
  const { to = {}, set = [] } = rowOf(type) ?? {};
  const contradictions = [
    ...Object.entries(to).map(([field, value]) => [field, otherThan(value)] as const),
    ...set.map((field) => [field, null] as const),
  ];

  it('has the object, the operations and the state of the interface', () => {
    const { object, operations, state = {}, set: present = [] }: CatalogEntry = eventCatalog[type];
    expect({ object, operations }).toEqual({
      object: catalogRow(type).object,
      operations: catalogRow(type).operations,
    });
    expect(state).toEqual(to);
    expect(present).toEqual(set);
  });

  it('differs from the interface if its object is in another state', async () => {
    for (const [field, value] of contradictions) {
      const object = { ...objectOf(type), [field]: value };
      const { body, headers } = await delivery(eventOf(type, { data: { object } }));
      const { issues } = await webhooksAt().verify(body, headers);
      expect(
        issues.map(({ path }) => path),
        field,
      ).toEqual([`data.object.${field}`]);
    }
  });

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
