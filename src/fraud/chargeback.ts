import { optionIssues } from '../base/check-options.ts';
import { isRecord } from '../base/json.ts';
import { refuse } from '../base/refuse.ts';
import * as s from '../base/schema.ts';
import { conforms } from '../base/validation.ts';
import {
  type ChargebackReason,
  type ChargebackReasonCode,
  readChargebackReason,
} from './chargeback-reasons.ts';
import { decimal } from './decimal.ts';

/**
 * The notification of a chargeback. Contains all fields of the service, including those that the interface does not
 * name; `reasonCode` is added by this package.
 */
export interface ChargebackNotification {
  /** The event type (*shown*). */
  readonly event: 'chargeback.received';
  /** The chargeback's id (*shown*). */
  readonly chargeback_id: string;
  /** The id of the disputed transaction (*shown*). */
  readonly transaction_id: string;
  /** The disputed amount, a decimal string such as `49.99` (*shown*; its currency is not). */
  readonly amount: string;
  /** The reason code (*shown*; others are possible). */
  readonly reason_code: ChargebackReasonCode | (string & {});
  /** The reason in words (*shown*). */
  readonly reason: string;
  /** The last day to respond, a date such as `2026-12-31` (*shown*; a date with a time is accepted too, *inferred*). */
  readonly due_date: string;
  /** When it was received, ISO 8601 (*shown*). */
  readonly timestamp: string;
  /** The meaning of the reason code; `source` says whether the interface lists the code. */
  readonly reasonCode: ChargebackReason;
  /** All other fields, as received. */
  readonly [field: string]: unknown;
}

const advice = 'Pass the parsed JSON of the body. If it is, keep it and look the chargeback up by hand.';

const reasonExpectation = "a code such as '10.4', as a string";
const dated = (expected: string, holds: (value: unknown) => boolean) => s.custom<string>(holds, expected);

const notificationSchema = s.lazily(() =>
  s.object({
    event: s.literal('chargeback.received'),
    chargeback_id: s.filled(),
    transaction_id: s.filled(),
    amount: decimal("a decimal string such as '49.99'"),
    reason_code: s.filled(reasonExpectation),
    reason: s.string(),
    due_date: dated("a date such as '2026-12-31'", isDate),
    timestamp: dated('an ISO 8601 time', isTimestamp),
  }),
);

/**
 * Checks the parsed body of a verified webhook and returns it as a chargeback notification. The interface does not show
 * whether it has the envelope of other events, so `data.object` is unwrapped (*inferred*). Unknown fields are kept; the
 * value is not changed.
 *
 * @throws ConfigurationError when a field is missing or is not what the interface says. `issues` names each field, and quotes
 *   no value.
 *
 * @example
 * const chargeback = parseChargeback(JSON.parse(body));
 * console.log(chargeback.reasonCode.meaning, chargeback.due_date);
 */
export function parseChargeback(value: unknown): ChargebackNotification {
  const fields = openEnvelope(value);
  // The value comes from outside and may contain anything, so it is not quoted.
  if (!conforms(notificationSchema, fields)) {
    return refuse(optionIssues('chargeback', notificationSchema, fields, { sensitive: true }), advice);
  }
  return { ...fields, reasonCode: readChargebackReason(fields.reason_code) };
}

/** Returns the notification within the envelope of an event, or the value itself. */
function openEnvelope(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { type, data } = value;
  const inner = isRecord(data) ? data['object'] : undefined;
  if (value['event'] !== undefined || !isRecord(inner)) return value;
  return inner['event'] === undefined ? { ...inner, event: type } : inner;
}

const date = /^\d{4}-\d\d-\d\d(?:$|T)/;
/** Hours below 24, minutes below 60, and seconds up to the leap second. */
const timestamp =
  /^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Returns whether a text starts with a date that exists. */
function startsWithDate(text: string): boolean {
  const written = text.slice(0, 10);
  const time = Date.parse(written);
  if (!date.test(text) || Number.isNaN(time)) return false;
  // The 30th of February would otherwise become a day in March.
  return new Date(time).toISOString().startsWith(written);
}

/** Returns whether a value is a calendar date, such as `2026-12-31`, or a time on one. */
function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !startsWithDate(value)) return false;
  return value.length === 10 || timestamp.test(value);
}

/** Returns whether a value is a time in ISO 8601. */
function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && timestamp.test(value) && startsWithDate(value.slice(0, 10));
}
