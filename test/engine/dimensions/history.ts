import fc from 'fast-check';
import { rarely } from './fault.ts';

/** A call of an operation that has ended, by a process that started later. */
export interface Repeat {
  /** How long after the end, in ms: a moment, or up to 300 days, when the service has forgotten the key. */
  readonly after: number;
  /** Whether the object was changed before, as by a refund: the recorded reply shows the state before. */
  readonly isChanged: boolean;
}

/** Whether each process has room for the operations that it called, or forgets one when its call ends. */
export const crowding: fc.Arbitrary<boolean> = fc.boolean();

/** What came before: an operation that has its result, a restart, and the same call again with a replayed reply. */
export const repeats: fc.Arbitrary<Repeat[]> = rarely<Repeat[], Repeat[]>(
  3,
  [],
  fc.array(
    fc.record({
      after: fc.oneof(fc.nat(60_000), fc.nat(300 * 86_400_000)),
      isChanged: fc.boolean(),
    }),
    { minLength: 1, maxLength: 2 },
  ),
);
