import type { Customer } from '../../../resources/customers.ts';
import type { State } from '../../domain/state.ts';
import type { Random } from '../../store/seeded-random.ts';
import type { SeedPlan } from './seed-options.ts';
import type { Timeline } from './timeline.ts';

/** The context of all generators of sample data. */
export interface SeedContext {
  /** The sandbox's state. */
  readonly state: State;
  /** The options with defaults. */
  readonly plan: SeedPlan;
  /** The random generator. */
  readonly random: Random;
  /** The schedule. */
  readonly timeline: Timeline;
  /** The customers so far. */
  readonly customers: Customer[];
}

/** The currency of all sample data. */
export const currency = 'USD';
