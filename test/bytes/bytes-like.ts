/** Bytes close to those of a corpus, and bytes unlike any of them. */

import fc from 'fast-check';
import { jsonValues, rarely, strangeNames } from './dimensions.ts';
import { parsed } from './service.ts';
import { words } from './words.ts';

/** Meaningful somewhere, but rarely where it is inserted. */
const anywhere = [
  '9'.repeat(400),
  'a'.repeat(9000),
  '\r\n',
  ...words(
    '__proto__ constructor null true -1 0 1e999 " \\ { } [ ] , : ; & = % + ../ %2e%2e %00 <!-- é 🍵 ␣',
  ),
  ...words('\0 \n \u2028 \uFEFF \u001b[2J'),
].map((text) => Buffer.from(text));

const nothing = Buffer.alloc(0);

/** A place in bytes of any length. */
const place = fc.nat(0xffff);

/** One change of some bytes. */
type Edit = (bytes: Buffer) => Buffer;

/** How to change bytes. */
export interface Language {
  /** Inputs to change. */
  readonly corpus: readonly Buffer[];
  /** The words that sentences consist of. */
  readonly vocabulary: readonly string[];
  /** What stands between whole words. If given, most changes remove and insert whole words. */
  readonly separator?: string | undefined;
}

/** Replaces some bytes by others, or removes them, or only inserts. */
function replacement({ corpus, vocabulary, separator = '' }: Language): fc.Arbitrary<Edit> {
  const word = fc.constantFrom(...vocabulary).map((text) => Buffer.from(separator + text));
  const part = fc
    .tuple(fc.constantFrom(...corpus), place, fc.nat(60))
    .map(([other, from, length]) => other.subarray(from % (other.length + 1)).subarray(0, length));
  const inserted = fc.oneof(
    { withCrossShrink: true },
    fc.constant(nothing),
    fc.nat(255).map((byte) => Buffer.of(byte)),
    { weight: separator === '' ? 1 : 8, arbitrary: word },
    fc.constantFrom(...anywhere),
    part,
  );
  const removed = fc.oneof({ weight: 3, arbitrary: fc.nat(4) }, place);
  return fc.tuple(place, removed, inserted).map(([at, length, bytes]) => (original) => {
    let from = at % (original.length + 1);
    let to = from + (length % (original.length + 1));
    if (separator !== '' && length % 4 > 0) {
      from = Math.max(0, original.lastIndexOf(separator, from));
      to = length % 4 === 1 ? original.indexOf(separator, from + 1) : from;
      if (to === -1) to = original.length;
    }
    return Buffer.concat([original.subarray(0, from), bytes, original.subarray(to)]);
  });
}

/** Flips a bit. */
const flip: fc.Arbitrary<Edit> = fc.tuple(place, fc.nat(7)).map(([at, bit]) => (original) => {
  const flipped = Buffer.from(original);
  const index = at % Math.max(1, flipped.length);
  if (index < flipped.length) flipped[index] = (flipped[index] ?? 0) ^ (1 << bit);
  return flipped;
});

/** Repeats the end of the bytes from a place on, such as a field that comes twice. */
const twin: fc.Arbitrary<Edit> = fc.tuple(place, place).map(([from, at]) => (original) => {
  const size = original.length + 1;
  return Buffer.concat([original.subarray(0, at % size), original.subarray(from % size)]);
});

/** Every value inside a JSON value, by its holder and its name. */
function places(holder: unknown, depth = 0): (readonly [holder: object, name: string])[] {
  if (typeof holder !== 'object' || holder === null || depth > 20) return [];
  return Object.entries(holder).flatMap(([name, value]) => [
    [holder, name] as const,
    ...places(value, depth + 1),
  ]);
}

/** Replaces one value of a JSON text, at any depth, or removes it, or gives it another name. */
const restructured: fc.Arbitrary<Edit> = fc
  .tuple(place, fc.option(jsonValues, { nil: undefined }), rarely(strangeNames, 3))
  .map(([at, value, otherName]) => (original) => {
    const json = parsed(original);
    const all = places(json);
    const [holder, name = ''] = all[at % all.length] ?? [];
    if (holder === undefined) return original;
    if (otherName !== undefined && !Array.isArray(holder))
      Reflect.set(holder, otherName, Reflect.get(holder, name));
    if (value === undefined) Reflect.deleteProperty(holder, name);
    else Reflect.set(holder, name, value);
    return Buffer.from(JSON.stringify(json));
  });

/**
 * Returns bytes of three kinds: an entry of the corpus with one to four changes, a sentence of the vocabulary, and any
 * bytes. The first shrinks towards its entry, the others towards nothing.
 */
export function bytesLike(language: Language): fc.Arbitrary<Buffer> {
  const { corpus, vocabulary, separator = '' } = language;
  const edits = fc.array(
    fc.oneof(
      { weight: 7, arbitrary: replacement(language) },
      { weight: 4, arbitrary: restructured },
      { weight: 2, arbitrary: flip },
      twin,
    ),
    { minLength: 1, maxLength: 4, size: 'max' },
  );
  const mutant = fc
    .tuple(edits, fc.noShrink(fc.constantFrom(...corpus)))
    .map(([changes, entry]) => changes.reduce((bytes, change) => change(bytes), entry));
  const vocables = vocabulary.map((word) => Buffer.from(word + separator));
  const sentence = fc
    .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...vocables) }, fc.constantFrom(...anywhere)), {
      maxLength: 16,
      size: 'max',
    })
    .map((parts) => Buffer.concat(parts));
  const raw = fc.uint8Array({ maxLength: 64, size: 'max' }).map((bytes) => Buffer.from(bytes));
  return fc.oneof({ weight: 15, arbitrary: mutant }, { weight: 4, arbitrary: sentence }, raw);
}
