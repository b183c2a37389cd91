/** Events outside the catalog, and invalid envelopes. */

import { parseChargeback } from 'payments-client/fraud';
import type { WebhookEvent } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { chargeback, delivery, envelope, eventOf, webhooksAt } from '../../support/deliveries.ts';

async function read(value: unknown, options = {}): Promise<WebhookEvent> {
  const { body, headers } = await delivery(value);
  return webhooksAt({ validation: 'throw', ...options }).verify(body, headers);
}

const refusal = (message: RegExp) => ({
  name: 'WebhookVerificationError',
  reason: 'invalid_payload',
  code: 'WEBHOOK_INVALID_PAYLOAD',
  outcome: 'not_executed',
  message: expect.stringMatching(message),
});

describe('an event of an unknown type', () => {
  it('passes with all its fields', async () => {
    const sent = envelope('account.updated', { id: 'acct_1', version: 3 }, { scope: 'platform' });
    expect(await read(sent)).toEqual(sent);
  });

  it.each([
    ['nothing but an id and a type', {}, {}],
    ['its own format', { created: 5, livemode: 'yes', api_version: 2, operations: 'none', data: [1] }, {}],
    ['operations of which some are not strings', { operations: ['retry', 1] }, { operations: ['retry'] }],
    [
      'data with more than an object',
      { data: { object: 1, previous: 2 } },
      { data: { object: 1, previous: 2 } },
    ],
  ])('passes with %s', async (_name, fields, expected) => {
    expect(await read({ id: 'evt_1', type: 'dispute.created', ...fields })).toEqual({
      id: 'evt_1',
      type: 'dispute.created',
      data: { object: undefined },
      operations: [],
      ...expected,
    });
  });

  it('passes with the fields of a bare chargeback', async () => {
    const object = { id: 'dp_1' };
    for (const event of [chargeback.event, undefined]) {
      const fields = { event, chargeback_id: 'cb_1' };
      expect(await read(envelope('dispute.created', object, fields))).toEqual(
        envelope('dispute.created', object, fields),
      );
    }
  });

  it('passes with an id of 255 characters', async () => {
    const id = 'e'.repeat(255);
    expect((await read(envelope('dispute.created', {}, { id }))).id).toBe(id);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'may have the type %s',
    async (type) => {
      expect((await read(envelope(type, {}))).type).toBe(type);
    },
  );
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
    '%s is typed',
    async (type) => {
      const object = {
        id: 'acct_1',
        version: 7,
        version_scope: 'application:app_1',
        anything: { else: [1] },
      };
      expect(await read(envelope(type, object))).toEqual(envelope(type, object));
    },
  );

  it('is refused if its version is not an integer', async () => {
    const sent = envelope('account.created', { id: 'acct_1', version: '7' });
    await expect(read(sent)).rejects.toMatchObject(refusal(/data\.object\.version: expected a/));
  });
});

describe('a chargeback notification', () => {
  it('is an event without an envelope', async () => {
    const event = await read(chargeback);
    expect(event).toEqual({
      id: 'chargeback.received:cb_1',
      type: 'chargeback.received',
      created: chargeback.timestamp,
      data: { object: chargeback },
      operations: [],
    });
  });

  it.each([chargeback, { ...chargeback, event: undefined }])(
    'is an event in the envelope',
    async (object) => {
      const sent = envelope('chargeback.received', JSON.parse(JSON.stringify(object)));
      expect(await read(sent)).toEqual(sent);
    },
  );

  it('can be passed to parseChargeback', async () => {
    const event = await read(chargeback);
    if (event.type !== 'chargeback.received') throw new Error('it was read as another event');
    expect(parseChargeback(event).reasonCode.code).toBe('10.4');
  });

  it.each([
    ['amount', undefined, /expected a decimal string such as '49\.99', got nothing/],
    ['amount', 'abc', /expected a decimal string such as '49\.99', got 'abc'/],
    ['due_date', '31 December', /expected a date such as '2026-12-31'/],
    ['due_date', '2026-02-30', /expected a date such as '2026-12-31'/],
    ['timestamp', 'yesterday', /expected an ISO 8601 time/],
  ])('is refused if its %s is %s', async (field, value, message) => {
    await expect(read({ ...chargeback, [field]: value })).rejects.toMatchObject(refusal(message));
  });

  it('of another kind is an unknown event', async () => {
    expect(await read({ ...chargeback, event: 'chargeback.won' })).toMatchObject({
      id: 'chargeback.won:cb_1',
      type: 'chargeback.won',
    });
  });
});

describe('an envelope', () => {
  it.each([
    [
      'id',
      'rf_1',
      /^webhooks: the event differs from the interface: id: expected an id that starts with 'evt_'/,
    ],
    ['created', 1_790_000_000, /created: expected an ISO 8601 time in UTC/],
    ['created', '31 Jan 2026', /created: expected an ISO 8601 time in UTC/],
    ['created', '2026-01-31T12:00:00+02:00', /created: expected an ISO 8601 time in UTC/],
    ['livemode', 'false', /livemode: expected true or false/],
    ['api_version', null, /api_version: expected a version such as '2026-12-31', got null/],
    ['api_version', 'v1', /api_version: expected a version such as '2026-12-31'/],
    ['api_version', '2026-13-01', /api_version: expected a version such as '2026-12-31'/],
    ['operations', 'retry', /operations: expected an array/],
    ['data', undefined, /data: expected an object, got nothing/],
    ['data', { object: [] }, /data\.object: expected an object, got an array of 0/],
  ])('with a wrong %s (%s) is refused', async (field, value, message) => {
    await expect(read(eventOf('refund.failed', { [field]: value }))).rejects.toMatchObject(refusal(message));
  });

  it.each([
    ['a list', []],
    ['a string', 'evt_1'],
    ['null', null],
    ['an empty object', {}],
    ['no id', { type: 'refund.failed' }],
    ['an empty id', { id: '', type: 'refund.failed' }],
    ['an overlong id', { id: 'e'.repeat(256), type: 'refund.failed' }],
    ['an empty type', { id: 'evt_1', type: '' }],
    ['a bare notification without an id', { event: 'chargeback.won' }],
    ['a bare notification whose id is not a string', { event: 'chargeback.won', chargeback_id: 7 }],
    ['a bare notification without an event', { chargeback_id: 'cb_1' }],
    [
      'a bare notification whose event is not a string',
      { event: { toString: 1, valueOf: 1 }, chargeback_id: 'cb_1' },
    ],
  ])('that is not an event (%s) is refused, even with validation off', async (_name, value) => {
    await expect(read(value, { validation: 'off' })).rejects.toMatchObject(
      refusal(/: expected an event: an object with an 'id' of at most 255 characters and a 'type'/),
    );
  });

  it.each([true, false])('of either mode (livemode %s) passes if none is required', async (livemode) => {
    expect((await read(eventOf('refund.failed', { livemode }))).livemode).toBe(livemode);
  });

  it('of the other mode is refused if a mode is required', async () => {
    const sent = eventOf('refund.failed');
    await expect(read(sent, { livemode: true })).rejects.toMatchObject(
      refusal(/livemode: expected true, got false/),
    );
    expect((await read(sent, { livemode: false })).id).toBe('evt_1');
  });

  it.each([
    ['no mode', undefined, 'nothing'],
    ['null', null, 'null'],
    ['a string', 'true', "'true'"],
    ['a number', 1, 'the number 1'],
  ])('with %s is refused if a mode is required, whatever its type and form', async (_name, mode, got) => {
    const fields = { livemode: mode };
    const sent = [
      { sent: eventOf('refund.failed', fields), validation: 'off' as const },
      { sent: envelope('refund.escalated', {}, fields) },
      { sent: envelope('chargeback.received', chargeback, fields), validation: 'off' as const },
      {
        sent: envelope(
          'chargeback.received',
          { ...chargeback, livemode: false },
          { ...fields, id: 'chargeback.received:cb_1' },
        ),
        validation: 'off' as const,
      },
    ];
    for (const { sent: event, ...options } of sent) {
      for (const livemode of [true, false]) {
        await expect(read(event, { ...options, livemode })).rejects.toMatchObject(
          refusal(new RegExp(`livemode: expected ${livemode}, got ${got}`)),
        );
      }
      expect((await read(event, options)).id).toBe(event['id']);
    }
  });

  it('is checked in a bare chargeback notification only if it has one', async () => {
    for (const livemode of [true, false]) {
      expect((await read(chargeback, { livemode })).type).toBe('chargeback.received');
      expect((await read({ ...chargeback, livemode }, { livemode })).livemode).toBe(livemode);
      await expect(read({ ...chargeback, livemode }, { livemode: !livemode })).rejects.toMatchObject(
        refusal(new RegExp(`livemode: expected ${!livemode}, got ${livemode}`)),
      );
    }
  });

  it.each(['2026-01-31T12:00:00.123Z', '2026-01-31T12:00:00+00:00'])(
    'may be created at %s',
    async (created) => {
      expect((await read(eventOf('refund.failed', { created }))).created).toBe(created);
    },
  );

  it('keeps an unknown enumeration value', async () => {
    const sent = eventOf('refund.failed', { operations: ['retry', 'escalate'] });
    expect((await read(sent)).operations).toEqual(['retry', 'escalate']);
  });

  it('is never repeated in an error', async () => {
    const sent = eventOf('refund.failed', { created: 'sk_live_51TOPSECRET', id: '4242424242424242' });
    const error: unknown = await read(sent).catch((reason: unknown) => reason);
    expect(JSON.stringify([String(error), error])).not.toMatch(/TOPSECRET|4242/);
  });
});
