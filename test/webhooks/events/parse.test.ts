/** Events outside the catalog, times, modes, and invalid envelopes. */

import { parseChargeback } from 'payments-client/fraud';
import type { WebhookEvent } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { chargeback, delivery, envelope, eventOf, webhooksAt } from '../../support/deliveries.ts';

async function read(value: unknown, options = {}): Promise<WebhookEvent> {
  const { body, headers } = await delivery(value);
  return webhooksAt({ validation: 'throw', ...options }).verify(body, headers);
}

async function expectRefused(value: unknown, message: RegExp | string, options = {}) {
  await expect(read(value, options)).rejects.toMatchObject({
    reason: 'invalid_payload',
    outcome: 'not_an_operation',
    message: expect.stringMatching(message),
  });
}

describe('an event of an unknown type', () => {
  const object = { id: 'dp_1' };

  it.each<[what: string, event: Record<string, unknown>]>([
    ['of a newer version', envelope('dispute.created', { ...object, version: 3 }, { scope: 'platform' })],
    ['with the fields of a bare chargeback', envelope('dispute.created', object, chargeback)],
    ['with a chargeback id alone', envelope('dispute.created', object, { chargeback_id: 'cb_1' })],
    ['named hasOwnProperty', envelope('hasOwnProperty', object)],
  ])('passes unchanged: one %s', async (_what, event) => {
    expect(await read(event)).toEqual(event);
  });

  it.each<[what: string, fields: object, read: object]>([
    ['its own format', { created: 5, livemode: 'yes', api_version: 2, operations: 'none', data: [1] }, {}],
    ['operations that are not strings', { operations: ['retry', 1] }, { operations: ['retry'] }],
    ['more data', { data: { object: 1, previous: 2 } }, { data: { object: 1, previous: 2 } }],
  ])('passes with %s, and has the fields of an event', async (_what, fields, expected) => {
    const named = { id: 'evt_1', type: 'dispute.created' };
    const empty = { data: { object: undefined }, operations: [] };
    expect(await read({ ...named, ...fields })).toEqual({ ...named, ...empty, ...expected });
  });
});

describe('a Connect lifecycle event', () => {
  it.each([true, false, null, undefined])('has payments_enabled %s', async (payments_enabled) => {
    const object = { id: 'acct_1', version: 1, payments_enabled, external_reference: 'shop-7' };
    const event = await read(envelope('account.created', object));
    if (event.type !== 'account.created') throw new Error('expected account.created');
    expect(event.data.object.payments_enabled).toBe(payments_enabled);
    expect(event.data.object.external_reference).toBe('shop-7');
  });

  it.each(['account.created', 'connection.created', 'connection.activated', 'account.updated'])(
    '%s is checked, and keeps every field',
    async (type) => {
      const object = {
        id: 'acct_1',
        version: 7,
        version_scope: 'application:app_1',
        anything: { else: [1] },
      };
      expect(await read(envelope(type, object))).toEqual(envelope(type, object));
      await expectRefused(envelope(type, { ...object, version: '7' }), /data\.object\.version: expected a/);
      await expectRefused(envelope(type, { version: 7 }), /data\.object\.id: expected a string/);
    },
  );
});

describe('a chargeback notification', () => {
  it('is an event without an envelope, which parseChargeback takes', async () => {
    const event = await read(chargeback);
    expect(event).toEqual({
      id: 'chargeback.received:cb_1',
      type: 'chargeback.received',
      created: chargeback.timestamp,
      data: { object: chargeback },
      operations: [],
    });
    if (event.type !== 'chargeback.received') throw new Error('it was read as another event');
    expect(parseChargeback(event).reasonCode.code).toBe('10.4');
  });

  it.each([chargeback, { ...chargeback, event: undefined }])(
    'is an event in the envelope: %j',
    async (object) => {
      const sent = envelope('chargeback.received', JSON.parse(JSON.stringify(object)));
      expect(await read(sent)).toEqual(sent);
    },
  );

  it.each<[field: keyof typeof chargeback, value: unknown, message: RegExp]>([
    ['amount', undefined, /data\.object\.amount: expected a decimal string such as '49\.99', got nothing/],
    ['amount', 'abc', /expected a decimal string such as '49\.99', got 'abc'/],
    ['amount', 49.99, /expected a decimal string such as '49\.99', got/],
    ['chargeback_id', '', /chargeback_id/],
    ['transaction_id', '', /transaction_id/],
    ['reason_code', 10.4, /reason_code: expected a code such as '10\.4', as a string/],
    ['due_date', '31 December', /expected a date such as '2026-12-31'/],
    ['due_date', '2026-02-30', /expected a date such as '2026-12-31'/],
    ['timestamp', 'yesterday', /expected an ISO 8601 time/],
  ])('is refused if its %s is %j', (field, value, message) =>
    expectRefused({ ...chargeback, [field]: value }, message),
  );

  it.each(['2026-12-31', '2026-12-31T23:59:59Z', '2026-12-31 12:00'])(
    'may be due at %s',
    async (due_date) => {
      expect(await read({ ...chargeback, due_date })).toMatchObject({ data: { object: { due_date } } });
    },
  );

  it('of another kind is an unknown event', async () => {
    const won = { id: 'chargeback.won:cb_1', type: 'chargeback.won' };
    expect(await read({ ...chargeback, event: 'chargeback.won' })).toMatchObject(won);
  });
});

describe('an envelope', () => {
  const utc = /created: expected an ISO 8601 time in UTC/;
  const version = /api_version: expected a version such as '2026-12-31'/;

  it.each<[field: string, value: unknown, message: RegExp]>([
    [
      'id',
      'rf_1',
      /^webhooks: the event differs from the interface: id: expected an id that starts with 'evt_'/,
    ],
    ['created', 1_790_000_000, utc],
    ['created', '31 Jan 2026', utc],
    ['created', '2026-01-31', utc],
    ['created', '2026-01-31T12:00:00', utc],
    ['created', '2026-01-31T12:00:00+02:00', utc],
    ['created', '2026-01-31T24:00:00Z', utc],
    ['created', '2026-01-31T12:60:00Z', utc],
    ['created', '2026-01-31T12:00:61Z', utc],
    ['created', '2026-02-29T12:00:00Z', utc],
    ['livemode', 'false', /livemode: expected true or false/],
    ['api_version', null, version],
    ['api_version', 'v1', version],
    ['api_version', '2026-13-01', version],
    ['operations', 'retry', /operations: expected an array/],
    ['data', undefined, /data: expected an object, got nothing/],
    ['data', { object: [] }, /data\.object: expected an object, got an array of 0/],
  ])('with a wrong %s (%s) is refused', (field, value, message) =>
    expectRefused(eventOf('refund.failed', { [field]: value }), message),
  );

  it.each([
    '2026-01-31T12:00:00.123Z',
    '2026-01-31T12:00:00+00:00',
    '2026-01-31T12:00:00-0000',
    '2024-02-29T23:59:60z',
    '2026-01-31 12:00Z',
  ])('may be created at %s', async (created) => {
    expect((await read(eventOf('refund.failed', { created }))).created).toBe(created);
  });

  it.each<[what: string, value: unknown]>([
    ['a string', 'evt_1'],
    ['an empty object', {}],
    ['a bare notification without an id', { event: 'chargeback.won' }],
    ['a bare notification whose id is not a string', { event: 'chargeback.won', chargeback_id: 7 }],
    ['a bare notification without an event', { chargeback_id: 'cb_1' }],
    ['a bare notification whose event is not a string', { event: { toString: 1 }, chargeback_id: 'cb_1' }],
  ])('that is not an event (%s) is refused, even with validation off', (_what, value) =>
    expectRefused(value, /: expected an event: an object with an 'id' of at most 255/, { validation: 'off' }),
  );

  it('keeps an unknown enumeration value', async () => {
    const sent = eventOf('refund.failed', { operations: ['retry', 'escalate'] });
    expect((await read(sent)).operations).toEqual(['retry', 'escalate']);
  });
});

describe('a mode', () => {
  const enveloped = { ...chargeback, livemode: false };
  const asBare = { id: 'chargeback.received:cb_1' };
  /** Events with a mode in the envelope. A bare notification that has one inside cannot stand for that. */
  const events: readonly ((livemode: unknown) => Record<string, unknown>)[] = [
    (livemode) => eventOf('refund.failed', { livemode }),
    (livemode) => envelope('refund.escalated', {}, { livemode }),
    (livemode) => envelope('chargeback.received', chargeback, { livemode }),
    (livemode) => envelope('chargeback.received', enveloped, { ...asBare, livemode }),
  ];
  const off = { validation: 'off' };

  it.each<[got: string, mode: unknown]>([
    ['true', true],
    ['false', false],
    ['nothing', undefined],
    ["'true'", 'true'],
    ['the number 1', 1],
  ])('that is %s passes if it is the required one, or none is required', async (got, mode) => {
    for (const event of events.map((make) => make(mode))) {
      expect((await read(event, off)).id).toBe(event['id']);
      for (const livemode of [true, false]) {
        if (livemode === mode) expect((await read(event, { ...off, livemode })).id).toBe(event['id']);
        else await expectRefused(event, `livemode: expected ${livemode}, got ${got}`, { ...off, livemode });
      }
    }
  });

  it('may be absent in a bare chargeback notification, and is checked if it is there', async () => {
    for (const livemode of [true, false]) {
      expect((await read(chargeback, { livemode })).type).toBe('chargeback.received');
      const moded = { ...chargeback, livemode };
      expect((await read(moded, { livemode })).livemode).toBe(livemode);
      await expectRefused(moded, `livemode: expected ${!livemode}, got ${livemode}`, { livemode: !livemode });
      const unclear = { ...chargeback, livemode: null };
      await expectRefused(unclear, `livemode: expected ${livemode}, got null`, { ...off, livemode });
    }
  });
});
