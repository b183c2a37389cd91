/** A shop with subscriptions: a client whose service answers as a test says, a store, a clock, and events to deliver. */

import type { Invoice, Subscription } from 'payments-client';
import { createSubscriptions, type SubscriptionsOptions } from 'payments-client/orders';
import { memoryStore } from 'payments-client/stores';
import { anything } from '../../support/anything.ts';
import { createClient, json } from '../../support/mock-service.ts';

/** When tests begin, in seconds. */
export const start = 1_790_000_000;
export const hour = 3_600;
export const day = 86_400;

/** A subscription of `cus_1` in its first period of 30 days. Times are in seconds. */
export function subscription(fields: Partial<Subscription> = {}): Subscription {
  return anything({
    id: 'sub_1',
    object: 'subscription',
    livemode: false,
    status: 'active',
    collection_method: 'charge_automatically',
    customer: 'cus_1',
    billing_cycle_anchor: start,
    current_period_start: start,
    current_period_end: start + 30 * day,
    cancel_at_period_end: false,
    items: [{ id: 'si_1', price: 'price_tea', quantity: 2, metadata: {} }],
    metadata: {},
    created_at: start,
    updated_at: start,
    ...(fields.status === 'canceled' && { canceled_at: fields.updated_at, ended_at: fields.updated_at }),
    ...fields,
  });
}

/** A given-up invoice of `cus_1`, an hour after the start. The interface shows no field that names its subscription. */
export function invoice(fields: Partial<Invoice> & Readonly<Record<string, unknown>> = {}): Invoice {
  return anything({
    id: 'inv_1',
    object: 'invoice',
    livemode: false,
    status: 'uncollectible',
    customer: 'cus_1',
    created_at: start + hour,
    updated_at: start + hour,
    ...fields,
  });
}

export const notFound = () => json({ error: { code: 'not_found' } }, { status: 404 });

/** What a service answers to a request such as `POST /v1/subscriptions/sub_1/cancel`. */
type Answer = (request: string) => Response | Promise<Response>;

interface ShopOptions extends Partial<SubscriptionsOptions> {
  /** Default: 404, as a service without the inferred paths. */
  readonly answer?: Answer;
}

export function openShop({ answer = notFound, ...options }: ShopOptions = {}) {
  const requests: string[] = [];
  const keys: (string | null)[] = [];
  const clock = { seconds: start };
  const shop = { answer };
  const fetch = async ({ method, url, headers }: Request) => {
    const request = `${method} ${new URL(url).pathname}`;
    requests.push(request);
    keys.push(headers.get('idempotency-key'));
    return shop.answer(request);
  };
  const store = options.store ?? memoryStore();
  const subscriptions = createSubscriptions({
    payments: createClient({ fetch, maxRetries: 0 }),
    store,
    account: 'tea-shop-test',
    now: () => clock.seconds * 1000,
    ...options,
  });
  const deliver = (type: keyof typeof subscriptions.on, object: object) =>
    subscriptions.on[type](anything({ id: 'evt_1', type, livemode: false, data: { object } }));
  return Object.assign(shop, {
    ...subscriptions,
    store,
    /** The requests that arrived, and the idempotency key of each. */
    requests,
    keys,
    clock,
    /** Delivers a version of a subscription, by the event that it has. */
    hear: (...versions: readonly Partial<Subscription>[]) =>
      versions.reduce(async (before, fields) => {
        await before;
        const type = fields.status === 'canceled' ? 'subscription.canceled' : 'subscription.updated';
        await deliver(type, subscription(fields));
      }, Promise.resolve()),
    /** Delivers the event of a given-up invoice. */
    giveUp: (fields?: Parameters<typeof invoice>[0]) =>
      deliver('invoice.marked_uncollectible', invoice(fields)),
    deliver,
    granted: async (customer = 'cus_1') => (await subscriptions.access(customer)).granted,
    needs: async (customer = 'cus_1') => (await subscriptions.access(customer)).needs,
  });
}
