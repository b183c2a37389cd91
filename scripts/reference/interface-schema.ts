/** Writes `interface.schema.json`, with which an editor checks and completes `payments.interface.json`. */

import { routes } from '../../src/resources/routes.ts';
import { serviceInterfaceFields } from '../../src/resources/service/service-interface.ts';
import { type Json, toJsonSchema } from './json-schema.ts';
import { fieldsOf } from './source-types.ts';

/** A correction of each route: the same placeholders, under another path or with another HTTP method. */
const routesSchema: Json = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(routes).map(([name, { method, path }]) => [
      name,
      {
        type: 'string',
        pattern: `^(GET|POST|PUT|PATCH|DELETE) /[!-~]*${path.includes('{id}') ? '\\{id\\}[!-~]*' : ''}$`,
        default: `${method} ${path}`,
      },
    ]),
  ),
};

/** Names of parameters for each method. */
const extraParametersSchema: Json = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.keys(routes).map((name) => [name, { type: 'array', items: { type: 'string', minLength: 1 } }]),
  ),
};

/** The fields that a function of the package checks, with the table of routes. */
const byRoute: Readonly<Record<string, Json>> = {
  routes: routesSchema,
  extraParameters: extraParametersSchema,
};

export function writeInterfaceSchema(): string {
  const described = fieldsOf('src/resources/service/service-interface.ts', 'ServiceInterface').map(
    ({ name, description }) => {
      const schema = Object.entries(serviceInterfaceFields()).find(([field]) => field === name)?.[1];
      if (schema === undefined) throw new Error(`Expected a schema of the field '${name}', got none.`);
      return [name, { description, ...(byRoute[name] ?? toJsonSchema(schema)) }];
    },
  );
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The forms of a payment service that its interface does not show',
    type: 'object',
    additionalProperties: false,
    required: ['version'],
    properties: Object.fromEntries(described),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
