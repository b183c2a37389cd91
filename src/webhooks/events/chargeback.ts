import * as s from '../../base/schema.ts';

/** The type of the notification that a chargeback came in. */
export const chargebackType = 'chargeback.received';

/**
 * A chargeback, as its notification tells it. `parseChargeback` and `daysUntilDue` of `payments-client/fraud` take it
 * and tell what its reason code means and how long there is to answer.
 */
export interface Chargeback {
  /** The chargeback's id (*shown*). */
  readonly chargeback_id: string;
  /** The id of the transaction that is disputed (*shown*). */
  readonly transaction_id: string;
  /** How much is disputed, a decimal string such as `49.99` (*shown*); its currency is not told. */
  readonly amount: string;
  /** Why, as a code such as `10.4` (*shown*). */
  readonly reason_code: string;
  /** Why, in the service's words (*shown*). */
  readonly reason: string;
  /** Until when to answer, a date such as `2026-12-31` (*shown*). */
  readonly due_date: string;
  /** When it came in, ISO 8601 (*shown*). */
  readonly timestamp: string;
}

export const chargebackSchema = s.object({
  chargeback_id: s.string(),
  transaction_id: s.string(),
  amount: s.string(),
  reason_code: s.string(),
  reason: s.string(),
  due_date: s.string(),
  timestamp: s.string(),
});

/**
 * A notification that came bare, in the envelope of the other events. It has no event id, and one chargeback may be
 * told of several times for several reasons, so the two together identify it.
 *
 * @returns `undefined` for anything that is not a bare notification.
 */
export function envelopBareNotification(fields: Readonly<Record<string, unknown>>): BareEnvelope | undefined {
  const { event, type, chargeback_id: id, timestamp, livemode } = fields;
  if (type !== undefined || typeof event !== 'string' || typeof id !== 'string') return undefined;
  const common = { type: event, created: timestamp, data: { object: fields }, operations: [] };
  return { id: `${event}:${id}`, ...common, ...(livemode !== undefined && { livemode }) };
}

interface BareEnvelope {
  readonly id: string;
  readonly type: string;
  readonly created: unknown;
  readonly livemode?: unknown;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
  readonly operations: readonly string[];
}
