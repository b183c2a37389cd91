/** What `openapi.json` says of webhooks: a delivery for each type of event that the interface names. */

import { isRecord } from '../../src/base/json.ts';
import { transitions } from '../../src/resources/transitions.ts';
import { chargebackSchema, chargebackType } from '../../src/webhooks/events/chargeback.ts';
import { connectEventTypes } from '../../src/webhooks/events/connect.ts';
import { schemaFor } from '../../src/webhooks/events/parse.ts';
import { described } from './described.ts';
import { type Json, toJsonSchema } from './json-schema.ts';
import { type Field, fieldsOf } from './source-types.ts';

const reserved: readonly string[] = Object.values(transitions).flatMap((machine) =>
  machine.transitions.flatMap((move) => ('reserved' in move ? move.event : [])),
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
  if (schema === undefined) throw new Error(`There is no event of the type '${type}'.`);
  return described(withProperty(toJsonSchema(schema), 'type', { type: 'string', const: type }), fields);
}

/** The chargeback notification as the interface shows it, without an envelope. */
function bareChargeback(): Json {
  const fields = fieldsOf('webhooks/events/chargeback.ts', 'Chargeback');
  const event = {
    description: 'The type of the event.',
    'x-source': 'shown',
    type: 'string',
    const: chargebackType,
  };
  return described(withProperty(toJsonSchema(chargebackSchema), 'event', event), fields);
}

function bodyOf(type: string, fields: readonly Field[]): Json {
  const envelope = envelopeOf(type, fields);
  if (type !== chargebackType) return envelope;
  return {
    anyOf: [
      { title: 'As the interface shows it', 'x-source': 'shown', ...bareChargeback() },
      { title: 'In the envelope of the other events', 'x-source': 'inferred', ...envelope },
    ],
  };
}

/** What the types themselves say of what happened. */
const descriptions: ReadonlyMap<string, string> = new Map([
  ...fieldsOf('webhooks/events/catalog.ts', 'eventCatalog').map(
    ({ name, description }) => [name, description] as const,
  ),
  ...connectEventTypes.map((type) => [type, 'A Connect lifecycle event, of catalog version 4.'] as const),
]);

function deliveryOf({ name: type, fields, description }: Field): Json {
  return {
    operationId: `on_${type.replaceAll('.', '_')}`,
    tags: ['webhooks'],
    description: descriptions.get(type) ?? description,
    // A delivery carries a signature, whose scheme is not shown.
    security: [],
    'x-source': 'shown',
    ...(reserved.includes(type) && { 'x-reserved': true }),
    requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type, fields) } } },
    responses: { '2XX': { description: 'Received. The response that the service expects is not shown.' } },
  };
}

/** Every delivery, by the type of its event. */
export function webhooks(): Json {
  const events = fieldsOf('webhooks/events/event.ts', 'WebhookEventMap');
  return Object.fromEntries(events.map((event) => [event.name, { post: deliveryOf(event) }]));
}
