/**
 * Compares two well-formed texts by code point, as databases compare UTF-8 by byte. `<` compares UTF-16 units, which
 * sorts an emoji before some letters of the basic plane.
 */
export function compareCodePoints(one: string, other: string): number {
  for (let index = 0; index < one.length && index < other.length; index += 1) {
    const difference = (one.codePointAt(index) ?? 0) - (other.codePointAt(index) ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
