/**
 * A type without a name of its own. Where a package exports what a function of ours returns, its declarations contain
 * the type itself: they cannot import a name that no entry exports (TS2883).
 */
export type Inline<T> = { readonly type: T }['type'];
