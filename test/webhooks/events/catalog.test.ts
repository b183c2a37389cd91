/** Each event of the interface: its object in the state of its type is an event, and one in another state differs from the interface. */

import type { VerifiedEvent } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import table from '../../interface/tables/transitions.json' with { type: 'json' };
import { delivery, eventOf, objectOf, webhooksAt } from '../../support/deliveries.ts';
import { catalogTypes } from '../../support/event-catalog.ts';

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
