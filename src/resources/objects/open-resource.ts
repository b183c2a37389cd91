import * as s from '../../base/schema/schema.ts';
import type { CollectionDefinition } from '../collection.ts';
import type { UnknownFields } from '../fields/common.ts';
import { type Id, type IdKind, id } from '../fields/ids.ts';

/**
 * A resource whose fields the interface does not show. It has the fields of every resource, and keeps all others. Read
 * those with `unknownField`, or pass your own schema to `withSchema` of the collection.
 */
export interface UntypedResource<ObjectId extends string = string> {
  /** The id (*shown* for objects of a list, which `next_cursor` names). */
  readonly id: ObjectId;
  /** The type's name (*shown* for every resource). */
  readonly object: string;
  /** True if it is live (*shown* for every resource). */
  readonly livemode: boolean;
}

function openSchema<ObjectId extends string>(
  objectId: () => s.Schema<ObjectId>,
): s.Schema<UntypedResource<ObjectId>> {
  return s.lazily(() => s.object({ id: objectId(), object: s.string(), livemode: s.boolean() }));
}

/** The fields that every resource has; all others pass. */
export const openResourceSchema: s.Schema<UntypedResource> = /* @__PURE__ */ openSchema(() => s.string());

/** The same fields of a resource whose id has a prefix that is shown. */
export function prefixedResourceSchema<Kind extends IdKind>(kind: Kind): s.Schema<UntypedResource<Id<Kind>>> {
  return openSchema(() => id(kind));
}

/** Any parameters. */
export const openParamsSchema: s.Schema<UnknownFields> = /* @__PURE__ */ s.lazily(() => s.object({}));

/** A collection whose fields and ids are not shown. */
export function openCollection(name: string, object: string): CollectionDefinition<UntypedResource> {
  return { name, object, plurals: [`${object}s`, name], schema: openResourceSchema };
}

/** A collection whose fields are not shown, but the prefix of its ids is. */
export function prefixedCollection<Kind extends IdKind>(
  name: string,
  kind: Kind,
): CollectionDefinition<UntypedResource<Id<Kind>>> {
  return {
    name,
    object: kind,
    plurals: [`${kind}s`, name],
    idKind: kind,
    schema: prefixedResourceSchema(kind),
  };
}
