/** Reaches inside: the schemas of resources are not public, and a resource must conform to its whole schema. */

import { conforms, issuesOf } from '../../src/base/schema/validation.ts';
import type { Resource, ResourceName } from '../../src/resources/resource-types.ts';
import { resourceSchemas } from '../../src/resources/schemas.ts';

/** Returns the value as a resource of a kind. Fails if it does not conform to that schema. */
export function parse<Name extends ResourceName>(name: Name, value: unknown): Resource<Name> {
  const schema = resourceSchemas[name];
  if (conforms(schema, value)) return value;
  throw new Error(`The value does not conform: ${JSON.stringify(issuesOf(schema, value), null, 2)}`);
}
