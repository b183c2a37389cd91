/** The source of a code's meaning: `shown` in the service's interface, `inferred` from the card industry, or `unknown`. */
export type CodeSource = 'shown' | 'inferred' | 'unknown';
