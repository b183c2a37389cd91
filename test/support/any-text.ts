import fc from 'fast-check';

/** Any code points, lone surrogates among them. The unit `binary` of fast-check first spends a second on a table. */
export function anyText(lengths: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  return fc
    .array(fc.integer({ min: 0, max: 0x10ffff }), lengths)
    .map((codePoints) => String.fromCodePoint(...codePoints));
}
