import fc from 'fast-check';

/**
 * A fault of one step. Its address is the call, the place and the number of the step there, so leaving one fault out
 * moves no other. A fault at a step that never happens does nothing, and shrinking removes it.
 */
export interface Fault {
  /** The number of the call, from 1. */
  readonly call: number;
  /** The place: `network`, `step`, `waits`, `handler`, `delivery`, or a method of the store. */
  readonly at: string;
  /** How many steps of the call at this place come before, from 0. */
  readonly nth: number;
  readonly fault: string;
  /** How long it lasts, from 0 to 999. */
  readonly size: number;
}

/** How many calls of an operation may have faults. After that there are none, and it must end. */
export const troubledCalls = 4;

/** The first call meets the most faults: the others happen only if it fails. */
const call = fc.constantFrom(1, 1, 1, 1, 2, 2, 3, troubledCalls);

/** Faults at a place, in one of its first steps. */
export function faultsAt(at: string, faults: readonly string[], steps = 2): fc.Arbitrary<Fault> {
  return fc.record({
    call,
    at: fc.constant(at),
    nth: fc.nat(steps - 1),
    fault: fc.constantFrom(...faults),
    size: fc.nat(999),
  });
}

/** No fault, one, or a burst. Rare faults and bursts find different defects. */
export function someFaults(...kinds: readonly fc.WeightedArbitrary<Fault>[]): fc.Arbitrary<Fault[]> {
  const one = fc.oneof(...kinds);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<Fault[]>([]) },
    { weight: 4, arbitrary: fc.array(one, { maxLength: 2, size: 'max' }) },
    { weight: 2, arbitrary: fc.array(one, { maxLength: 8, size: 'max' }) },
  );
}

/** Mostly the usual value, which shrinking returns to, and once in a while another. */
export function rarely<T, Rare>(usually: number, usual: T, rare: fc.Arbitrary<Rare>): fc.Arbitrary<T | Rare> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: usually, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: rare },
  );
}
