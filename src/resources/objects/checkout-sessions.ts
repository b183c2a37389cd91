import { invalidRequest } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Definite } from '../../base/schema/definite.ts';
import * as s from '../../base/schema/schema.ts';
import { type OrUnlisted, openEnum } from '../../base/schema/schema.ts';
import type { ApiPromise } from '../../http/api-promise.ts';
import type { RequestOptions, WithOperationId, WriteOptions } from '../../http/client/options.ts';
import type { Api } from '../../http/execute.ts';
import type { Prepare } from '../../http/request/arguments.ts';
import { fillPath } from '../../http/request/route.ts';
import { type CollectionDefinition, StatefulCollection } from '../collection.ts';
import {
  amountParam,
  baseFields,
  type Metadata,
  metadata,
  metadataParam,
  quantityParam,
  type ResourceBase,
} from '../fields/common.ts';
import { type Id, type IdInput, id, idIssues, idParam } from '../fields/ids.ts';
import { type PresentWhen, presentWhen } from '../fields/present-when.ts';
import { exactTotal, oneCurrency } from '../fields/totals.ts';
import { refuseWithoutPage } from './checkout-page.ts';
import { type PartialRefundParams, partialRefundSchema, type Refund, refunds } from './refunds.ts';

/** Whether the hosted page asks for a field (*shown*). */
type CollectedField = OrUnlisted<'required' | 'hidden'>;

/** What the hosted page asks the buyer for. */
interface CollectConfig {
  /** Whether the page asks for an address (*shown*). */
  readonly address: CollectedField;
  /** Whether the page asks for an e-mail address (*shown*). */
  readonly email: CollectedField;
  /** Whether the page asks for a name (*shown*). */
  readonly name: CollectedField;
  /** Whether the page asks for a phone number (*shown*). */
  readonly phone: CollectedField;
  /** Whether the whole billing address is needed (*shown*). */
  readonly require_full_billing_address: boolean;
  /** Whether a phone number is needed (*shown*). */
  readonly require_phone: boolean;
  /** Whether a shipping address is needed (*shown*). */
  readonly require_shipping_address: boolean;
  /** The wallet's billing mode (*shown*; only `min` occurs). */
  readonly wallet_billing_mode: OrUnlisted<'min'>;
}

/** One line of a checkout session. */
export interface CheckoutLineItem {
  /** The line's id, `li_…` (*shown*). */
  readonly id: Id<'checkout_line_item'>;
  /** The name of the item (*shown*). */
  readonly name: string;
  /** An amount, in the service's integer unit (*shown*). The SDK assumes minor units, and the price of one item (*inferred*). */
  readonly amount: number;
  /** The currency, a 3-letter code in upper case (*shown*). */
  readonly currency: string;
  /** How many (*shown*). */
  readonly quantity: number;
  /** The kind of fulfillment (*shown*; only `digital` occurs). */
  readonly fulfillment_type: OrUnlisted<'digital'>;
  /** Whether the item is eligible for a tip (*shown*). */
  readonly tip_eligible: boolean;
}

/** The fields of a checkout session, whatever its state. */
interface CheckoutSessionFields extends ResourceBase<'checkout_session'> {
  /** The session's id, `cs_…` (*shown*). */
  readonly id: Id<'checkout_session'>;
  /** The subtotal, in the service's integer unit (*shown*). */
  readonly amount_subtotal: number;
  /** The total, in the service's integer unit (*shown*). */
  readonly amount_total: number;
  /** The currency, a 3-letter code in upper case (*shown*). */
  readonly currency: string;
  /** What the session is for (*shown*: `payment`; *inferred*: `subscription`, which the interface names in words). */
  readonly mode: OrUnlisted<'payment' | 'subscription'>;
  /** The session's status (*shown*). */
  readonly status: OrUnlisted<'open' | 'complete' | 'expired'>;
  /** Whether money was captured (*shown*). */
  readonly payment_status: OrUnlisted<'unpaid' | 'paid'>;
  /** The UI mode (*shown*; only `hosted` occurs). */
  readonly ui_mode: OrUnlisted<'hosted'>;
  /** The submit type (*shown*; only `auto` occurs). */
  readonly submit_type: OrUnlisted<'auto'>;
  /** Where the buyer goes after paying; null if there is none (*shown*). */
  readonly success_url: string | null;
  /** Where the buyer goes after canceling; null if there is none (*shown*). */
  readonly cancel_url: string | null;
  /** The client's reference; null if there is none (*shown*). */
  readonly client_reference_id: string | null;
  /** The customer's id, `cus_…`; null if there is none (*shown*). */
  readonly customer: Id<'customer'> | null;
  /** The buyer's e-mail address; null if unknown (*shown*). */
  readonly customer_email: string | null;
  /** The locale; null if there is none (*shown*). */
  readonly locale: string | null;
  /** The payment intent's id, `pi_…`; null until payment starts (*shown*). */
  readonly payment_intent_id: Id<'payment_intent'> | null;
  /** The merchant's id, `mer_…` (*shown*). */
  readonly merchant_id: Id<'merchant'>;
  /** The metadata: strings by their keys (*shown*). */
  readonly metadata: Metadata;
  /** When it was created, an epoch-style integer (*shown*; whether in seconds or ms is not shown). */
  readonly created_at: number;
  /** When it last changed, an epoch-style integer (*shown*). */
  readonly updated_at: number;
  /** When it expires unless completed, an epoch-style integer (*shown*). */
  readonly expires_at: number;
  /** What the page asks the buyer for (*shown*). */
  readonly collect_config: CollectConfig;
  /** The lines that are sold (*shown*). */
  readonly line_items: readonly CheckoutLineItem[];
}

/**
 * A hosted checkout: a page where a buyer pays for line items. After payment, `payment_intent_id` is not null (*shown*: it
 * is set once payment starts).
 */
export type CheckoutSession = CheckoutSessionFields &
  PresentWhen<CheckoutSessionFields, Record<'payment_status', 'paid'>, 'payment_intent_id'>;

const collectConfigFields = () => ({
  address: openEnum<CollectedField>(),
  email: openEnum<CollectedField>(),
  name: openEnum<CollectedField>(),
  phone: openEnum<CollectedField>(),
  require_full_billing_address: s.boolean(),
  require_phone: s.boolean(),
  require_shipping_address: s.boolean(),
  wallet_billing_mode: openEnum<OrUnlisted<'min'>>(),
});

const collectConfigSchema = (): s.Schema<CollectConfig> => s.object(collectConfigFields());

const lineItemSchema = (): s.Schema<CheckoutLineItem> =>
  s.object({
    id: id('checkout_line_item'),
    name: s.string(),
    amount: s.integer(),
    currency: s.string(),
    quantity: s.integer(),
    fulfillment_type: openEnum<OrUnlisted<'digital'>>(),
    tip_eligible: s.boolean(),
  });

/** The fields of a {@link CheckoutSession}, as the interface lists them; unknown ones pass. */
export const checkoutSessionSchema: s.Schema<CheckoutSession> = /* @__PURE__ */ s.lazily(() =>
  presentWhen(
    s.object({
      ...baseFields('checkout_session'),
      id: id('checkout_session'),
      amount_subtotal: s.integer(),
      amount_total: s.integer(),
      currency: s.string(),
      mode: openEnum<CheckoutSession['mode']>(),
      status: openEnum<CheckoutSession['status']>(),
      payment_status: openEnum<CheckoutSession['payment_status']>(),
      ui_mode: openEnum<OrUnlisted<'hosted'>>(),
      submit_type: openEnum<OrUnlisted<'auto'>>(),
      success_url: s.nullable(s.string()),
      cancel_url: s.nullable(s.string()),
      client_reference_id: s.nullable(s.string()),
      customer: s.nullable(id('customer')),
      customer_email: s.nullable(s.string()),
      locale: s.nullable(s.string()),
      payment_intent_id: s.nullable(id('payment_intent')),
      merchant_id: id('merchant'),
      metadata: metadata(),
      created_at: s.integer(),
      updated_at: s.integer(),
      expires_at: s.integer(),
      collect_config: collectConfigSchema(),
      line_items: s.array(lineItemSchema()),
    }),
    { payment_status: 'paid' },
    ['payment_intent_id'],
  ),
);

/** One line of a session to create. */
interface CheckoutLineItemParams {
  /** The name of the item (*shown*). */
  name: string;
  /**
   * An amount, an integer (*shown*). The SDK assumes minor units from 0, and the price of one item (*inferred*). With a
   * `quantity` of 1, it is also the sum of the line.
   */
  amount: number;
  /** The currency, a 3-letter code; sent in lower case (*shown*), also if it is in upper case, as responses have it. */
  currency: string;
  /** How many, an integer (*shown*) from 1 (*inferred*). */
  quantity: number;
}

/** What the page asks the buyer for. The service chooses omitted fields (*inferred*). */
type CollectConfigParams = {
  -readonly [Name in keyof CollectConfig]?: CollectConfig[Name] | undefined;
};

/** Parameters that create a session. */
export interface CheckoutSessionCreateParams {
  /** What the session is for (*shown*: `payment`; *inferred*: `subscription`). */
  mode: OrUnlisted<'payment' | 'subscription'>;
  /**
   * The lines that are sold (*shown*), at least one (*inferred*). All have one currency, as the session has, and together
   * at most 9,007,199,254,740,991 minor units, which a number holds exactly.
   */
  line_items: readonly CheckoutLineItemParams[];
  /**
   * Where the buyer goes after paying (*shown*): an absolute URL with your order's id in it, since no placeholder for the
   * session's id is shown. A link of an app passes; `javascript:`, `data:`, `vbscript:`, `blob:` and `file:` are refused, as in every
   * parameter whose name ends in `url`. Optional (*inferred*).
   */
  success_url?: string | undefined;
  /** Where the buyer goes after canceling (*shown*), as `success_url`. Optional (*inferred*). */
  cancel_url?: string | undefined;
  /** Your own reference (*inferred* from the session's field). The service may drop it: find the order by the session's `id`. */
  client_reference_id?: string | undefined;
  /** A customer's id (*inferred* from the session's field). */
  customer?: IdInput<'customer'> | undefined;
  /** The buyer's e-mail address (*inferred* from the session's field). */
  customer_email?: string | undefined;
  /** The page's language (*inferred* from the session's field). */
  locale?: string | undefined;
  /** Your own data (*inferred* from the session's field). */
  metadata?: Record<string, string> | undefined;
  /** What the page asks the buyer for (*inferred* from the session's field). Default: the service chooses. */
  collect_config?: CollectConfigParams | undefined;
}

/** Returns a line with its currency in lower case, as requests show it. Responses, from which it may come, have upper case. */
function inLowerCase(line: unknown): unknown {
  if (!isRecord(line) || typeof line['currency'] !== 'string') return line;
  return { ...line, currency: line['currency'].toLowerCase() };
}

const prepare: Prepare = (params) => {
  const { line_items } = params;
  return Array.isArray(line_items) ? { ...params, line_items: line_items.map(inLowerCase) } : params;
};

const modeText = "a mode, 'payment' or 'subscription'";
const lowerCaseCurrency = "a 3-letter currency code in lower case, such as 'usd'";

/** The parameters that create a session. */
export const checkoutSessionCreateSchema: s.Schema<CheckoutSessionCreateParams> = /* @__PURE__ */ s.lazily(
  () =>
    s.object({
      mode: openEnum<CheckoutSession['mode']>(s.filled(modeText)),
      line_items: s
        .array(
          s.object({
            name: s.filled(),
            amount: amountParam(0),
            currency: s.string(lowerCaseCurrency).check(s.regex(/^[a-z]{3}$/, lowerCaseCurrency)),
            quantity: quantityParam(),
          }),
        )
        .check(
          s.notEmpty(),
          oneCurrency(),
          exactTotal(({ amount, quantity }: CheckoutLineItemParams) => amount * quantity),
        ),
      success_url: s.optional(s.filled()),
      cancel_url: s.optional(s.filled()),
      client_reference_id: s.optional(s.filled()),
      customer: s.optional(idParam('customer')),
      customer_email: s.optional(s.filled()),
      locale: s.optional(s.filled()),
      metadata: metadataParam(),
      collect_config: s.optional(s.partial(s.object(collectConfigFields()))),
    }),
);

const checkoutSessions: CollectionDefinition<CheckoutSession> = {
  name: 'checkoutSessions',
  object: 'checkout_session',
  plurals: ['checkout_sessions', 'checkoutSessions', 'sessions'],
  idKind: 'checkout_session',
  schema: checkoutSessionSchema,
};

const pageUrl = 'checkoutSessions.pageUrl';

/** `payments.checkoutSessions`: hosted checkouts. */
export class CheckoutSessions extends StatefulCollection<CheckoutSession, 'checkout_session'> {
  readonly #page: string | undefined;

  /** @internal */
  constructor(api: Api) {
    super(api, checkoutSessions);
    this.#page = api.checkoutPage;
  }

  /**
   * Returns the address of a session's hosted page, where the buyer pays: redirect the buyer to it. Sends nothing. The interface
   * shows no address, so it comes from the client's option `checkoutPage` (*inferred*).
   *
   * @throws ConfigurationError when the client has no `checkoutPage`.
   * @throws InvalidRequestError when the session has no `id`, or that of another kind.
   *
   * @example
   * response.redirect(303, payments.checkoutSessions.pageUrl(session));
   */
  pageUrl(session: { readonly id: IdInput<'checkout_session'> }): string {
    const { id }: { readonly id?: unknown } = Object(session);
    const issues = idIssues('session.id', id, 'checkout_session');
    if (issues.length > 0) throw invalidRequest(pageUrl, issues, '');
    return fillPath(pageUrl, this.#page ?? refuseWithoutPage(), { id });
  }

  /**
   * Creates a session (*shown*). Emits `checkout.session.created`. For an order, use `createOrders` of `payments-client/orders`: it also
   * compares what was paid, and gives back what was too much.
   * The session does not contain the address of its page: `pageUrl(session)` returns it.
   *
   * @throws InvalidRequestError when a parameter is wrong or there is no `operationId`; nothing was sent.
   * @throws ApiError when the service rejects the request.
   */
  create(params: CheckoutSessionCreateParams, withOperationId: WithOperationId): ApiPromise<CheckoutSession> {
    const body = { params, schema: checkoutSessionCreateSchema, prepare };
    return this.send('create', { body, options: withOperationId, returns: checkoutSessions });
  }

  /** Expires an open session: it can no longer be paid (*inferred* path). */
  expire(id: IdInput<'checkout_session'>, options?: WriteOptions): ApiPromise<CheckoutSession> {
    return this.send('expire', { id, options, returns: checkoutSessions });
  }

  /** Retrieves a session with the resources that it refers to (*inferred* path; the interface does not show which). */
  expand(id: IdInput<'checkout_session'>, options?: RequestOptions): ApiPromise<CheckoutSession> {
    return this.send('expand', { id, options, returns: checkoutSessions });
  }

  /** Refunds a completed session, or a part of its amount (*inferred* path and parameters). */
  refund<Given>(
    id: IdInput<'checkout_session'>,
    params: PartialRefundParams & Definite<Given, 'amount', number>,
    withOperationId: WithOperationId,
  ): ApiPromise<Refund> {
    const body = { params, schema: partialRefundSchema };
    return this.send('refund', { id, body, options: withOperationId, returns: refunds });
  }
}
