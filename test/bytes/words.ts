/** Returns the words of a text. A `␣` in a word is a blank. */
export const words = (text: string): readonly string[] =>
  text
    .trim()
    .split(/(?:\n? +)/)
    .map((word) => word.replaceAll('␣', ' '));
