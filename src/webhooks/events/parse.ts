import { describeValue, rootPath } from '../../base/describe.ts';
import { enumerateIssues, type Issue } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { Redactor } from '../../base/redact.ts';
import * as s from '../../base/schema.ts';
import { conforms, issuesOf } from '../../base/validation.ts';
import { id } from '../../resources/ids.ts';
import { unlisted } from '../../resources/open-values.ts';
import { resourceSchemas } from '../../resources/schemas.ts';
import type { RawBody } from '../signatures/scheme.ts';
import { unverified, type WebhookVerificationError } from '../verification-error.ts';
import { eventCatalog, isCatalogType } from './catalog.ts';
import { chargebackSchema, chargebackType, envelopBareNotification, isEnvelopedBare } from './chargeback.ts';
import { connectObjectSchema, isConnectType } from './connect.ts';
import type { KnownWebhookEvent, UnknownEvent, VerifiedEvent, WebhookEvent } from './event.ts';
import { parsePayload } from './payload.ts';

/**
 * How to treat an event of a known type whose fields differ from the interface:
 *
 * - `warn`: accepts it unchanged, with the differences in `issues`;
 * - `throw`: `verify` rejects it. A receiver accepts it as with `warn`, since a rejected event would be lost;
 * - `off`: accepts it without a check.
 */
export type EventValidation = 'warn' | 'throw' | 'off';

/**
 * The result of reading a verified body. `issues` lists the differences from the interface, and `error` holds the same
 * as an error.
 */
export type EventReading =
  | {
      readonly event: WebhookEvent;
      readonly issues: readonly Issue[];
      readonly error?: WebhookVerificationError;
    }
  | {
      readonly event: undefined;
      readonly issues: readonly Issue[];
      readonly error: WebhookVerificationError;
    };

type EventSchema = ReturnType<typeof envelopeSchema>;

const commonFields = () => ({
  type: s.string(),
  created: s.string(),
  operations: s.array(s.string()),
});

function envelopeSchema(object: s.Schema<unknown>) {
  return s.object({
    id: id('event'),
    ...commonFields(),
    api_version: s.string(),
    livemode: s.boolean(),
    data: s.object({ object }),
  });
}

const chargebackEventSchema = s.lazily(() =>
  s.object({
    id: s.string(),
    ...commonFields(),
    api_version: s.optional(s.string()),
    livemode: s.optional(s.boolean()),
    data: s.object({ object: chargebackSchema }),
  }),
);

/** Keyed by the schema of the object in the event. */
const schemas = new Map<s.Schema<unknown>, EventSchema>();

/** Built on the first event of a kind: a merchant subscribes to few types. */
function schemaAround(object: s.Schema<unknown>): EventSchema {
  const known = schemas.get(object);
  if (known !== undefined) return known;
  const made = envelopeSchema(object);
  schemas.set(object, made);
  return made;
}

/** Returns the schema of a known event type; `undefined` for any other type. */
export function schemaFor(type: string): s.Schema<unknown> | undefined {
  if (isCatalogType(type)) return schemaAround(resourceSchemas[eventCatalog[type].object]);
  if (isConnectType(type)) return schemaAround(connectObjectSchema);
  return type === chargebackType ? chargebackEventSchema : undefined;
}

const noEvent = 'It was not handled: find out which program sends it.';
const notHandled = "It was not handled: update payments-client, or omit validation: 'throw'.";
const passed = 'It was accepted unchanged: update payments-client.';

function formError(issues: readonly Issue[], consequence: string): WebhookVerificationError {
  const problem = `the event differs from the interface: ${enumerateIssues(issues)}. ${consequence}`;
  return unverified('invalid_payload', problem);
}

const maxIdLength = 255;

const redactor = new Redactor();

interface Identified {
  readonly id: string;
  readonly type: string;
}

function isIdentified(value: unknown): value is Identified & Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const { id: eventId, type } = value;
  if (typeof type !== 'string' || type === '' || typeof eventId !== 'string') return false;
  return eventId !== '' && eventId.length <= maxIdLength;
}

function ofType<T>(value: unknown, isType: (value: unknown) => value is T): T | undefined {
  return isType(value) ? value : undefined;
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** An event of a newer type is never rejected for its form: known fields are read, and all other fields are kept. */
function toUnknownEvent(fields: Identified & Readonly<Record<string, unknown>>): UnknownEvent {
  const { data, operations } = fields;
  return {
    ...fields,
    // The type is outside the known types, which `UnlistedValue` states.
    type: unlisted(fields.type),
    api_version: ofType(fields['api_version'], isString),
    created: ofType(fields['created'], isString),
    livemode: ofType(fields['livemode'], isBoolean),
    data: { ...(isRecord(data) ? data : {}), object: isRecord(data) ? data['object'] : undefined },
    operations: Array.isArray(operations) ? operations.filter(isString) : [],
  };
}

/** An event without a mode could be a test event that ships goods. */
function modeIssue(received: unknown, expected: boolean): Issue {
  return { path: 'livemode', expected: String(expected), received: describeValue(received, 'livemode') };
}

function modeError({ expected, received }: Issue): WebhookVerificationError {
  return unverified(
    'invalid_payload',
    `livemode: expected ${expected}, got ${received}. The event was not handled: is this the endpoint of the other mode?`,
  );
}

function unreadable(issue: Issue, error: WebhookVerificationError): EventReading {
  return { event: undefined, issues: [issue], error };
}

/** Options of `readEvent`. */
export interface ReadingOptions {
  readonly validation: EventValidation;
  /** The required mode; `undefined` accepts any. A bare chargeback notification may omit it. */
  readonly livemode: boolean | undefined;
}

/** Reads an event from a parsed value. */
export function readEvent(value: unknown, { validation, livemode }: ReadingOptions): EventReading {
  const bare = isRecord(value) ? envelopBareNotification(value) : undefined;
  const fields = bare ?? value;
  if (!isIdentified(fields)) {
    const expected = `an event: an object with an 'id' of at most ${maxIdLength} characters and a 'type'`;
    const received = isRecord(value) ? 'another object' : 'something else';
    const issue = { path: rootPath, expected, received };
    return unreadable(issue, formError([issue], noEvent));
  }
  const mode = fields['livemode'];
  const mayOmitMode = bare !== undefined || isEnvelopedBare(fields);
  if (livemode !== undefined && mode !== livemode && !(mode === undefined && mayOmitMode)) {
    const issue = modeIssue(mode, livemode);
    return unreadable(issue, modeError(issue));
  }
  const schema = schemaFor(fields.type);
  if (schema === undefined) return { event: toUnknownEvent(fields), issues: [] };
  const isPassed = validation === 'off' || conforms(schema, fields);
  const issues = isPassed ? [] : redactor.issues(issuesOf(schema, fields));
  if (issues.length > 0 && validation === 'throw') {
    return { event: undefined, issues, error: formError(issues, notHandled) };
  }
  // The schema accepted it, or `issues` lists the differences, or the user turned the check off.
  const event = fields as unknown as KnownWebhookEvent;
  return issues.length === 0 ? { event, issues } : { event, issues, error: formError(issues, passed) };
}

/** Reads the event from a verified body. */
export function readBody(body: RawBody, options: ReadingOptions): EventReading {
  const payload = parsePayload(body);
  return 'value' in payload ? readEvent(payload.value, options) : unreadable(payload.issue, payload.error);
}

/**
 * Returns the event of a reading.
 *
 * @throws WebhookVerificationError `invalid_payload` when the reading holds no event.
 */
export function eventIn(reading: EventReading): WebhookEvent {
  if (reading.event === undefined) throw reading.error;
  return reading.event;
}

/**
 * Returns the event of a reading, with its differences from the interface.
 *
 * @throws WebhookVerificationError `invalid_payload` when the reading holds no event.
 */
export function withIssues(reading: EventReading): VerifiedEvent {
  return Object.defineProperty(eventIn(reading), 'issues', {
    value: reading.issues,
    enumerable: false,
  }) as VerifiedEvent;
}
