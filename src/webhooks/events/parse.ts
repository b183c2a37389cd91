import { describeValue } from '../../base/describe.ts';
import { describeIssues, type Issue } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import * as s from '../../base/schema.ts';
import { issuesOf } from '../../base/validation.ts';
import { id } from '../../resources/ids.ts';
import { resourceSchemas } from '../../resources/schemas.ts';
import { WebhookVerificationError } from '../verification-error.ts';
import { eventCatalog, isCatalogType } from './catalog.ts';
import { chargebackSchema, chargebackType, envelopBareNotification } from './chargeback.ts';
import { connectObjectSchema, isConnectType } from './connect.ts';
import type { KnownWebhookEvent, UnknownEvent, UnknownEventType, WebhookEvent } from './event.ts';

/**
 * What happens to an event of a known type that is not what the interface says. `throw`: it is refused, so that no
 * handler works on what its types do not tell, and the service delivers it again. `off`: it passes as it is.
 */
export type EventValidation = 'throw' | 'off';

type EventSchema = ReturnType<typeof envelopeSchema>;

const commonFields = {
  type: s.string(),
  created: s.string(),
  operations: s.array(s.string()),
};

function envelopeSchema(object: s.Schema<unknown>) {
  return s.object({
    id: id('event'),
    ...commonFields,
    api_version: s.string(),
    livemode: s.boolean(),
    data: s.object({ object }),
  });
}

const chargebackEventSchema = s.object({
  id: s.string(),
  ...commonFields,
  api_version: s.optional(s.string()),
  livemode: s.optional(s.boolean()),
  data: s.object({ object: chargebackSchema }),
});

/** By the schema of the object within. */
const schemas = new Map<s.Schema<unknown>, EventSchema>();

/** Made when the first event of its kind comes: a merchant subscribes to a few types. */
function schemaAround(object: s.Schema<unknown>): EventSchema {
  const known = schemas.get(object);
  if (known !== undefined) return known;
  const made = envelopeSchema(object);
  schemas.set(object, made);
  return made;
}

/** The schema of an event of a known type; `undefined` for any other type. */
export function schemaFor(type: string): s.Schema<unknown> | undefined {
  if (isCatalogType(type)) return schemaAround(resourceSchemas[eventCatalog[type].object]);
  if (isConnectType(type)) return schemaAround(connectObjectSchema);
  return type === chargebackType ? chargebackEventSchema : undefined;
}

function refuse(issues: readonly Issue[]): never {
  throw new WebhookVerificationError(
    'invalid_payload',
    `the event is not what it should be: ${describeIssues(issues)}. It was not handled: update payments-client, or let it pass with validation: 'off'.`,
  );
}

const maxIdLength = 255;

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

/** An event of a newer type is never refused for its form: what is of use is taken, whatever else came is kept. */
function toUnknownEvent(fields: Identified & Readonly<Record<string, unknown>>): UnknownEvent {
  const { data, operations } = fields;
  return {
    ...fields,
    // Not one of the known types, which is what this type says.
    type: fields.type as string as UnknownEventType,
    api_version: ofType(fields['api_version'], isString),
    created: ofType(fields['created'], isString),
    livemode: ofType(fields['livemode'], isBoolean),
    data: { ...(isRecord(data) ? data : {}), object: isRecord(data) ? data['object'] : undefined },
    operations: Array.isArray(operations) ? operations.filter(isString) : [],
  };
}

/** The mode as it came: an event that does not tell it could be a test event that ships goods. */
function checkMode(received: unknown, expected: boolean | undefined): void {
  if (expected === undefined || received === expected) return;
  throw new WebhookVerificationError(
    'invalid_payload',
    `livemode: expected ${expected}, got ${describeValue(received, 'livemode')}. The event was not handled: is this the endpoint of the other mode?`,
  );
}

/**
 * The event that a value is.
 *
 * @param livemode The mode that it must say; any where it is `undefined`. A bare chargeback notification need not say it.
 * @throws WebhookVerificationError `invalid_payload` for what is no event, one of the other mode or of none, or a known one in another form.
 */
export function toEvent(value: unknown, validation: EventValidation, livemode?: boolean): WebhookEvent {
  const bare = isRecord(value) ? envelopBareNotification(value) : undefined;
  const fields = bare ?? value;
  if (!isIdentified(fields)) {
    const expected = `an event: an object with an 'id' of at most ${maxIdLength} characters and a 'type'`;
    return refuse([
      { path: '(root)', expected, received: isRecord(value) ? 'another object' : 'something else' },
    ]);
  }
  if (bare === undefined || bare.livemode !== undefined) checkMode(fields['livemode'], livemode);
  const schema = schemaFor(fields.type);
  if (schema === undefined) return toUnknownEvent(fields);
  if (validation === 'throw') {
    const issues = issuesOf(schema, fields);
    if (issues.length > 0) return refuse(issues);
  }
  // The schema of its type has said so; with validation off, the user vouches for it.
  return fields as unknown as KnownWebhookEvent;
}
