import { meantBy } from '../../base/nearest.ts';

export interface Choices<Word extends string = string> {
  /** Describes one of them. */
  readonly what: string;
  readonly words: readonly Word[];
  /** Words that somebody may write instead, with ours. */
  readonly others?: Readonly<Record<string, Word>>;
}

/** Returns a hint for an unknown word, ` (did you mean 'x'?)`, or an empty text if no known word is near. */
export function hintFor(word: string, { words, others = {} }: Choices): string {
  return Object.hasOwn(others, word) ? ` (did you mean '${others[word]}'?)` : meantBy(word, words);
}
