import fc from 'fast-check';
import { type Fault, faultsAt, rarely } from './fault.ts';

/** What a store of several processes does: it fails before a transaction, or its answer to one is lost. */
export const storeFaults = ['fails', 'is not answered'] as const;

/** A store that loses what it acknowledged: a failover of Redis, a restored backup. */
export const lostWrite = 'is lost';

const storeMethods = ['claim', 'renew', 'complete', 'release', 'open'] as const;

export function storeFaultsAt(steps = 2): fc.Arbitrary<Fault> {
  return fc.oneof(
    ...storeMethods.map((method) => faultsAt(method, [...storeFaults, ...storeFaults, lostWrite], steps)),
  );
}

/**
 * The settings of others: where the state is kept, and whether acknowledged writes may be lost. There the promises are
 * those of `docs/journal.md`: "It ends with its store".
 */
export interface StorePlan {
  readonly kind: 'memory' | 'file';
  readonly losesWrites: boolean;
}

const kept = { kind: 'memory', losesWrites: false } as const;

export const stores: fc.Arbitrary<StorePlan> = rarely<StorePlan, StorePlan>(
  8,
  kept,
  fc.oneof(
    { weight: 5, arbitrary: fc.constant({ ...kept, losesWrites: true }) },
    { weight: 1, arbitrary: fc.constant({ ...kept, kind: 'file' }) },
  ),
);
