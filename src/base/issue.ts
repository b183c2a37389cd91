/** One value that is not what it should be. */
export interface Issue {
  /** Where the value is, for example `line_items[0].amount`; `(root)` for the whole value. */
  readonly path: string;
  /** What was expected there, in words. */
  readonly expected: string;
  /** What came, in words. A value that may be secret is described, never repeated. */
  readonly received: string;
}
