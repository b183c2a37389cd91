/**
 * Where the meaning of a code comes from: `shown` in the service's interface, `inferred` from what the code means
 * elsewhere in the card industry, or `unknown`, where neither lists it.
 */
export type CodeSource = 'shown' | 'inferred' | 'unknown';
