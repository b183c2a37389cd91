/** Writes `openapi.json` (OpenAPI 3.1) from the table of routes and the schemas that the SDK itself uses. */

import * as z from 'zod/mini';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import type { Schema } from '../../src/base/schema.ts';
import { version } from '../../src/base/version.ts';
import { routes } from '../../src/resources/routes.ts';
import { resourceSchemas } from '../../src/resources/schemas.ts';
import { idempotencyCodes } from '../../src/sandbox/api/faults/idempotency-errors.ts';
import { saleSchema, submitSchema } from '../../src/transact/params.ts';
import { type Operation, operations } from './collections.ts';
import { requestSchema } from './request-schemas.ts';

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

const verbs = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/** The page's field with the items is not shown; `data` is the first that the SDK looks for. */
function pageOf(schema: Schema<unknown>) {
  return z.looseObject({ data: z.array(schema), has_more: z.boolean(), next_cursor: z.optional(z.string()) });
}

const deletion = z.looseObject({ id: z.string(), deleted: z.optional(z.boolean()) });

/** The shape of an error is not shown, so any JSON is one. */
const refusal = {
  id: 'refusal',
  description: 'A refusal. Its body is not shown.',
  content: { 'application/json': { schema: z.unknown() } },
};

/** Parameters that many operations share are there once. */
const shared = (id: string) => z.meta({ param: { id } });

const objectId = z.string().check(shared('id'));

const listQuery = z.object({
  limit: z
    .optional(z.int().check(z.minimum(1)))
    .check(z.meta({ param: { id: 'limit' }, default: 20, description: 'At most 100 beside `offset`.' })),
  starting_after: z.optional(z.string()).check(shared('starting_after')),
  offset: z.optional(z.int().check(z.minimum(0))).check(shared('offset')),
});

function responseSchema({ gives }: Operation) {
  if (gives.as === 'deletion') return deletion;
  const schema = resourceSchemas[gives.object];
  return gives.as === 'page' ? pageOf(schema) : schema;
}

/** The service takes a key, and does not ask for one. */
const idempotencyKey = z
  .optional(z.string().check(z.minLength(1), z.maxLength(255)))
  .check(shared('idempotency_key'));

const replayed = z.optional(z.literal('true')).check(
  z.meta({
    header: { id: 'idempotent_replayed' },
    description: 'The result of an earlier request with the same key.',
  }),
);

/** The codes are shown, and neither their statuses nor the bodies that they stand in. */
const keyRefusal = {
  id: 'refusal_of_a_key',
  description: `A refusal, perhaps of the idempotency key: ${idempotencyCodes.join(', ')}. Its body is not shown.`,
  content: { 'application/json': { schema: z.unknown() } },
};

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { method, path, source, movesMoney } = routes[operation.name];
  const body = requestSchema(operation.name);
  return {
    // The method, as far as generators of clients take it for a name.
    operationId: operation.name.replace('.', '_'),
    tags: [operation.collection],
    'x-source': source,
    'x-moves-money': movesMoney,
    requestParams: {
      ...(path.includes('{id}') && { path: z.object({ id: objectId }) }),
      ...(operation.gives.as === 'page' && { query: listQuery }),
      ...(method === 'POST' && { header: z.object({ 'Idempotency-Key': idempotencyKey }) }),
    },
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: responseSchema(operation) } },
        ...(method === 'POST' && { headers: z.object({ 'Idempotent-Replayed': replayed }) }),
      },
      default: method === 'POST' ? keyRefusal : refusal,
    },
  };
}

/** The form as it is sent: the SDK's parameters have no credential, and the SDK adds it. */
const form = z.extend(submitSchema, {
  security_key: z.string().check(z.minLength(1), z.meta({ writeOnly: true, description: 'The credential.' })),
});

/** The form endpoint: the key is a field of the form, and every answer is a 200. */
const transact: ZodOpenApiOperationObject = {
  operationId: 'transact_submit',
  security: [],
  tags: ['transact'],
  'x-source': 'shown',
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema: form },
      'multipart/form-data': { schema: form },
    },
  },
  responses: {
    200: {
      description: 'Approved where the field `response` is 1. The encoding is not shown.',
      content: { 'text/html': { schema: z.string() } },
    },
  },
};

function paths(): ZodOpenApiPathsObject {
  const all: Record<string, Partial<Record<Verb, ZodOpenApiOperationObject>>> = {};
  for (const operation of operations) {
    const { method, path } = routes[operation.name];
    all[path] = { ...all[path], [verbs[method]]: describe(operation) };
  }
  return { ...all, '/api/transact.php': { post: transact } };
}

/** The names of the schemas that only one kind of resource has, as components. */
function components() {
  const named = Object.entries(resourceSchemas).filter(
    ([, schema], index, all) => all.findIndex(([, other]) => other === schema) === index,
  );
  return Object.fromEntries(
    named.map(([name, schema]) => [name === 'product' ? 'open_resource' : name, schema]),
  );
}

/** That an integer is exact in JavaScript is no bound of the service. */
function dropSafeIntegerBounds(schema: { minimum?: unknown; maximum?: unknown }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

const override: ZodOpenApiOverride = ({ jsonSchema, zodSchema }) => {
  dropSafeIntegerBounds(jsonSchema);
  // zod's own name of a check, which no reader of the description knows.
  if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
  // The SDK keeps fields that it does not know, and zod calls an object closed that names no others.
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) jsonSchema.additionalProperties = {};
};

/** The text of `openapi.json`. */
export function writeOpenApi(): string {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'The payment service, as payments-client understands it',
        version,
        description:
          'Generated from the SDK. Operations marked x-source: shown stand in the interface of the service; those marked inferred follow the pattern which the shown ones set.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://localhost' } } }],
      security: [{ secretKey: [] }],
      paths: paths(),
      components: {
        schemas: { ...components(), sale: saleSchema },
        securitySchemes: { secretKey: { type: 'http', scheme: 'bearer' } },
      },
    },
    { override },
  );
  return `${JSON.stringify(document, null, 2)}\n`;
}
