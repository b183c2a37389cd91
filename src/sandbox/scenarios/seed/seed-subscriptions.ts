import { day } from '../../../base/time.ts';
import type { Customer } from '../../../resources/customers.ts';
import { defaults } from '../../domain/object-defaults.ts';
import { chargeIntent } from '../../domain/payments/charge-intent.ts';
import type { IdOf } from '../../domain/records/records.ts';
import { plans } from './sample-names.ts';
import { currency, type SeedContext } from './seed-context.ts';

const period = 30 * day;
/** The share of customers who subscribe. */
const subscribers = 0.1;
/** The share of subscribers who cancel before the present, and after how many periods at most. */
const churn = 0.3;
const maximumPeriods = 8;
/** The share of canceled subscriptions whose last invoice stays unpaid. */
const unpaid = 0.4;

/** A product that is sold by subscription. */
export interface Plan {
  /** Its name. */
  readonly name: string;
  /** The price of a period, in the smallest unit of the currency. */
  readonly unit_amount: number;
  /** The id of its price. */
  readonly price: IdOf<'price'>;
}

/** Adds the products and prices of subscriptions. */
export function addPlans({ state }: Pick<SeedContext, 'state'>): readonly Plan[] {
  return plans.map(({ name, unit_amount }) => {
    const product = { ...defaults.product(state), name };
    state.objects.product.add(product);
    const { id, ...rest } = defaults.price(state);
    const price = state.ids.next('price');
    state.objects.price.add({ ...rest, id: price, product: product.id, unit_amount, currency });
    return { name, unit_amount, price };
  });
}

function addInvoice(
  { state }: SeedContext,
  customer: Customer,
  { name, unit_amount }: Plan,
  paid: boolean,
): void {
  const amount = unit_amount;
  const draft = {
    ...defaults.invoice(state),
    customer: customer.id,
    currency,
    subtotal: amount,
    total: amount,
    lines: [{ id: state.ids.next('il'), description: name, quantity: 1, unit_amount, amount, currency }],
  };
  if (!paid) {
    state.objects.invoice.add({
      ...draft,
      status: 'uncollectible',
      amount_remaining: amount,
      attempt_count: 4,
    });
    return;
  }
  const intent = { ...defaults.payment_intent(state), amount, currency, customer: customer.id };
  const { id, payment_method } = chargeIntent(
    state,
    state.objects.payment_intent.add(intent),
    state.ids.next('pm'),
  );
  state.objects.invoice.add({
    ...draft,
    status: 'paid',
    amount_paid: amount,
    amount_remaining: 0,
    attempt_count: 1,
    paid_at: draft.created_at,
    payment_intent: id,
    collection_payment_method_id: payment_method,
  });
}

/** Returns the number of periods until a new subscription is canceled; `undefined` for an active one. */
function periodsUntilCanceled({ state, random, timeline }: SeedContext): number | undefined {
  if (!random.happens(churn)) return undefined;
  const periods = random.integer(1, maximumPeriods);
  return state.clock.now() + periods * period <= timeline.end ? periods : undefined;
}

function addInvoices(
  context: SeedContext,
  customer: Customer,
  plan: Plan,
  index: number,
  periodCount: number | undefined,
): void {
  if (index === periodCount) return;
  const isLast = index + 1 === periodCount;
  addInvoice(context, customer, plan, !(isLast && index > 0 && context.random.happens(unpaid)));
  const next = context.state.clock.now() + period;
  context.timeline.plan(next, () => addInvoices(context, customer, plan, index + 1, periodCount));
}

/**
 * Adds a subscription for some new customers. It is added in its present state, since the clock would renew one whose
 * period has ended at once.
 */
export function addSubscription(context: SeedContext, customer: Customer, offers: readonly Plan[]): void {
  const { state, random, timeline } = context;
  if (!random.happens(subscribers)) return;
  const plan = random.pick(offers);
  const periodCount = periodsUntilCanceled(context);
  const start = state.clock.now();
  const periods = periodCount ?? Math.floor((timeline.end - start) / period) + 1;
  const seconds = (count: number) => Math.floor((start + count * period) / 1000);
  const ended = seconds(periods);
  state.objects.subscription.add({
    ...defaults.subscription(state),
    collection_method: 'charge_automatically',
    customer: customer.id,
    items: [{ id: state.ids.next('si'), price: plan.price, quantity: 1, metadata: {} }],
    current_period_start: seconds(periods - 1),
    current_period_end: ended,
    updated_at: periodCount === undefined ? seconds(periods - 1) : ended,
    ...(periodCount === undefined
      ? { status: 'active' }
      : { status: 'canceled', canceled_at: ended, ended_at: ended }),
  });
  addInvoices(context, customer, plan, 0, periodCount);
}
