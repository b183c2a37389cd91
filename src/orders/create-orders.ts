import { refuse, refuseValue } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import {
  checkOptions,
  functionOf,
  having,
  integerFrom,
  nonBlank,
  optionsOf,
} from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import type { PaymentsClient } from '../client.ts';
import { currencyParam } from '../resources/fields/common.ts';
import { idIssues } from '../resources/fields/ids.ts';
import type { SqliteDatabase } from '../stores/sqlite/database.node.ts';
import { capture } from './calls/capture.ts';
import { charge } from './calls/charge.ts';
import { checkout } from './calls/checkout.ts';
import { cancel, isReturn, refund, retryRefund } from './calls/give-back.ts';
import { needs } from './calls/needs.ts';
import { resolve } from './calls/resolve.ts';
import { sell } from './calls/sell.ts';
import { type Context, orderContext } from './context.ts';
import { handlersOf } from './events.ts';
import { beginAny, read } from './record/records.ts';
import { viewOf } from './record/view.ts';
import { resume } from './resume.ts';
import { isTimeText } from './row.ts';
import { drive } from './steps/drive.ts';
import { look } from './steps/look.ts';
import { accountName } from './types/account.ts';
import type {
  AnyOrdersOptions,
  OrderStore,
  OrdersOptions,
  PostgresOrdersOptions,
  SqliteOrdersOptions,
} from './types/options.ts';
import type { OrderName, OrderView } from './types/order.ts';
import type { CardOptions, Orders, SellOptions } from './types/orders.ts';

const unsent = 'Nothing was sent.';
const unchanged = 'Nothing was changed.';
const storeText =
  'a store with documents: sqliteStore(database), postgresStore(pool), redisStore(client) or memoryStore()';

/** A copy that the caller cannot change while the call waits. */
const copyOf = <Options extends CardOptions>(options: Options): Options => ({
  ...options,
  ...(options.due !== undefined && { due: { ...options.due } }),
});

/** The options of any kind, without their functions' types. */
type Options = { readonly [Name in keyof OrdersOptions]: OrdersOptions[Name] };

const optionsSchema = /* @__PURE__ */ optionsOf<Options>(() => ({
  payments: s.custom<PaymentsClient>(
    (value) => isRecord(value) && isRecord(value['settings']),
    'a PaymentsClient',
  ),
  store: having<OrderStore>(storeText, 'load', 'save', 'lookUp', 'due'),
  account: accountName(),
  order: functionOf<OrdersOptions['order']>(),
  onPaid: functionOf<OrdersOptions['onPaid']>(),
  page: functionOf<OrdersOptions['page']>(),
  saleCurrency: s.optional(currencyParam()),
  onUnknown: s.optional(functionOf<NonNullable<OrdersOptions['onUnknown']>>()),
  now: s.optional(functionOf<() => number>()),
}));

const idText = 'your own id of an order, of well-formed Unicode without NUL';
/** A store keeps no other text. */
const isStorable = (id: string) => !id.includes('\0') && !/\p{Surrogate}/u.test(id);
const idSchema = /* @__PURE__ */ s.lazily(() =>
  nonBlank(idText).check(s.maximumLength(200), s.refine(isStorable, idText)),
);
const resumeSchema = /* @__PURE__ */ optionsOf<{ readonly limit?: number | undefined }>(() => ({
  limit: s.optional(integerFrom(1, 100_000)),
}));

const moneySchema = /* @__PURE__ */ s.lazily(() =>
  s.object({ amount: integerFrom(0), currency: currencyParam() }, '{ amount, currency }'),
);

const cardFields = () => ({ capture: s.optional(s.boolean()), due: s.optional(moneySchema) });
const cardSchema = /* @__PURE__ */ optionsOf<CardOptions>(cardFields);
const sellSchema = /* @__PURE__ */ optionsOf<SellOptions>(() => ({
  ...cardFields(),
  allowFailedAuthentication: s.optional(s.boolean()),
  allowUnavailableAuthentication: s.optional(s.boolean()),
}));
const foundText = 'the id of what was found, without blanks around it, or null';
const foundSchema = /* @__PURE__ */ s.lazily(() =>
  s.nullable(s.filled(foundText).check(s.regex(/^\S(?:.*\S)?$/s, foundText))),
);

const returnText =
  '{ id, amount, currency }: your own id of the return, minor units from 1, and a 3-letter code';

/** @throws ConfigurationError for what is no order id. */
function checkId(id: string): string {
  checkOptions('id', idSchema, id, 'Pass your own id of the order: nothing was sent.');
  return id;
}

/** @throws ConfigurationError for a second argument: an amount would be ignored, and all that is due taken. */
function alone(call: string, id: string, [second]: readonly unknown[]): string {
  return second === undefined
    ? id
    : refuseValue(call, 'the id of the order alone: it asks for what is due', second, unsent);
}

/** @throws ConfigurationError for what names no order. Returns a copy: the caller cannot change it while the call waits. */
function checkName(order: OrderName): OrderName {
  if (!isRecord(order)) return checkId(order);
  const { id, createdAt } = order;
  checkId(id);
  if (isTimeText(createdAt)) return { id, createdAt };
  return refuseValue('order.createdAt', 'that of a view of the order', createdAt, unsent);
}

/** @throws ConfigurationError for what is no text. */
function checkText(path: string, value: string, consequence: string): string {
  return typeof value === 'string' ? value : refuseValue(path, 'a text', value, consequence);
}

async function refreshed(context: Context, order: OrderName): Promise<OrderView> {
  const { key } = await beginAny(context, order);
  await look(context, key);
  return viewOf(await drive(context, key), context.terms());
}

/**
 * Keeps what has been paid for your orders: one record for each, beside your own tables, in a store that all your processes share.
 *
 * An order ships when it is paid in full, once, and what was paid too much goes back: over edits of the row, second tabs, late and repeated
 * events, expired pages, crashes at any step, and several processes. Your tables have the row, the price and the shipment; the record has the
 * money and its evidence. You never pass a total.
 *
 * - Pass `on` to your webhook receiver, and call `resume` every few minutes.
 * - Edit a row only while it is not shipped: `UPDATE … WHERE id = $1 AND NOT shipped`. After an edit, call `checkout` again. What was paid
 *   counts, and only the rest is due.
 * - Look at `needs` of the orders that your staff sees: each says what a person has to do.
 *
 * Reads, `expire` and `cancel` have *inferred* paths: a service without them leaves it to the events.
 *
 * @throws ConfigurationError for a wrong or an unknown option.
 *
 * @example
 * const orders = createOrders({
 *   payments,
 *   store: postgresStore(pool),
 *   account: 'tea-shop-live',
 *   page: (id) => `https://shop.example.com/orders/${id}`,
 *   order: async (id, client) => readOrder(await client.query('SELECT … WHERE id = $1 FOR UPDATE', [id])),
 *   onPaid: ({ id }, client) => client.query('UPDATE orders SET shipped = true WHERE id = $1', [id]),
 * });
 * const checkout = await orders.checkout('order-1042');
 * if (checkout.state === 'open') response.redirect(303, checkout.url);
 */
export function createOrders(options: PostgresOrdersOptions): Orders;
export function createOrders<Database extends SqliteDatabase>(options: SqliteOrdersOptions<Database>): Orders;
export function createOrders(options: OrdersOptions): Orders;
export function createOrders(options: AnyOrdersOptions): Orders {
  checkOptions('createOrders', optionsSchema, options);
  const context = orderContext(options);
  return {
    checkout: async (id, ...more: readonly never[]) =>
      checkout(context, alone('checkout', checkId(id), more)),
    charge: async (id, paymentMethod, options = {}) => {
      checkOptions('charge', cardSchema, options, unsent);
      const issues = idIssues('paymentMethod', paymentMethod, 'payment_method');
      if (issues.length > 0) refuse(issues, unsent);
      return charge(context, checkId(id), paymentMethod, copyOf(options));
    },
    sell: async (id, card, options = {}) => {
      checkOptions('sell', sellSchema, options, unsent);
      return sell(context, checkId(id), card, copyOf(options));
    },
    capture: async (id, ...more: readonly never[]) => capture(context, alone('capture', checkId(id), more)),
    refund: async (order, returned) => {
      if (!isRecord(returned)) return refuseValue('refund', returnText, returned, unsent);
      // Read once: a field may be a getter, or inherited.
      const { id: returnId, amount, currency } = returned;
      const own = { id: returnId, amount, currency };
      if (!isReturn(own)) return refuseValue('refund', returnText, own, unsent);
      return refund(context, checkName(order), own);
    },
    retryRefund: async (order, returnId) =>
      retryRefund(context, checkName(order), checkText('returnId', returnId, unsent)),
    cancel: async (order) => cancel(context, checkName(order)),
    get: async (order) => {
      const record = await read(context, checkName(order));
      return viewOf(record, context.terms());
    },
    refresh: async (order) => refreshed(context, checkName(order)),
    resolve: async (order, operation, found) => {
      checkOptions('resolve.found', foundSchema, found, unchanged);
      return resolve(context, checkName(order), checkText('operation', operation, unchanged), found);
    },
    resume: async (options = {}) => {
      checkOptions('resume', resumeSchema, options);
      return resume(context, options.limit ?? 1000);
    },
    needs: () => needs(context),
    on: handlersOf(context),
  };
}
