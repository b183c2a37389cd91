/**
 * Compares two well-formed texts by their code points, as databases compare UTF-8 byte by byte. `<` compares UTF-16, in which an emoji comes
 * before some letters of the basic plane.
 */
export function compareCodePoints(one: string, other: string): number {
  for (let index = 0; index < one.length && index < other.length; index += 1) {
    const difference = (one.codePointAt(index) ?? 0) - (other.codePointAt(index) ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
