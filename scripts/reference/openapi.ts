/** Writes `openapi.json` (OpenAPI 3.1) from the table of routes, the schemas that the SDK itself uses, and its doc comments. */

import { version } from '../../src/base/version.ts';
import { formComponents, formPath } from './form-endpoint.ts';
import { keyParameter, keyRefusals, refusal, replayedHeader } from './idempotency.ts';
import type { Json } from './json-schema.ts';
import { listParameters } from './pages.ts';
import { idParameter, resourceComponents, resourcePaths } from './resource-api.ts';
import { webhooks } from './webhooks.ts';

/** The script for browsers. */
const scriptPath: Json = {
  get: {
    operationId: 'gateway_script',
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

/** The text of `openapi.json`. */
export function writeOpenApi(): string {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'The payment service, as payments-client understands it',
      version,
      description:
        'Generated from the SDK. What is marked `x-source: shown` stands in the interface of the service. What is marked `inferred` follows the pattern of what is shown. An enumeration lists the values that occur, and the service may add others; `x-inferred-values` names those of them that are not shown.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://localhost' } } }],
    security: [{ secretKey: [] }],
    paths: { ...resourcePaths(), '/api/transact.php': formPath, '/js/Gateway.js': scriptPath },
    webhooks: webhooks(),
    components: {
      schemas: { ...resourceComponents(), ...formComponents() },
      parameters: { ...listParameters, id: idParameter, idempotency_key: keyParameter },
      headers: { idempotent_replayed: replayedHeader },
      responses: { refusal, ...keyRefusals },
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A secret key. Those of the test mode begin with `sk_v1_test_`.',
        },
      },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
