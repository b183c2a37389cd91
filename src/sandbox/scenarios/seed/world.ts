import type { Customer } from '../../../resources/customers.ts';
import type { State } from '../../domain/state.ts';
import type { Random } from '../../store/seeded-random.ts';
import type { SeedPlan } from './seed-options.ts';
import type { Timeline } from './timeline.ts';

/** What the parts of the sample data share. */
export interface World {
  /** Where it goes. */
  readonly state: State;
  /** How much there is to be. */
  readonly plan: SeedPlan;
  /** What happens by chance. */
  readonly random: Random;
  /** When it happens. */
  readonly timeline: Timeline;
  /** The customers so far. */
  readonly customers: Customer[];
}

/** The currency of all sample data. */
export const currency = 'USD';
