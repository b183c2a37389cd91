import fc from 'fast-check';
import { type Fault, faultsAt, someFaults } from './fault.ts';
import { storeFaultsAt } from './stores.ts';

/** A process that resumes open operations. */
interface Sweep {
  /** When it starts, in ms. */
  readonly at: number;
  /** Whether it belongs to the other merchant, if there is one. */
  readonly isOther: boolean;
  readonly faults: readonly Fault[];
}

/**
 * Who answers for what stays open. Without `heals` nobody does: there is no sweep, no person who settles, and no look
 * at rest. The promises of each step hold there too.
 */
export interface HealingPlan {
  readonly heals: boolean;
  readonly sweeps: readonly Sweep[];
}

const sweep: fc.Arbitrary<Sweep> = fc.record({
  at: fc.nat(400_000),
  isOther: fc.boolean(),
  faults: someFaults(
    { weight: 2, arbitrary: storeFaultsAt(3) },
    { weight: 2, arbitrary: faultsAt('step', ['dies', 'stalls'], 12) },
  ),
});

export const healing: fc.Arbitrary<HealingPlan> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ heals: fc.constant(true), sweeps: fc.array(sweep, { maxLength: 2 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ heals: false, sweeps: [] }) },
);
