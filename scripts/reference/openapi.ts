/** Writes `openapi.json` (OpenAPI 3.1) from the table of routes, the SDK's own schemas, and its doc comments. */

import manifest from '../../package.json' with { type: 'json' };
import { recordExamples } from './examples.ts';
import { formComponents, formPath } from './form-endpoint.ts';
import { keyParameter, replayedHeader } from './idempotency-key.ts';
import type { Json } from './json-schema.ts';
import { listParameters } from './pages.ts';
import { errorSchema, refusalResponses } from './refusals.ts';
import { collectionTags, resourceComponents, resourcePaths } from './resource-api.ts';
import { eventComponent, webhooks } from './webhooks.ts';

const scriptPath: Json = {
  get: {
    operationId: 'gateway_script',
    summary: 'The script for browsers',
    description:
      'The script for browsers. Its global `Gateway` collects device data for fraud scoring and runs 3-D Secure. Its content type is not shown.',
    tags: ['browser'],
    security: [],
    'x-source': 'shown',
    responses: {
      200: { description: 'The script.', content: { 'text/javascript': { schema: { type: 'string' } } } },
    },
  },
};

const tags = (): readonly Json[] => [
  ...collectionTags(),
  { name: 'transact', description: 'Card sales by the form endpoint.' },
  { name: 'browser', description: 'The scripts that a page of the shop loads.' },
  { name: 'webhooks', description: 'Events that the service sends to your endpoints.' },
];

const server: Json = {
  url: '{base_url}',
  description: 'The service. It has no default host.',
  variables: {
    base_url: { default: 'http://localhost', description: 'The address that your provider names.' },
  },
};

export async function writeOpenApi(): Promise<string> {
  const examples = await recordExamples();
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'The payment service, as payments-client understands it',
      version: manifest.version,
      description:
        'Generated from the SDK. Items marked `x-source: shown` are in the interface of the service. Items marked `inferred` follow the pattern of the shown ones. `x-inferred` lists what is inferred of a shown item: keywords of its schema, that a field may be `optional` or `null`, or which fields are `required`. An enumeration lists the values that occur, and the service may add others; `x-inferred-values` names the values that are not shown. Every example of a response is an object, an error or an event of the sandbox of the SDK.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [server],
    security: [{ secretKey: [] }],
    tags: tags(),
    paths: {
      ...resourcePaths(examples),
      '/api/transact.php': formPath(examples),
      '/js/Gateway.js': scriptPath,
    },
    webhooks: webhooks(examples),
    components: {
      schemas: {
        ...resourceComponents(),
        ...formComponents(examples),
        event: eventComponent(),
        error: errorSchema,
      },
      parameters: { ...listParameters, idempotency_key: keyParameter(examples) },
      headers: { idempotent_replayed: replayedHeader },
      responses: refusalResponses(examples),
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A secret key. Test keys start with `sk_v1_test_`.',
        },
      },
    },
  };
  return `${JSON.stringify(document)}\n`;
}
