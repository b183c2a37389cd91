import * as s from '../base/schema.ts';

import type { CollectionDefinition } from './collection.ts';
import type { IdKind } from './ids.ts';

/**
 * A resource whose fields the interface does not show: the fields that every resource has, and all others kept. Read
 * them with `unknownField`, or give the collection a schema of your own with `withSchema`.
 */
export interface OpenResource {
  /** The id (*shown* for every resource). */
  readonly id: string;
  /** The type's name (*shown* for every resource); absent where the service leaves it out. */
  readonly object?: string | undefined;
  /** Whether it is live (*shown* for every resource); absent where the service leaves it out. */
  readonly livemode?: boolean | undefined;
}

/** Parameters whose names the interface does not show. They are sent as they are, as JSON. */
export type OpenParams = Readonly<Record<string, unknown>>;

/** The fields that every resource has; all others pass. */
export const openResourceSchema: s.Schema<OpenResource> = s.object({
  id: s.string(),
  object: s.optional(s.string()),
  livemode: s.optional(s.boolean()),
});

/** Any parameters. */
export const openParamsSchema: s.Schema<OpenParams> = s.object({});

/** What a collection is whose fields are not shown. */
export function openCollection(
  name: string,
  object: string,
  idKind?: IdKind,
): CollectionDefinition<OpenResource> {
  return {
    name,
    object,
    plurals: [`${object}s`, name],
    idKind,
    schema: openResourceSchema,
  };
}
