import { isRecord } from '../../base/json.ts';
import { checkOptions, functionOf, having, optionsObject, optionsOf } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { idParam } from '../../resources/fields/ids.ts';
import type { Subscription } from '../../resources/objects/subscriptions.ts';
import { accountName } from '../types/account.ts';
import { accessOf } from './access.ts';
import { CustomerRecords } from './customer-records.ts';
import { assignInvoice, subscriptionNamedIn } from './given-up.ts';
import { askOverdue, cancelOwn, giveUp, noteSubscription, readSubscription } from './steps.ts';
import type {
  CustomerSubscriptions,
  SubscriptionStore,
  SubscriptionsOptions,
  UnsettledCustomer,
} from './subscriptions.ts';

function isClient(value: unknown): boolean {
  return isRecord(value) && isRecord(value['subscriptions']);
}

const optionsSchema = /* @__PURE__ */ optionsOf<SubscriptionsOptions>(() => ({
  payments: s.custom<SubscriptionsOptions['payments']>(isClient, 'a PaymentsClient'),
  store: having<SubscriptionStore>('a store with documents, such as memoryStore()', 'load', 'save', 'due'),
  account: accountName(),
  grants: s.optional(s.array(s.openEnum<Subscription['status']>(s.filled()))),
  subscriptionOf: s.optional(functionOf<NonNullable<SubscriptionsOptions['subscriptionOf']>>()),
  now: s.optional(functionOf<() => number>()),
}));

const usualGrants: readonly Subscription['status'][] = ['active', 'past_due'];

const customerId = /* @__PURE__ */ s.lazily(() => idParam('customer'));
const subscriptionId = /* @__PURE__ */ s.lazily(() => idParam('subscription'));
const invoiceId = /* @__PURE__ */ s.lazily(() => idParam('invoice'));
const unchanged = 'Nothing was changed.';

/**
 * Keeps who has access, by the newest known version of each subscription, and cancels a subscription only because of its own invoice. It needs
 * events alone: paths that the interface does not show may answer 404.
 *
 * @throws ConfigurationError that names what is missing or wrong.
 *
 * @example
 * const subscriptions = createSubscriptions({ payments, store, account: 'tea-shop-live' });
 * const receiver = new Webhooks({ secret }).receiver({ store, on: subscriptions.on });
 * if ((await subscriptions.access(customer.id)).granted) serve();
 */
export function createSubscriptions(options: SubscriptionsOptions): CustomerSubscriptions {
  const given = optionsObject(options, 'createSubscriptions({ payments, store, account })');
  checkOptions('createSubscriptions', optionsSchema, given);
  const { payments, store, account, subscriptionOf = subscriptionNamedIn, now = Date.now } = given;
  const grants = [...(given.grants ?? usualGrants)];
  const records = new CustomerRecords(store, account, now);
  const context = { payments, records, account, now };

  const known = async (customer: string) => accessOf(await records.load(customer), grants, now());

  const hear = async ({ data }: { readonly data: { readonly object: Subscription } }) => {
    await cancelOwn(context, await noteSubscription(context, data.object));
  };

  const resumeOne = async (customer: string): Promise<UnsettledCustomer> => {
    try {
      await cancelOwn(context, customer);
      await askOverdue(context, customer);
      return { customer, needs: (await known(customer)).needs };
    } catch (error) {
      return { customer, needs: [], error };
    }
  };

  return {
    on: {
      'subscription.created': hear,
      'subscription.updated': hear,
      'subscription.canceled': hear,
      'invoice.marked_uncollectible': async ({ data }) => {
        const subscription = (await subscriptionOf(data.object)) ?? undefined;
        checkOptions('subscriptionOf()', s.optional(subscriptionId), subscription, unchanged);
        await giveUp(context, data.object, subscription);
        await cancelOwn(context, data.object.customer);
      },
    },

    async access(customer) {
      checkOptions('access.customer', customerId, customer, 'Pass the id of a customer.');
      return known(customer);
    },

    async refresh(subscription) {
      checkOptions('refresh.subscription', subscriptionId, subscription, 'Pass the id of a subscription.');
      const customer = await readSubscription(context, subscription);
      if (customer === undefined) return undefined;
      await cancelOwn(context, customer);
      return known(customer);
    },

    async resolve(customer, invoice, subscription) {
      checkOptions('resolve.customer', customerId, customer, unchanged);
      checkOptions('resolve.invoice', invoiceId, invoice, unchanged);
      checkOptions('resolve.subscription', s.nullable(subscriptionId), subscription, unchanged);
      // A customer without a record has no invoice, so nothing is written for one.
      const livemode = (await records.load(customer))?.livemode ?? false;
      await records.change(customer, livemode, (record) => assignInvoice(record, invoice, subscription));
      await cancelOwn(context, customer);
      return known(customer);
    },

    async resume() {
      const unsettled: UnsettledCustomer[] = [];
      for await (const customer of records.due()) {
        const one = await resumeOne(customer);
        if (one.needs.length > 0 || 'error' in one) unsettled.push(one);
      }
      return unsettled;
    },
  };
}
