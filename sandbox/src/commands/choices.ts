export interface Choices<Word extends string = string> {
  /** Describes one of them. */
  readonly what: string;
  readonly words: readonly Word[];
  /** Words that somebody may write instead, with ours. */
  readonly others?: Readonly<Record<string, Word>>;
}
