/** Reaches inside: compares the events of the interface with the SDK's transitions. */

import type { VerifiedEvent } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { transitions } from '../../../src/resources/transitions.ts';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { catalogTypes } from '../../support/event-catalog.ts';

it('the interface has 29 events, and the state transitions emit no other', () => {
  expect(catalogTypes).toHaveLength(29);
  const emitted = Object.values(transitions).flatMap((machine) =>
    machine.transitions.map(({ event }) => event),
  );
  for (const event of emitted) expect(catalogTypes).toContain(event);
});

describe.each(catalogTypes)('a delivery of %s', (type) => {
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
