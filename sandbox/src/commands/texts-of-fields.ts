import * as s from '../base/schema.ts';
import { resourceSchemas, schemaFor } from '../sdk.ts';

/** Every kind of object has metadata, also where the interface shows no other field. */
const withMetadata = s.object({ metadata: s.optional(s.texts()) });

const schemas: Readonly<Record<string, s.Schema<unknown>>> = resourceSchemas;

/** Replaces each number, `true` and `false` by its text where the schema takes a string. */
function writeTexts(schema: s.Schema<unknown>, value: object): void {
  for (const path of s.stringPaths(schema, value)) {
    const parent = path.slice(0, -1).reduce<object>((within, name) => Reflect.get(within, name), value);
    const name = path.at(-1) ?? '';
    const given: unknown = Reflect.get(parent, name);
    if (typeof given === 'number' || typeof given === 'boolean') Reflect.set(parent, name, String(given));
  }
}

/**
 * Returns the arguments with fields of this kind of object. Who types `phone=5550100` cannot know that it reads as a number: where the schema
 * takes a string, it is that text.
 */
export function withTextsOfKind<Args extends { readonly kind: string; readonly fields?: object | undefined }>(
  args: Args,
): Args {
  if (args.fields === undefined) return args;
  const fields = structuredClone(args.fields);
  const schema = Object.hasOwn(schemas, args.kind) ? schemas[args.kind] : undefined;
  writeTexts(withMetadata, fields);
  if (schema !== undefined) writeTexts(schema, fields);
  return { ...args, fields };
}

/** Returns the arguments with fields of the object of this type of event, in the same way. */
export function withTextsOfEvent<
  Args extends { readonly type: string; readonly fields?: object | undefined },
>(args: Args): Args {
  const schema = schemaFor(args.type);
  if (args.fields === undefined || schema === undefined) return args;
  const fields = structuredClone(args.fields);
  writeTexts(schema, { data: { object: fields } });
  return { ...args, fields };
}
