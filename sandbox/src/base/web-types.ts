/**
 * Web types, taken from the consumer's own globals, so that declarations compile with the DOM library, with Node's types, or with
 * neither.
 */
type Global<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : unknown;

export type WebRequest = Global<'Request'>;
export type WebResponse = Global<'Response'>;
