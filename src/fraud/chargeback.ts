import { optionIssues } from '../base/check-options.ts';
import { isRecord } from '../base/json.ts';
import { refuse, refuseValue } from '../base/refuse.ts';
import * as s from '../base/schema.ts';
import { day } from '../base/time.ts';
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
const dateAdvice = 'Pass the notification of parseChargeback, and a date.';

const reasonExpectation = "a code such as '10.4', as a string";
const filled = () => s.string('a non-empty string').check(s.filled('a non-empty string'));
const dated = (expected: string, holds: (value: unknown) => boolean) => s.custom<string>(holds, expected);

const notificationSchema = s.object({
  event: s.literal('chargeback.received'),
  chargeback_id: filled(),
  transaction_id: filled(),
  amount: decimal("a decimal string such as '49.99'"),
  reason_code: s.string(reasonExpectation).check(s.filled(reasonExpectation)),
  reason: s.string(),
  due_date: dated("a date such as '2026-12-31'", isDate),
  timestamp: dated('an ISO 8601 time', isTimestamp),
});

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
 * console.log(chargeback.reasonCode.meaning, daysUntilDue(chargeback));
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

/**
 * Returns how many days are left to respond to a chargeback: 0 on the due date, negative after it. Days are in UTC,
 * since the time zone of `due_date` is not shown. Respond a day early to be safe.
 *
 * @param now The present time. Default: the system's.
 * @throws ConfigurationError for an invalid due date or present time.
 */
export function daysUntilDue(
  chargeback: Pick<ChargebackNotification, 'due_date'>,
  now: Date | number = Date.now(),
): number {
  const due_date: unknown = Object(chargeback).due_date;
  const time = typeof now === 'number' ? now : (now?.getTime?.() ?? Number.NaN);
  if (!Number.isFinite(time)) return refuseValue('now', 'a date or milliseconds since 1970', now, dateAdvice);
  const due = isDate(due_date) ? dayNumber(due_date) : undefined;
  if (due === undefined)
    return refuseValue('chargeback.due_date', "a date such as '2026-12-31'", due_date, dateAdvice);
  return due - Math.floor(time / day);
}

const date = /^\d{4}-\d\d-\d\d(?:$|T)/;
/** Hours below 24, minutes below 60, and seconds up to the leap second. */
const timestamp =
  /^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Returns the number of days from 1970 to a date, ignoring a time after it; `undefined` if the date does not exist. */
function dayNumber(text: string): number | undefined {
  const written = text.slice(0, 10);
  const time = Date.parse(written);
  if (!date.test(text) || Number.isNaN(time)) return undefined;
  // The 30th of February would otherwise become a day in March.
  return new Date(time).toISOString().startsWith(written) ? time / day : undefined;
}

/** Returns whether a value is a calendar date, such as `2026-12-31`, or a time on one. */
function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || dayNumber(value) === undefined) return false;
  return value.length === 10 || timestamp.test(value);
}

/** Returns whether a value is a time in ISO 8601. */
function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string' || !timestamp.test(value)) return false;
  return dayNumber(value.slice(0, 10)) !== undefined;
}
