import { day } from '../../base/time.ts';
import type { State } from '../../domain/state.ts';
import { Random } from '../../store/random.ts';
import { addCustomer, addPayment, addPlans, addSubscription, type Plan } from './seed-objects.ts';
import {
  readSeedOptions,
  type SeedContext,
  type SeedCounts,
  type SeedOptions,
  type SeedPlan,
  type SeedProgress,
  Timeline,
} from './timeline.ts';

/** How many entries one unit of work contains: few enough that a server can answer requests in between. */
const momentsPerStep = 500;

function count({ objects }: State): SeedCounts {
  return {
    customers: objects.customer.size,
    payment_intents: objects.payment_intent.size,
    charges: objects.charge.size,
    refunds: objects.refund.size,
    subscriptions: objects.subscription.size,
    invoices: objects.invoice.size,
  };
}

function difference(after: SeedCounts, before: SeedCounts): SeedCounts {
  return {
    customers: after.customers - before.customers,
    payment_intents: after.payment_intents - before.payment_intents,
    charges: after.charges - before.charges,
    refunds: after.refunds - before.refunds,
    subscriptions: after.subscriptions - before.subscriptions,
    invoices: after.invoices - before.invoices,
  };
}

function createContext(state: State, plan: SeedPlan): SeedContext {
  const end = state.clock.now();
  const timeline = new Timeline(end - plan.months * 30 * day, end);
  return { state, plan, random: new Random(plan.seed), timeline, customers: [] };
}

/**
 * Creates sample data in steps, so that other work can run in between. It emits no events.
 *
 * @throws ConfigurationError when an option is out of range.
 */
export function* seedInSteps(state: State, options: SeedOptions): Generator<SeedProgress, SeedCounts> {
  const plan = readSeedOptions(options);
  const before = count(state);
  const context = createContext(state, plan);
  const { timeline, random } = context;
  const chance = () => random.fraction();
  const total = plan.customers + plan.intents;
  let done = 0;
  const offers: Plan[] = [];
  timeline.spread(plan.customers, chance, () => {
    addSubscription(context, addCustomer(context), offers);
    done += 1;
  });
  timeline.spread(plan.intents, chance, () => {
    addPayment(context);
    done += 1;
  });
  const step = (): boolean => timeline.run(momentsPerStep, (at, happen) => state.clock.during(at, happen));

  if (plan.customers > 0) {
    state.unit(() => state.clock.during(timeline.start, () => void offers.push(...addPlans(context))), {
      isPast: true,
    });
  }
  while (state.unit(step, { isPast: true })) yield { done, total };
  yield { done, total };
  return difference(count(state), before);
}

/** Creates sample data at once. */
export function seed(state: State, options: SeedOptions): SeedCounts {
  const steps = seedInSteps(state, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
