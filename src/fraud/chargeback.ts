import { refuse } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { optionIssues } from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import { conforms } from '../base/schema/validation.ts';
import { type Chargeback, chargebackFields, chargebackType } from '../webhooks/events/chargeback.ts';
import {
  type ChargebackReason,
  type ChargebackReasonCode,
  readChargebackReason,
} from './chargeback-reasons.ts';

/**
 * The notification of a chargeback. Contains all fields of the service, including those that the interface does not
 * name; `reasonCode` is added by this package.
 */
export interface ChargebackNotification extends Chargeback {
  /** The event type (*shown*). */
  readonly event: 'chargeback.received';
  /** The reason code (*shown*; others are possible). */
  readonly reason_code: ChargebackReasonCode | (string & {});
  /** The meaning of the reason code; `source` says whether the interface lists the code. */
  readonly reasonCode: ChargebackReason;
  /** All other fields, as received. */
  readonly [field: string]: unknown;
}

const advice = 'Pass the parsed JSON of the body. If it is, keep it and look the chargeback up by hand.';

const notificationSchema = /* @__PURE__ */ s.lazily(() =>
  s.object({ event: s.literal(chargebackType), ...chargebackFields() }),
);

/**
 * Checks the parsed body of a verified webhook and returns it as a chargeback notification. The interface does not show
 * whether it has the envelope of other events, so `data.object` is unwrapped (*inferred*). A
 * `due_date` with a time is accepted too (*inferred*). Unknown fields are kept; the value is not changed.
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
