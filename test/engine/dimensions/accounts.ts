import fc from 'fast-check';

/**
 * Whose: how journals share a store. One merchant; one that names its account after a while; one whose keys are rotated,
 * with or without a named account; two merchants with the same ids, with or without one.
 */
export const sharings = [
  'alone',
  'named later',
  'rotated named',
  'rotated unnamed',
  'two named',
  'two unnamed',
] as const;

export type Sharing = (typeof sharings)[number];

export interface AccountsPlan {
  readonly sharing: Sharing;
  /** When the keys are rotated, in ms. */
  readonly rotatesAt: number;
}

export const accounts: fc.Arbitrary<AccountsPlan> = fc.record({
  sharing: fc.constantFrom<Sharing>('alone', 'alone', ...sharings),
  // Half of the time while the first calls are at work.
  rotatesAt: fc.nat(400_000).map((at) => (at % 2 === 0 ? at : Math.floor(at / 200))),
});
