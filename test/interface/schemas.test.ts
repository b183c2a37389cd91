/**
 * Compares the schemas of requests and events with the tables of the interface. `test/resources/schemas.test.ts` covers
 * resources.
 */

import { PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { chargeback, delivery, eventOf, webhooksAt } from '../support/deliveries.ts';
import { catalogTypes } from '../support/event-catalog.ts';
import events from './tables/events.json' with { type: 'json' };
import fraud from './tables/fraud.json' with { type: 'json' };
import resources from './tables/resources.json' with { type: 'json' };
import transitions from './tables/transitions.json' with { type: 'json' };
import wire from './tables/wire.json' with { type: 'json' };

async function read(value: unknown) {
  const { body, headers } = await delivery(value);
  return webhooksAt({ validation: 'throw' }).verify(body, headers);
}

const refused = { reason: 'invalid_payload' };

it('the tables contain 154 fields, 29 events and 29 transitions', () => {
  expect(resources.reduce((total, { fields }) => total + fields.length, 0)).toBe(154);
  expect(events.catalog).toHaveLength(29);
  expect(transitions.map(({ event }) => event).sort()).toEqual(events.catalog.map(({ type }) => type).sort());
});

it('the tables name the same operations', () => {
  const named = events.catalog.flatMap(({ operations }) => operations);
  expect(new Set(named)).toEqual(new Set(events.operations));
});

describe.each(events.envelope)('the field $name of an envelope', ({ name, type }) => {
  const [field = ''] = name.split('.');
  // A value without an id or a type is not an event, and another type is an unknown event.
  const wrong = type === 'boolean' ? 'true' : field === 'type' ? {} : 7;

  it.each(catalogTypes)('is required in %s', async (event) => {
    await expect(read(eventOf(event, { [field]: undefined }))).rejects.toMatchObject(refused);
    await expect(read(eventOf(event, { [field]: wrong }))).rejects.toMatchObject(refused);
  });
});

describe('a chargeback', () => {
  it('is accepted with the fields of the interface', async () => {
    expect(Object.keys(chargeback).sort()).toEqual(events.chargeback.map(({ name }) => name).sort());
    expect((await read(chargeback)).type).toBe('chargeback.received');
  });

  it.each(events.chargeback)('is refused without $name, or with another type in it', async ({ name }) => {
    await expect(read({ ...chargeback, [name]: undefined })).rejects.toMatchObject(refused);
    await expect(read({ ...chargeback, [name]: 7 })).rejects.toMatchObject(refused);
  });
});

describe('parameters', () => {
  const payments = new PaymentsClient({
    baseUrl: 'https://payments.test',
    secretKey: 'sk_v1_test_1',
    securityKey: 'key',
    fetch: () => Promise.reject(new Error('Nothing is to be sent.')),
  });
  const line = { name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 };
  const session = {
    mode: 'payment' as const,
    line_items: [line],
    success_url: 'https://a',
    cancel_url: 'https://b',
  };
  const by = { operationId: 'order-1' };
  const refusedAt = (path: string) => ({
    name: 'InvalidRequestError',
    issues: expect.arrayContaining([expect.objectContaining({ path })]),
  });

  it.each(wire.sessionRequest.fields)(
    'of a session are refused if $name has another type',
    async ({ name }) => {
      expect(Object.keys(session)).toContain(name);
      const call = payments.checkoutSessions.create({ ...session, [name]: 7 }, by);
      await expect(call).rejects.toMatchObject(refusedAt(name));
    },
  );

  it.each(wire.sessionRequest.lineItem)(
    'of a line item are refused if $name has another type',
    async ({ name }) => {
      expect(Object.keys(line)).toContain(name);
      const call = payments.checkoutSessions.create(
        { ...session, line_items: [{ ...line, [name]: {} }] },
        by,
      );
      await expect(call).rejects.toMatchObject(refusedAt(`line_items[0].${name}`));
    },
  );

  // The method sets the type, and the client sets the credential.
  const setByClient = ['type', wire.credentials.form];

  it.each(fraud.parameters.filter((name) => !setByClient.includes(name)))(
    'of a sale are refused if %s has another type',
    async (name) => {
      const sale = { amount: '12.00', payment_token: 'tok_1', [name]: {} };
      await expect(payments.transact.sale(sale as never)).rejects.toMatchObject(refusedAt(name));
    },
  );
});
