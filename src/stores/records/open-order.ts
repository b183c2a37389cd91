import type { OpenClaim } from '../store.ts';

/** Returns the space of a key: the part before its first `/`. */
export function spaceOf(key: string): string {
  return key.slice(0, `${key}/`.indexOf('/'));
}

/** What orders an open claim. */
export type OpenPlace = Pick<OpenClaim, 'since' | 'key'>;

/** Compares open claims by age, the oldest first, and then by the code points of their keys. */
export function compareOpen(one: OpenPlace, other: OpenPlace): number {
  return one.since - other.since || compareCodePoints(one.key, other.key);
}

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
