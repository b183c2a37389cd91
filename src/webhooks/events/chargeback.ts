import { isRecord } from '../../base/json.ts';
import { readAmount } from '../../base/numbers.ts';
import type { Inline } from '../../base/runtime/runtime.ts';
import * as s from '../../base/schema/schema.ts';
import { dayOrTimeText, timeText } from './iso-8601.ts';

/** The event type of a chargeback notification. */
export const chargebackType = 'chargeback.received';

/**
 * A chargeback, as its notification describes it. Pass it to `parseChargeback` of
 * `payments-client/fraud` to get the meaning of its reason code and the days left to respond.
 */
export type Chargeback = Inline<{
  /** The event type (*shown*). Absent if the envelope of an event names it instead (*inferred*). */
  readonly event?: 'chargeback.received' | undefined;
  /** The chargeback's id (*shown*). */
  readonly chargeback_id: string;
  /** The id of the disputed transaction (*shown*). */
  readonly transaction_id: string;
  /** The disputed amount, a decimal string such as `49.99` (*shown*). The notification has no currency. */
  readonly amount: string;
  /** The reason code, such as `10.4` (*shown*). */
  readonly reason_code: string;
  /** The reason in words (*shown*). */
  readonly reason: string;
  /** The date (*shown*) by which to respond (*inferred*), such as `2026-12-31`. */
  readonly due_date: string;
  /** A time in ISO 8601 (*shown*): when the chargeback was received (*inferred*). */
  readonly timestamp: string;
}>;

const decimalText = "a decimal string such as '49.99'";

/** The fields of a chargeback, without its event type. */
export const chargebackFields = () => ({
  chargeback_id: s.filled(),
  transaction_id: s.filled(),
  amount: s.string(decimalText).check(s.refine((text) => readAmount(text) !== undefined, decimalText)),
  reason_code: s.filled("a code such as '10.4', as a string"),
  reason: s.string(),
  due_date: dayOrTimeText(),
  timestamp: timeText(),
});

export const chargebackSchema: s.Schema<Chargeback> = /* @__PURE__ */ s.lazily(() =>
  s.object({ event: s.optional(s.literal(chargebackType)), ...chargebackFields() }),
);

/**
 * Wraps a bare chargeback notification in the envelope of the other events. It has no event id, and one chargeback may
 * be reported several times for several reasons. The chargeback id and the reason together identify the event.
 *
 * @returns `undefined` for anything but a bare notification.
 */
export function envelopBareNotification(fields: Readonly<Record<string, unknown>>) {
  const { event, type, chargeback_id: id, timestamp: created, livemode } = fields;
  if (type !== undefined || typeof event !== 'string' || typeof id !== 'string') return undefined;
  const envelope = { id: `${event}:${id}`, type: event, created, data: { object: fields }, operations: [] };
  return { ...envelope, ...(livemode !== undefined && { livemode }) };
}

/** Returns whether an event is a bare notification without a mode in the envelope that we gave it. */
export function isEnvelopedBare({ id, type, data }: Readonly<Record<string, unknown>>): boolean {
  const object = isRecord(data) ? data['object'] : undefined;
  const bare = isRecord(object) ? envelopBareNotification(object) : undefined;
  return bare !== undefined && bare.id === id && bare.type === type && bare.livemode === undefined;
}
