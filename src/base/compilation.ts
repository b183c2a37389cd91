/** Compiles the schemas that are used often. */

import type { $ZodType, compile } from 'zod/v4/core';

/** A first compilation takes some 10 ms, so it must not slow the first calls of a program. */
const worthCompiling = 200;

let compileSchema: typeof compile | undefined;

/**
 * Turns compilation on. The entries of Node alone do: in a bundle the compiler would be large, and the edge runs no generated code. Where Node
 * may not run it either, zod's compiler returns the schema as it is.
 */
export function useCompiler(compiler: typeof compile): void {
  compileSchema = compiler;
}

interface Usage {
  count: number;
  fastest: $ZodType;
}

const usages = new WeakMap<$ZodType, Usage>();

/** Returns the form of a schema that checks fastest. Its verdicts are the same. */
export function fastest(schema: $ZodType): $ZodType {
  if (compileSchema === undefined) return schema;
  let usage = usages.get(schema);
  if (usage === undefined) {
    usage = { count: 0, fastest: schema };
    usages.set(schema, usage);
  }
  usage.count += 1;
  if (usage.count === worthCompiling) usage.fastest = compileSchema(schema);
  return usage.fastest;
}
