import fc from 'fast-check';
import { type Fault, faultsAt, rarely, someFaults } from './fault.ts';
import { networkFaultsAt } from './network.ts';
import { storeFaults, storeFaultsAt } from './stores.ts';

/** Between two awaits: a process is killed, frozen longer than a lease, or its caller gives up. */
export const processFaults = ['dies', 'stalls'] as const;
export const abortion = 'is aborted';

const stepFaultsAt = faultsAt('step', processFaults, 9);

/** Faults of the calls of an order. */
export const callFaults: fc.Arbitrary<Fault[]> = someFaults(
  { weight: 8, arbitrary: networkFaultsAt },
  { weight: 4, arbitrary: storeFaultsAt() },
  { weight: 4, arbitrary: stepFaultsAt },
  { weight: 1, arbitrary: faultsAt('waits', [abortion], 1) },
);

/** Faults of the deliveries of an event, and of the calls that its handler makes. */
export const deliveryFaults: fc.Arbitrary<Fault[]> = someFaults(
  { weight: 3, arbitrary: faultsAt('delivery', ['is lost', 'is not answered'], 1) },
  { weight: 3, arbitrary: faultsAt('handler', ['throws', 'throws after'], 1) },
  { weight: 3, arbitrary: storeFaultsAt() },
  { weight: 1, arbitrary: faultsAt('commit', storeFaults, 1) },
  { weight: 4, arbitrary: stepFaultsAt },
  { weight: 1, arbitrary: networkFaultsAt },
);

/** Another process with the same task: a queue that delivers twice, a double click, an event that comes again. */
export interface Rival {
  /** How long after the first it starts, in ms. */
  readonly after: number;
  readonly faults: readonly Fault[];
}

export function rivals(
  within: number,
  faults: fc.Arbitrary<Fault[]>,
  none = 4,
): fc.Arbitrary<Rival | undefined> {
  return rarely(none, undefined, fc.record({ after: fc.nat(within), faults }));
}
