/** Bodies of signed deliveries. */

import { bodyHmac, Webhooks } from 'payments-client/webhooks';
import { expect } from 'vitest';
import { chargeback, envelope, eventOf, now, objectOf } from '../../support/deliveries.ts';
import { isCatalogType } from '../../support/event-catalog.ts';
import type { Parser } from '../parser.ts';
import { isFields, parsed } from '../service.ts';
import { words } from '../words.ts';
import { reasonOf, textSecret } from './deliveries.ts';

const shared = { secret: textSecret, scheme: bodyHmac({ header: 'x-signature' }), now: () => now };
const lenient = new Webhooks(shared);
const strict = new Webhooks({ ...shared, validation: 'throw' });

/** Whether an event needs only an id and a type, since its type is unknown here. */
function isOfLaterType(event: unknown): boolean {
  if (!isFields(event)) return false;
  const { id, type } = event;
  if (typeof id !== 'string' || id === '' || id.length > 255) return false;
  if (typeof type !== 'string' || type === '') return false;
  return !isCatalogType(type) && !/^(account|connection|chargeback)\./.test(type);
}

/** Judges by strict and by lenient validation: an event with drift is an event, and names its differences. */
async function judge(bytes: Buffer): Promise<string> {
  const headers = await lenient.sign(bytes);
  const value = parsed(bytes);
  const accepted = await lenient
    .verify(bytes, headers)
    .catch((error: unknown) => ({ reason: reasonOf(error) }));
  const verdict = await strict
    .verify(bytes, headers)
    .catch((error: unknown) => ({ reason: reasonOf(error) }));
  if ('reason' in accepted) {
    expect(accepted).toEqual({ reason: 'invalid_payload' });
    expect(verdict).toEqual(accepted);
    expect(isOfLaterType(value)).toBe(false);
    return 'refused';
  }
  expect(accepted).toMatchObject({ id: expect.any(String), type: expect.any(String) });
  // Bare notifications get an envelope, and the fields of unknown types are read; a known event is returned unchanged.
  if (isCatalogType(accepted.type)) expect(accepted).toEqual(value);
  expect(accepted.issues.length > 0).toBe('reason' in verdict);
  if (!('reason' in verdict)) {
    expect(verdict.data).toBeTypeOf('object');
    return 'event';
  }
  expect(verdict).toEqual({ reason: 'invalid_payload' });
  expect(isOfLaterType(value)).toBe(false);
  return 'event with issues';
}

const types = [
  ...(['charge.settled', 'checkout.session.completed', 'credit_note.created', 'customer.updated'] as const),
  ...(['invoice.paid', 'payment_intent.succeeded', 'refund.failed', 'subscription.updated'] as const),
  'terminal_batch.closed' as const,
];

const changed = (type: (typeof types)[number] | 'refund.created' | 'customer.created', fields: object) =>
  JSON.stringify(eventOf(type, { data: { object: { ...objectOf(type), ...fields } } }));

export const events: Parser = {
  name: 'the parser of events',
  promise: 'a new field or a new value breaks no receiver, and nothing that was verified is thrown away',
  corpus: {
    event: {
      ...Object.fromEntries(types.map((type) => [type, JSON.stringify(eventOf(type))])),
      'bare chargeback': JSON.stringify(chargeback),
      'chargeback in an envelope': JSON.stringify(envelope('chargeback.received', chargeback)),
      'later status': changed('subscription.updated', { status: 'on_its_way', later: 1 }),
      'names of prototypes':
        '{"__proto__":{"polluted":true},"id":"x","type":"payout.paid","data":{"__proto__":{"object":1}}}',
      'type twice': '{"type":"refund.created","id":"x","type":"payout.paid"}',
      'type constructor': '{"id":"x","type":"constructor"}',
      'type __proto__': '{"id":"x","type":"__proto__"}',
      'unknown type': JSON.stringify(envelope('payout.paid', { id: 'po_1' })),
      'unknown type alone': '{"id":"x","type":"payout.paid"}',
      'unknown type with strange fields':
        '{"id":"x","type":"payout.paid","data":[1],"operations":"retry","created":5,"livemode":"yes","api_version":null}',
      'id of 255 characters': `{"id":"${'x'.repeat(255)}","type":"payout.paid"}`,
    },
    'event with issues': {
      'amount as text': changed('refund.created', { amount: '1200' }),
      'amount of a chargeback': JSON.stringify({ ...chargeback, amount: 'abc' }),
      'time not of ISO 8601': JSON.stringify(eventOf('customer.updated', { created: '31 Jan 2026' })),
      'name with a line break': changed('customer.created', { metadata: { 'a\nERROR forged': 1 } }),
      'no object': JSON.stringify(eventOf('refund.created', { data: {} })),
      'another status': changed('refund.created', { status: 'on_its_way' }),
      'settled without a batch': changed('charge.settled', { settlement_batch_id: null }),
    },
    refused: {
      'cut short': '{"id":"x","type":"payo',
      empty: '',
      'empty id': '{"id":"","type":"payout.paid"}',
      list: '[{"id":"x","type":"y"}]',
      'id of 256 characters': `{"id":"${'x'.repeat(256)}","type":"payout.paid"}`,
      'no id': '{"type":"payout.paid"}',
      null: 'null',
      'type as number': '{"id":"x","type":5}',
      'empty type': '{"id":"x","type":""}',
      'not UTF-8': Buffer.from('{"id":"x","type":"ÿ"}', 'latin1'),
    },
  },
  vocabulary: words(
    `"id" "type" "event" "data" "object" "operations" "refund.created" "payout.paid" "evt_1" { } [ ] : , " null 7 true`,
  ),
  cases: 900,
  judge,
};
