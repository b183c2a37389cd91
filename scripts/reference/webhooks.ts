/** Describes webhooks for `openapi.json`: a delivery for each event type that the interface names. */

import { isRecord } from '../../src/base/json.ts';
import { transitions } from '../../src/resources/transitions.ts';
import { chargebackSchema, chargebackType } from '../../src/webhooks/events/chargeback.ts';
import { connectEventTypes, unnamedConnectTypes } from '../../src/webhooks/events/connect.ts';
import type { WebhookEventType } from '../../src/webhooks/events/event.ts';
import { isKnownType } from '../../src/webhooks/events/known.ts';
import { schemaFor } from '../../src/webhooks/events/parse.ts';
import { describeFields } from './describe-fields.ts';
import { summaryOf } from './doc-comments.ts';
import type { Examples } from './examples.ts';
import { type Json, refTo, toJsonSchema } from './json-schema.ts';
import { type Field, fieldsOf } from './source-types.ts';

const reserved: readonly string[] = Object.values(transitions).flatMap((machine) =>
  machine.transitions.flatMap((transition) => ('reserved' in transition ? transition.event : [])),
);

function withProperty(schema: Json, name: string, value: Json): Json {
  const { properties, required } = schema;
  return {
    ...schema,
    properties: { ...(isRecord(properties) && properties), [name]: value },
    required: [...new Set([...(Array.isArray(required) ? required : []), name])],
  };
}

/** The envelope of a type, around the object that it carries. */
function envelopeOf(type: string, fields: readonly Field[]): Json {
  const schema = schemaFor(type);
  if (schema === undefined) throw new Error(`Expected the type of an event, got '${type}'.`);
  return describeFields(withProperty(toJsonSchema(schema), 'type', { type: 'string', const: type }), fields);
}

const unnamed: readonly string[] = unnamedConnectTypes;

const events = () => fieldsOf('src/webhooks/events/event.ts', 'WebhookEventMap');

/** The fields that every envelope has in the same form. */
const commonFields: readonly string[] = ['id', 'created', 'api_version', 'livemode'];

/** Returns an object schema with some of its fields. */
function pick({ properties, required, ...schema }: Json, isIn: (name: string) => boolean): Json {
  const entries = Object.entries(isRecord(properties) ? properties : {}).filter(([name]) => isIn(name));
  const names = Array.isArray(required) ? required.filter((name) => isIn(String(name))) : [];
  return { ...schema, properties: Object.fromEntries(entries), required: names };
}

/** The type whose envelope represents all. */
const anyType = 'customer.created';

/** Returns the common fields as a component. */
export const eventComponent = (): Json => ({
  description: 'The fields that every event has.',
  ...pick(envelopeOf(anyType, events().find(({ name }) => name === anyType)?.fields ?? []), (name) =>
    commonFields.includes(name),
  ),
});

/** The chargeback notification as the interface shows it, without an envelope. */
function bareChargeback(): Json {
  const fields = fieldsOf('src/webhooks/events/chargeback.ts', 'Chargeback');
  const event = {
    description: 'The type of the event (shown).',
    'x-source': 'shown',
    type: 'string',
    const: chargebackType,
  };
  return describeFields(withProperty(toJsonSchema(chargebackSchema), 'event', event), fields);
}

function bodyOf(type: string, fields: readonly Field[]): Json {
  const envelope = envelopeOf(type, fields);
  if (type !== chargebackType) {
    const own = pick(envelope, (name) => !commonFields.includes(name));
    return { allOf: [refTo('schemas', 'event'), own] };
  }
  return {
    anyOf: [
      { title: 'As the interface shows it', 'x-source': 'shown', ...bareChargeback() },
      { title: 'In the envelope of the other events', 'x-source': 'inferred', ...envelope },
    ],
  };
}

/** The descriptions of the types themselves. */
const descriptions: ReadonlyMap<string, string> = new Map([
  ...fieldsOf('src/webhooks/events/catalog.ts', 'eventCatalog').map(
    ({ name, description }) => [name, description] as const,
  ),
  ...connectEventTypes.map((type) => [type, 'A Connect lifecycle event, of catalog version 4.'] as const),
]);

/** Returns an example of an event; for the one that may come without an envelope, in both forms. */
function exampleOf(type: WebhookEventType, { event }: Examples): Json {
  const value = event(type);
  if (type !== chargebackType) return { example: value };
  return { examples: { bare: { value: value.data.object }, in_envelope: { value } } };
}

function deliveryOf({ name: type, fields, description: own }: Field, examples: Examples): Json {
  if (!isKnownType(type)) throw new Error(`Expected the type of an event, got '${type}'.`);
  const description = descriptions.get(type) ?? own;
  const content = { schema: bodyOf(type, fields), ...exampleOf(type, examples) };
  return {
    operationId: `on_${type.replaceAll('.', '_')}`,
    summary: summaryOf(description),
    tags: ['webhooks'],
    description,
    // A delivery carries a signature, whose scheme is not shown.
    security: [],
    'x-source': unnamed.includes(type) ? 'inferred' : 'shown',
    ...(reserved.includes(type) && { 'x-reserved': true }),
    requestBody: { required: true, content: { 'application/json': content } },
    responses: { '2XX': { description: 'Received. The response that the service expects is not shown.' } },
  };
}

/** Returns every delivery, by event type. */
export function webhooks(examples: Examples): Json {
  return Object.fromEntries(events().map((event) => [event.name, { post: deliveryOf(event, examples) }]));
}
