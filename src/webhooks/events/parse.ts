import { enumerateIssues, type Issue } from '../../base/errors.ts';
import { once } from '../../base/functions.ts';
import { formatIssue, issueAt, rootPath } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { Redactor } from '../../base/redact.ts';
import * as s from '../../base/schema/schema.ts';
import { unlisted } from '../../base/schema/schema.ts';
import { conforms, issuesOf, requireState } from '../../base/schema/validation.ts';
import { id } from '../../resources/fields/ids.ts';
import { resourceSchemas } from '../../resources/schemas.ts';
import type { RawBody } from '../signatures/scheme.ts';
import { unverified, type WebhookVerificationError } from '../verification-error.ts';
import { type CatalogEntry, type CatalogEventType, eventCatalog, isCatalogType } from './catalog.ts';
import { chargebackSchema, chargebackType, envelopBareNotification, isEnvelopedBare } from './chargeback.ts';
import { connectObjectSchema, isConnectType } from './connect.ts';
import type { KnownWebhookEvent, UnknownEvent, VerifiedEvent, WebhookEvent } from './event.ts';
import { dayText, readTime, timeText, utcText } from './iso-8601.ts';

/**
 * How to treat an event of a known type whose fields differ from the interface:
 *
 * - `warn`: accepts it unchanged, with the differences in `issues`;
 * - `throw`: `verify` rejects it. A receiver accepts it as with `warn`, since a rejected event would be lost;
 * - `off`: accepts it without a check.
 */
export type EventValidation = 'warn' | 'throw' | 'off';

/** The result of reading a verified body. `issues` lists the differences from the interface. */
export type EventReading = { readonly issues: readonly Issue[] } & (
  | { readonly event: WebhookEvent; readonly error?: undefined }
  | { readonly event: undefined; readonly error: WebhookVerificationError }
);

function envelopeSchema(data: s.Schema<unknown>, mayBeBare = false): s.Schema<unknown> {
  return s.object({
    id: mayBeBare ? s.string() : id('event'),
    type: s.string(),
    created: mayBeBare ? timeText() : utcText(),
    operations: s.array(s.string()),
    api_version: mayBeBare ? s.optional(dayText(versionText)) : dayText(versionText),
    livemode: mayBeBare ? s.optional(s.boolean()) : s.boolean(),
    data,
  });
}

const versionText = "a version such as '2026-12-31'";

/** The data of a catalog event: an object of its kind, in the state that the type implies. */
function catalogData(type: CatalogEventType): s.Schema<unknown> {
  const { object, state: values = {}, set: names = [] }: CatalogEntry = eventCatalog[type];
  const schema: s.Schema<unknown> = resourceSchemas[object];
  return s
    .object({ object: schema })
    .check(requireState('object', { values, names, because: `the type is ${type}` }));
}

function makeSchema(type: string): s.Schema<unknown> | undefined {
  if (isCatalogType(type)) return envelopeSchema(catalogData(type));
  if (isConnectType(type)) return envelopeSchema(s.object({ object: connectObjectSchema }));
  return type === chargebackType ? envelopeSchema(s.object({ object: chargebackSchema }), true) : undefined;
}

/** By event type. Each is built on its first event: a merchant subscribes to few types. */
const schemas = /* @__PURE__ */ new Map<string, s.Schema<unknown>>();

/** Returns the schema of a known event type; `undefined` for any other type. */
export function schemaFor(type: string): s.Schema<unknown> | undefined {
  const schema = schemas.get(type) ?? makeSchema(type);
  if (schema !== undefined) schemas.set(type, schema);
  return schema;
}

const noJson = 'Check that the service delivers to this address and that the body is not compressed.';
const otherMode = 'The event was not handled: is this the endpoint of the other mode?';
const noEvent = 'It was not handled: find out which program sends it.';
const notHandled = "It was not handled: update payments-client, or omit validation: 'throw'.";
const passed = 'It was accepted unchanged: update payments-client.';

function formError(issues: readonly Issue[], consequence: string): WebhookVerificationError {
  const problem = `the event differs from the interface: ${enumerateIssues(issues)}. ${consequence}`;
  return unverified('invalid_payload', problem);
}

/** The error that reports the differences of an event that was accepted. */
export function driftError(issues: readonly Issue[]): WebhookVerificationError {
  return formError(issues, passed);
}

const maxIdLength = 255;

const redactor = /* @__PURE__ */ new Redactor();

interface Identified {
  readonly id: string;
  readonly type: string;
}

function isIdentified(value: unknown): value is Identified & Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const { id: eventId, type } = value;
  const hasId = typeof eventId === 'string' && eventId !== '' && eventId.length <= maxIdLength;
  return hasId && typeof type === 'string' && type !== '';
}

/** An event of a newer type is never rejected for its form: known fields are read, and all other fields are kept. */
function toUnknownEvent(fields: Identified & Readonly<Record<string, unknown>>): UnknownEvent {
  const { api_version, created, livemode, operations } = fields;
  const data = isRecord(fields['data']) ? fields['data'] : {};
  return {
    ...fields,
    // The type is outside the known types, which `UnlistedValue` states.
    type: unlisted(fields.type),
    api_version: typeof api_version === 'string' ? api_version : undefined,
    // The type promises a text.
    created: typeof created === 'string' ? created : readTime(created)?.toISOString(),
    livemode: typeof livemode === 'boolean' ? livemode : undefined,
    data: { ...data, object: data['object'] },
    operations: Array.isArray(operations) ? operations.filter((each) => typeof each === 'string') : [],
  };
}

/** Returns the reading of a body that is not an event, or not one of this endpoint. */
function unreadable(issue: Issue, advice: string): EventReading {
  const error = unverified('invalid_payload', `${formatIssue(issue)}. ${advice}`);
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
    const issues = [{ path: rootPath, expected, received }];
    return { event: undefined, issues, error: formError(issues, noEvent) };
  }
  const mode = fields['livemode'];
  const mayOmitMode = bare !== undefined || isEnvelopedBare(fields);
  // An event without a mode could be a test event that ships goods.
  if (livemode !== undefined && mode !== livemode && !(mode === undefined && mayOmitMode)) {
    return unreadable(issueAt('livemode', String(livemode), mode), otherMode);
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
  return { event, issues };
}

const utf8 = /* @__PURE__ */ once(() => new TextDecoder('utf-8', { fatal: true }));

/** Reads the event from a verified body: JSON in UTF-8, without a byte order mark. */
export function readVerified(body: RawBody, options: ReadingOptions): EventReading {
  let value: unknown;
  try {
    // The decoder drops the mark.
    value = JSON.parse(typeof body === 'string' ? body.replace(/^\uFEFF/, '') : utf8().decode(body));
  } catch {
    // The parser's message would repeat the text.
    const received = body.length === 0 ? 'an empty body' : 'something else';
    return unreadable({ path: rootPath, expected: 'JSON in UTF-8', received }, noJson);
  }
  return readEvent(value, options);
}

/**
 * Returns the event of a reading.
 *
 * @throws WebhookVerificationError `invalid_payload` when the reading holds no event.
 */
function eventIn(reading: EventReading): WebhookEvent {
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
