/** What `openapi.json` says of the resource API: a path for each route, from the table of routes and the methods of the client. */

import { routes } from '../../src/resources/routes.ts';
import { resourceSchemas } from '../../src/resources/schemas.ts';
import { type Operation, operations } from './collections.ts';
import { described } from './described.ts';
import { keyResponses } from './idempotency.ts';
import { components, type Json, refTo, toJsonSchema } from './json-schema.ts';
import { listParametersOf, pageOf } from './pages.ts';
import { requestSchema } from './request-schemas.ts';
import { type Field, fieldsOf, methodOf } from './source-types.ts';

/** The id in a path, as a component. */
export const idParameter: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the object.',
  schema: { type: 'string' },
};

const inJson = (schema: Json) => ({ content: { 'application/json': { schema } } });

function resultOf({ gives }: Operation): Json {
  if (gives.as === 'deletion') return refTo('schemas', 'deletion');
  const component = components.get(resourceSchemas[gives.object]) ?? '';
  return gives.as === 'page' ? pageOf(component) : refTo('schemas', component);
}

function bodyOf(operation: Operation, fields: readonly Field[]): Json {
  const schema = requestSchema(operation.name);
  if (schema === undefined) return {};
  const body = described(toJsonSchema(schema), fields);
  return { requestBody: { required: true, ...inJson(body) } };
}

function parametersFor(operation: Operation): readonly Json[] {
  const { method, path } = routes[operation.name];
  return [
    ...(path.includes('{id}') ? [refTo('parameters', 'id')] : []),
    ...(operation.gives.as === 'page' ? listParametersOf(operation.collection) : []),
    ...(method === 'POST' ? [refTo('parameters', 'idempotency_key')] : []),
  ];
}

function describe(operation: Operation): Json {
  const { method, source, movesMoney } = routes[operation.name];
  const { description, fields } = methodOf(operation.name);
  const isPost = method === 'POST';
  const replayed = { headers: { 'Idempotent-Replayed': refTo('headers', 'idempotent_replayed') } };
  return {
    // The method, as far as generators of clients take it for a name.
    operationId: operation.name.replace('.', '_'),
    description,
    tags: [operation.collection],
    'x-source': source,
    'x-moves-money': movesMoney,
    parameters: parametersFor(operation),
    ...bodyOf(operation, fields),
    responses: {
      200: { description: 'Done.', ...(isPost && replayed), ...inJson(resultOf(operation)) },
      ...(isPost && keyResponses),
      default: refTo('responses', 'refusal'),
    },
  };
}

/** The paths of the resource API. */
export function resourcePaths(): Readonly<Record<string, Json>> {
  const all: Record<string, Json> = {};
  for (const operation of operations) {
    const { method, path } = routes[operation.name];
    all[path] = { ...all[path], [method.toLowerCase()]: describe(operation) };
  }
  return all;
}

/** The resources and what a deletion gives, as components. */
export function resourceComponents(): Json {
  const resources = fieldsOf('resources/resource-types.ts', 'Resources');
  const all = Object.entries(resourceSchemas).map(([name, schema]) => {
    const fields = resources.find((resource) => resource.name === name)?.fields ?? [];
    return [components.get(schema) ?? name, described(toJsonSchema(schema), fields)] as const;
  });
  const deletion = {
    type: 'object',
    properties: { id: { type: 'string' }, deleted: { type: 'boolean' } },
    required: ['id'],
    additionalProperties: {},
  };
  return {
    ...Object.fromEntries(all),
    deletion: described(deletion, fieldsOf('resources/collection.ts', 'Deleted')),
  };
}
