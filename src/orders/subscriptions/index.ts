/** Who has access, by subscriptions. */

export { createSubscriptions } from './create-subscriptions.ts';
export type {
  CustomerAccess,
  CustomerSubscriptions,
  KnownSubscription,
  SubscriptionHandlers,
  SubscriptionNeed,
  SubscriptionsOptions,
  UnsettledCustomer,
} from './subscriptions.ts';
