/** Describes the resource API for `openapi.json`: a path per route, from the table of routes and the methods of the client. */

import { collectionNames, collectionObjects } from '../../src/resources/collection-objects.ts';
import { requestSchema } from '../../src/resources/request-schemas.ts';
import { routes } from '../../src/resources/routes.ts';
import { resourceSchemas } from '../../src/resources/schemas.ts';
import { collectionDescription, type Method, methodOf } from './client-methods.ts';
import { kindInWords, type Operation, operations, pluralOf } from './collections.ts';
import { descriptionOf } from './compiler.ts';
import { describeFields, describeParameters } from './describe-fields.ts';
import { summaryOf } from './doc-comments.ts';
import type { Examples } from './examples.ts';
import { withForms } from './exclusive-forms.ts';
import { components, type Json, refTo, toJsonSchema } from './json-schema.ts';
import { listParametersOf, pageOf } from './pages.ts';
import { refusalsOf } from './refusals.ts';
import { fieldsOf } from './source-types.ts';

function idParameter({ name, collection }: Operation, { success }: Examples): Json {
  const kind = kindInWords(collectionObjects[collection]);
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of ${kind}.`,
    schema: { type: 'string' },
    example: success(name).id,
  };
}

const jsonContent = (schema: Json, example: unknown) => ({
  content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
});

function resultOf({ returns }: Operation): Json {
  if (returns.as === 'deletion') return refTo('schemas', 'deletion');
  const component = components.get(resourceSchemas[returns.object]) ?? '';
  return returns.as === 'page' ? pageOf(component) : refTo('schemas', component);
}

function resultInWords({ returns, collection }: Operation): string {
  if (returns.as === 'page') return `A page of ${pluralOf(collection)}.`;
  const kind = kindInWords(returns.object);
  return returns.as === 'deletion'
    ? `The deletion of ${kind}.`
    : `${kind[0]?.toUpperCase()}${kind.slice(1)}.`;
}

function bodyOf(operation: Operation, method: Method, { success }: Examples): Json {
  const schema = requestSchema(operation.name);
  if (schema === undefined) return {};
  const { paramsDescription: description, fields, forms } = method;
  const body = { description, ...withForms(describeParameters(toJsonSchema(schema), fields), forms) };
  const { request = {} } = success(operation.name);
  return { requestBody: { required: true, ...jsonContent(body, request) } };
}

function parametersFor(operation: Operation, examples: Examples): readonly Json[] {
  const { method, path } = routes[operation.name];
  return [
    ...(path.includes('{id}') ? [idParameter(operation, examples)] : []),
    ...(operation.returns.as === 'page' ? listParametersOf(operation.collection) : []),
    ...(method === 'POST' ? [refTo('parameters', 'idempotency_key')] : []),
  ];
}

/** Returns a doc comment, with the object kind if the comment is shared by all collections. */
const withKind = (description: string, { collection }: Operation): string =>
  description
    .replace(/\b(?:an|one) object\b/, kindInWords(collectionObjects[collection]))
    .replace(/\bobjects\b/, pluralOf(collection));

function describe(operation: Operation, examples: Examples): Json {
  const route = routes[operation.name];
  const method = methodOf(operation.name);
  const description = withKind(method.description, operation);
  const replayed = { headers: { 'Idempotent-Replayed': refTo('headers', 'idempotent_replayed') } };
  const { response } = examples.success(operation.name);
  return {
    // Generators of clients use it as the method name.
    operationId: operation.name.replace('.', '_'),
    summary: summaryOf(description),
    description,
    tags: [operation.collection],
    'x-source': route.source,
    'x-moves-money': route.movesMoney,
    parameters: parametersFor(operation, examples),
    ...bodyOf(operation, method, examples),
    responses: {
      200: {
        description: resultInWords(operation),
        ...(route.method === 'POST' && replayed),
        ...jsonContent(resultOf(operation), response),
      },
      ...refusalsOf(route),
    },
  };
}

/** Returns a tag per collection, with the client's description of it. */
export const collectionTags = (): readonly Json[] =>
  collectionNames.map((name) => ({ name, description: collectionDescription(name) }));

export function resourcePaths(examples: Examples): Readonly<Record<string, Json>> {
  const all: Record<string, Json> = {};
  for (const operation of operations) {
    const { method, path } = routes[operation.name];
    all[path] = { ...all[path], [method.toLowerCase()]: describe(operation, examples) };
  }
  return all;
}

/** Returns the resources and the result of a deletion as components. */
export function resourceComponents(): Json {
  const resources = fieldsOf('src/resources/resource-types.ts', 'Resources');
  const open = `${summaryOf(descriptionOf('src/resources/objects/open-resource.ts', 'UntypedResource'))}.`;
  const all = Object.entries(resourceSchemas).map(([name, schema]) => {
    const { description = '', fields = [] } = resources.find((resource) => resource.name === name) ?? {};
    const body = describeFields(toJsonSchema(schema), fields);
    return [components.get(schema) ?? name, { description: description || open, ...body }] as const;
  });
  const deletion = {
    type: 'object',
    properties: { id: { type: 'string' }, deleted: { type: 'boolean' } },
    required: ['id'],
    additionalProperties: {},
  };
  return {
    ...Object.fromEntries(all),
    deletion: {
      description: descriptionOf('src/resources/collection.ts', 'Deleted'),
      ...describeFields(deletion, fieldsOf('src/resources/collection.ts', 'Deleted')),
    },
  };
}
