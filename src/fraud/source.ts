/**
 * Where the meaning of a code comes from: `shown` in the service's interface, `inferred` from its meaning elsewhere in
 * the card industry, or `unknown`.
 */
export type CodeSource = 'shown' | 'inferred' | 'unknown';
