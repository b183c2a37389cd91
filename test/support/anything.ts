/** Stands in for callers without types. */
export const anything = (value: unknown) => value as never;
