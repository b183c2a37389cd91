/**
 * Web types, taken from the consumer's own globals, so that declarations compile with the DOM library, with
 * Node's types, or with neither.
 */
type Global<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : unknown;

/** `Headers` of the runtime. */
export type WebHeaders = Global<'Headers'>;
/** `Request` of the runtime. */
export type WebRequest = Global<'Request'>;
/** `Response` of the runtime. */
export type WebResponse = Global<'Response'>;
/** `AbortSignal` of the runtime. */
export type WebAbortSignal = Global<'AbortSignal'>;
