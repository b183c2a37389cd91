/** Events as the service sends them, and their deliveries. */

import { Webhooks, type WebhooksOptions } from 'payments-client/webhooks';
import { type CatalogEventType, catalogRow, stateOf } from './event-catalog.ts';
import { validObject } from './sample-objects.ts';

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
/** The time of everything here, in ms since 1970. */
export const now = Date.UTC(2026, 0, 31, 12);

type Fields = Record<string, unknown>;

/** The object of an event, in the state that its type implies. */
export function objectOf(type: CatalogEventType): Fields {
  return { ...validObject(catalogRow(type).object), ...stateOf(type) };
}

/** A complete, valid event of the catalog; `fields` replace those of the envelope. */
export function eventOf(type: CatalogEventType, fields: Fields = {}): Fields {
  const { operations } = catalogRow(type);
  return envelope(type, objectOf(type), { operations, ...fields });
}

/** An event of any type. */
export function envelope(type: string, object: unknown, fields: Fields = {}): Fields {
  return {
    id: 'evt_1',
    type,
    api_version: '2026-01-31',
    created: '2026-01-31T12:00:00Z',
    livemode: false,
    data: { object },
    operations: [],
    ...fields,
  };
}

export const chargeback = {
  event: 'chargeback.received',
  chargeback_id: 'cb_1',
  transaction_id: '4711',
  amount: '49.99',
  reason_code: '10.4',
  reason: 'Fraud, card absent',
  due_date: '2026-02-28',
  timestamp: '2026-01-31T12:00:00Z',
};

/** Returns a verifier of these deliveries, with the clock fixed at {@link now}. */
export function webhooksAt(options: Partial<WebhooksOptions> = {}): Webhooks {
  const secrets = options.secrets ?? [options.secret ?? secret];
  return new Webhooks({ now: () => now, ...options, secret: undefined, secrets });
}

/** Returns a signed delivery of a value. */
export async function delivery(value: unknown, webhooks: Webhooks = webhooksAt()) {
  const body = JSON.stringify(value);
  return { body, headers: await webhooks.sign(body) };
}
