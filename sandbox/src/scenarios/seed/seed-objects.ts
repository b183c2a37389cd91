import type { Customer, PaymentIntent } from 'payments-client';
import { day } from '../../base/time.ts';
import { asPaid } from '../../domain/billing/invoice.ts';
import { defaults } from '../../domain/object-defaults.ts';
import { chargeIntent, declineIntent } from '../../domain/payments/charge-intent.ts';
import { refundCharge } from '../../domain/payments/refund.ts';
import type { IdOf } from '../../domain/records/records.ts';
import type { Random } from '../../store/random.ts';
import { firstNames, lastNames, mailDomains, places, plans, streets } from './sample-names.ts';
import { currency, type SeedContext } from './timeline.ts';

function address(random: Random) {
  const { city, state, zip } = random.pick(places);
  const line1 = `${random.integer(1, 999)} ${random.pick(streets)}`;
  return { line1, city, state, postal_code: `${zip}${random.integer(10, 99)}`, country: 'US' };
}

/** Returns an e-mail address. The number makes it unique. */
function email(first: string, last: string, number: number, random: Random): string {
  return `${first}.${last}.${number}@${random.pick(mailDomains)}`.toLowerCase();
}

export function addCustomer({ state, random, customers }: SeedContext): Customer {
  const first_name = random.pick(firstNames);
  const last_name = random.pick(lastNames);
  const customer = state.objects.customer.add({
    ...defaults.customer(state),
    first_name,
    last_name,
    email: email(first_name, last_name, customers.length + 1, random),
    // Numbers from 555-0100 to 555-0199 are reserved for fiction.
    phone: `+1 ${random.integer(201, 989)} 555 01${String(random.integer(0, 99)).padStart(2, '0')}`,
    billing_address: address(random),
  });
  customers.push(customer);
  return customer;
}

/** The approximate percentages of paid, declined and canceled payments; the rest stays open. */
const share = { paid: 84, declined: 9, canceled: 5 };
const guests = 0.15;
const refunded = 0.05;
const partial = 0.4;

function addIntent({ state, random, customers }: SeedContext, amount: number): PaymentIntent {
  const known = customers.length > 0 && !random.happens(guests);
  const customer = known ? random.pick(customers).id : null;
  const intent = { ...defaults.payment_intent(state), amount, currency, customer };
  return state.objects.payment_intent.add(intent);
}

function price({ random }: SeedContext): number {
  return random.integer(5, random.happens(0.1) ? 400 : 80) * 100 - random.pick([0, 1, 5, 50]);
}

/** Refunds a charge and completes the refund at once, since the clock would emit events for it. */
function addRefund({ state, random }: SeedContext, chargeId: string): void {
  const charge = state.objects.charge.get(chargeId);
  if (charge === undefined) return;
  const whole = charge.amount - charge.amount_refunded;
  const amount = random.happens(partial) ? Math.max(1, Math.floor(whole / random.integer(2, 5))) : whole;
  const reason = random.pick(['requested_by_customer', 'damaged', 'duplicate']);
  const refund = refundCharge(state, charge, { amount, reason });
  state.objects.refund.replace({ ...refund, status: 'succeeded' });
}

function pay(context: SeedContext, intent: PaymentIntent): void {
  const { state, random, timeline } = context;
  const { latest_charge_id } = chargeIntent(state, intent, state.ids.next('pm'));
  if (latest_charge_id === null || !random.happens(refunded)) return;
  const at = state.clock.now() + random.integer(1, 20 * day);
  timeline.plan(at, () => addRefund(context, latest_charge_id));
}

/** Adds a payment in a random state. */
export function addPayment(context: SeedContext): void {
  const { state, random } = context;
  const intent = addIntent(context, price(context));
  const percentile = random.integer(1, 100);
  if (percentile <= share.paid) pay(context, intent);
  else if (percentile <= share.paid + share.declined) declineIntent(state, intent, state.ids.next('pm'));
  else if (percentile <= share.paid + share.declined + share.canceled) {
    state.objects.payment_intent.replace({ ...intent, status: 'canceled' });
  }
}

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
  readonly name: string;
  /** The price of a period, in the smallest unit of the currency. */
  readonly unit_amount: number;
  readonly price: IdOf<'price'>;
}

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
    amount_remaining: amount,
    lines: [{ id: state.ids.next('il'), description: name, quantity: 1, unit_amount, amount, currency }],
  };
  if (!paid) {
    state.objects.invoice.add({ ...draft, status: 'uncollectible', attempt_count: 4 });
    return;
  }
  const intent = { ...defaults.payment_intent(state), amount, currency, customer: customer.id };
  const paidIntent = chargeIntent(state, state.objects.payment_intent.add(intent), state.ids.next('pm'));
  state.objects.invoice.add(asPaid(state, draft, paidIntent));
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
