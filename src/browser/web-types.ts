/** A type of the consumer's globals, so that the declarations compile with and without the DOM's types. */
type Global<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : never;

/** `Element` of the page. */
export type WebElement = Global<'Element'>;
