import fc from 'fast-check';
import { rarely } from './fault.ts';

const hour = 3_600_000;

/** When: the clock of one machine jumps, as after a wrong setting or a restored snapshot, and is corrected later. */
export interface ClockPlan {
  /** How far it jumps, in ms. */
  readonly jump: number;
  readonly from: number;
  readonly lasts: number;
}

export const clocks: fc.Arbitrary<ClockPlan | undefined> = rarely(
  1,
  undefined,
  fc.record({
    jump: fc.constantFrom(401 * 24 * hour, -30 * hour),
    from: fc.nat(400_000),
    lasts: fc.integer({ min: hour, max: 11 * hour }),
  }),
);
