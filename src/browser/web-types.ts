/** A type of the consumer's own globals, so that the declarations compile with the DOM's types and without. */
type Global<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : never;

/** `AbortSignal` of the runtime. */
export type WebAbortSignal = Global<'AbortSignal'>;

/** `Element` of the page. */
export type WebElement = Global<'Element'>;
