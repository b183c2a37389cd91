/** What has been paid for an order, and who has access by subscriptions. */

export { createOrders } from './create-orders.ts';
export { OrderError } from './errors.ts';
export {
  type CustomerAccess,
  type CustomerSubscriptions,
  createSubscriptions,
  type KnownSubscription,
  type SubscriptionHandlers,
  type SubscriptionNeed,
  type SubscriptionsOptions,
  type UnsettledCustomer,
} from './subscriptions/index.ts';
export type { Money } from './types/money.ts';
export type {
  OrdersOptions,
  PostgresOrdersOptions,
  SqliteOrdersOptions,
  UnknownPayment,
} from './types/options.ts';
export type {
  CardPayment,
  Checkout,
  Need,
  OrderLine,
  OrderName,
  OrderPayment,
  OrderRefund,
  OrderRow,
  OrderView,
  PaidOrder,
} from './types/order.ts';
export type {
  CardOptions,
  FailedOrder,
  OrderHandlers,
  Orders,
  ReturnedMoney,
  SaleInput,
  SellOptions,
} from './types/orders.ts';
