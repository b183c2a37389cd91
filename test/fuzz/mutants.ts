/** Inputs close to those of a corpus, and inputs unlike any of them. */

import { type Draw, pick } from '../support/draws.ts';

/** Bytes that are meaningful somewhere, but rarely where they are inserted. */
const anywhere = [
  '__proto__',
  'constructor',
  'null',
  'true',
  '-1',
  '0',
  '1e999',
  '9'.repeat(400),
  '\u0000',
  '\r\n',
  '\n',
  ' ',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ';',
  '&',
  '=',
  '%',
  '+',
  '../',
  '%2e%2e',
  '%00',
  '<!--',
  'é',
  '🍵',
  '\u2028',
  '\uFEFF',
  '\u001b[2J',
  'a'.repeat(9000),
].map((text) => Buffer.from(text));

function insertion(
  draw: Draw,
  original: Buffer,
  words: readonly Buffer[],
  others: readonly Buffer[],
): Buffer {
  switch (draw(6)) {
    case 0:
      return Buffer.of(draw(256));
    case 1:
      return pick(draw, anywhere);
    case 2:
      return pick(draw, words);
    case 3:
      return original.subarray(draw(original.length + 1));
    case 4: {
      const other = pick(draw, others);
      const from = draw(other.length + 1);
      return other.subarray(from, from + draw(60));
    }
    default:
      return Buffer.alloc(0);
  }
}

/** Replaces a part with other bytes, or removes it. */
function cut(draw: Draw, original: Buffer, words: readonly Buffer[], others: readonly Buffer[]): Buffer {
  const from = draw(original.length + 1);
  const to = Math.min(original.length, from + draw(draw(4) === 0 ? original.length + 1 : 4));
  const inserted = insertion(draw, original, words, others);
  return Buffer.concat([original.subarray(0, from), inserted, original.subarray(to)]);
}

function flip(draw: Draw, original: Buffer): Buffer {
  const flipped = Buffer.from(original);
  const at = draw(flipped.length);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << draw(8));
  return flipped;
}

/** Returns an input with one to four changes. */
export function mutantOf(
  draw: Draw,
  original: Buffer,
  words: readonly Buffer[],
  others: readonly Buffer[],
): Buffer {
  let mutant = original;
  for (let times = 1 + draw(4); times > 0; times -= 1) {
    mutant = draw(5) === 0 && mutant.length > 0 ? flip(draw, mutant) : cut(draw, mutant, words, others);
  }
  return mutant;
}

/** Returns an input built from the parser's vocabulary, or from random bytes. */
export function sentenceOf(draw: Draw, words: readonly Buffer[]): Buffer {
  if (draw(5) === 0) return Buffer.from(Array.from({ length: draw(64) }, () => draw(256)));
  const size = 1 + draw(16);
  return Buffer.concat(Array.from({ length: size }, () => pick(draw, draw(6) === 0 ? anywhere : words)));
}
