/** `AbortSignal` by way of the consumer's own globals, so that the declarations compile with the DOM's types and without. */
export type WebAbortSignal =
  typeof globalThis extends Record<'AbortSignal', { prototype: infer Type }> ? Type : never;
