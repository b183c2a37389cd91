/**
 * The field tables of the service's interface, written down by hand as data. They come from the interface and not
 * from the schemas, so that a test can hold one against the other.
 */

/** What the ids of each kind of object begin with. */
export const idPrefixes = {
  checkout_session: 'cs_',
  checkout_line_item: 'li_',
  payment_intent: 'pi_',
  charge: 'ch_',
  refund: 'rf_',
  invoice: 'inv_',
  invoice_line: 'il_',
  subscription: 'sub_',
  subscription_item: 'si_',
  price: 'price_',
  credit_note: 'cn_',
  credit_note_line: 'cnl_',
  customer: 'cus_',
  payment_method: 'pm_',
  merchant: 'mer_',
  terminal_batch: 'tmb_',
  terminal: 'tmr_',
  settlement_profile: 'stlp_',
  event: 'evt_',
} as const;

export type IdPrefix = (typeof idPrefixes)[keyof typeof idPrefixes];

/** The resources whose fields the interface lists. */
export type ObjectName =
  | 'checkout_session'
  | 'payment_intent'
  | 'charge'
  | 'refund'
  | 'invoice'
  | 'subscription'
  | 'credit_note'
  | 'customer'
  | 'terminal_batch';

/** `metadata` is an object of strings; of another `object` only a nested table tells the fields. */
export type FieldType = 'string' | 'integer' | 'boolean' | 'object' | 'metadata' | 'string[]' | 'object[]';

export interface FieldRow {
  readonly field: string;
  readonly type: FieldType;
  /** Whether the row says that it may be null. */
  readonly nullable: boolean;
  /** Whether the row says that it is present in some cases only. */
  readonly optional: boolean;
  /** For an id, or a list of ids: what it begins with. */
  readonly prefix?: IdPrefix;
  /** For an enumeration: the values that occur. There may be others. */
  readonly known?: readonly string[];
  /** For a type's name: the only value that it may have. */
  readonly literal?: string;
}

type Notes = Partial<Omit<FieldRow, 'field' | 'type'>>;

const row = (field: string, type: FieldType, notes: Notes = {}): FieldRow => ({
  field,
  type,
  nullable: false,
  optional: false,
  ...notes,
});

/** One row of the interface that names several fields. */
const rows = (fields: readonly string[], type: FieldType, notes?: Notes): readonly FieldRow[] =>
  fields.map((field) => row(field, type, notes));

const orNull: Notes = { nullable: true };
/** The interface does not say whether such a field is otherwise absent or null, so both are accepted. */
const whenPresent: Notes = { optional: true, nullable: true };
const known = (...values: string[]): Notes => ({ known: values });

/** What every resource has, by the general conventions. */
const base = (name: ObjectName) => [
  row('object', 'string', { literal: name }),
  row('livemode', 'boolean'),
  row('id', 'string', { prefix: idPrefixes[name] }),
];

const merchant = row('merchant_id', 'string', { prefix: 'mer_' });
const currency = row('currency', 'string');
const metadata = row('metadata', 'metadata');
const changes = rows(['created_at', 'updated_at'], 'integer');

export const fieldTables: Readonly<Record<ObjectName, readonly FieldRow[]>> = {
  checkout_session: [
    ...base('checkout_session'),
    ...rows(['amount_subtotal', 'amount_total'], 'integer'),
    currency,
    row('mode', 'string', known('payment')),
    row('status', 'string', known('open', 'complete', 'expired')),
    row('payment_status', 'string', known('unpaid', 'paid')),
    row('ui_mode', 'string', known('hosted')),
    row('submit_type', 'string', known('auto')),
    ...rows(['success_url', 'cancel_url', 'client_reference_id'], 'string', orNull),
    row('customer', 'string', { prefix: 'cus_', nullable: true }),
    ...rows(['customer_email', 'locale'], 'string', orNull),
    row('payment_intent_id', 'string', { prefix: 'pi_', nullable: true }),
    merchant,
    metadata,
    ...changes,
    row('expires_at', 'integer'),
    row('collect_config', 'object'),
    row('line_items', 'object[]'),
  ],

  payment_intent: [
    ...base('payment_intent'),
    row('amount', 'integer'),
    currency,
    row('capture_method', 'string', known('automatic')),
    row('status', 'string', known('requires_payment_method', 'requires_action', 'succeeded', 'canceled')),
    row('client_secret', 'string', orNull),
    row('customer', 'string', { prefix: 'cus_', nullable: true }),
    row('payment_method', 'string', { prefix: 'pm_', nullable: true }),
    row('latest_charge_id', 'string', { prefix: 'ch_', nullable: true }),
    merchant,
    metadata,
    ...changes,
  ],

  charge: [
    ...base('charge'),
    row('intent_id', 'string', { prefix: 'pi_' }),
    row('payment_method', 'string', { prefix: 'pm_' }),
    ...rows(['amount', 'amount_refunded'], 'integer'),
    currency,
    row('authorization_code', 'string'),
    row('status', 'string', known('succeeded')),
    ...rows(['decline_code', 'decline_type', 'failure_message'], 'string', orNull),
    row('settled_at', 'integer', orNull),
    row('settlement_batch_id', 'string', { prefix: 'tmb_', nullable: true }),
    ...changes,
  ],

  refund: [
    ...base('refund'),
    row('amount', 'integer'),
    currency,
    row('charge_id', 'string', { prefix: 'ch_' }),
    row('payment_intent_id', 'string', { prefix: 'pi_' }),
    row('status', 'string', known('pending', 'succeeded', 'failed')),
    row('reason', 'string', orNull),
    row('failure_message', 'string', { nullable: true, ...known('already_refunded') }),
    row('terminal_id', 'string', { prefix: 'tmr_', nullable: true }),
    row('settled_at', 'integer', orNull),
    row('settlement_batch_id', 'string', { prefix: 'tmb_', nullable: true }),
    ...changes,
  ],

  invoice: [
    ...base('invoice'),
    row('number', 'string'),
    row('status', 'string', known('open', 'paid', 'uncollectible')),
    row('collection_method', 'string', known('charge_automatically', 'send_invoice')),
    row('collection_payment_method_id', 'string', { prefix: 'pm_', ...whenPresent }),
    row('customer', 'string', { prefix: 'cus_' }),
    currency,
    ...rows(['subtotal', 'tax', 'total', 'amount_paid', 'amount_remaining', 'attempt_count'], 'integer'),
    row('allow_save_card', 'boolean'),
    row('next_payment_attempt_at', 'integer', whenPresent),
    // The interface marks neither as absent before it happens.
    row('finalized_at', 'integer'),
    // The table has no note here, but an open invoice was not paid at any time.
    row('paid_at', 'integer', whenPresent),
    ...changes,
    row('payment_intent', 'string', { prefix: 'pi_', ...whenPresent }),
    row('lines', 'object[]'),
    metadata,
  ],

  subscription: [
    ...base('subscription'),
    row('status', 'string', known('incomplete', 'canceled')),
    row('collection_method', 'string', known('send_invoice')),
    row('customer', 'string', { prefix: 'cus_' }),
    ...rows(['billing_cycle_anchor', 'current_period_start', 'current_period_end'], 'integer'),
    row('cancel_at_period_end', 'boolean'),
    ...rows(['canceled_at', 'ended_at'], 'integer', whenPresent),
    row('items', 'object[]'),
    metadata,
    ...changes,
  ],

  // Credit notes have timestamps of their own names.
  credit_note: [
    ...base('credit_note'),
    row('number', 'string'),
    row('invoice', 'string', { prefix: 'inv_' }),
    row('customer', 'string', { prefix: 'cus_' }),
    currency,
    row('status', 'string', known('issued', 'void')),
    row('reason', 'string', known('product_unsatisfactory')),
    row('type', 'string', known('post_payment')),
    ...rows(['subtotal', 'tax', 'total', 'amount_refunded', 'out_of_band_amount'], 'integer'),
    row('refund', 'string', { prefix: 'rf_', nullable: true }),
    row('memo', 'string', orNull),
    row('lines', 'object[]'),
    metadata,
    ...rows(['created', 'effective_at'], 'integer'),
    row('voided_at', 'integer', orNull),
  ],

  customer: [
    ...base('customer'),
    row('deleted', 'boolean'),
    ...rows(['first_name', 'last_name', 'email', 'phone'], 'string'),
    ...rows(['billing_address', 'shipping'], 'object', orNull),
    row('creation_source', 'string', known('api')),
    row('payment_settings', 'object'),
    merchant,
    metadata,
    ...changes,
  ],

  terminal_batch: [
    ...base('terminal_batch'),
    row('status', 'string', known('closed')),
    row('reconciliation_status', 'string', known('pending', 'reconciled', 'incomplete', 'needs_attention')),
    currency,
    row('terminal_ids', 'string[]', { prefix: 'tmr_' }),
    row('settlement_profile_id', 'string', { prefix: 'stlp_' }),
    merchant,
    row('totals', 'object'),
    ...rows(['transaction_count', 'matched_item_count', 'unmatched_item_count'], 'integer'),
    ...rows(['opened_at', 'closed_at'], 'integer'),
    ...changes,
    row('reconciled_at', 'integer', orNull),
    ...rows(['data_as_of', 'stale_after'], 'integer'),
    row('is_stale', 'boolean'),
  ],
};

/** The tables of objects inside resources, by resource and field. They have no `object` unless the row says so. */
export const nestedTables: Readonly<Record<`${ObjectName}.${string}`, readonly FieldRow[]>> = {
  'checkout_session.collect_config': [
    ...rows(['address', 'email', 'name', 'phone'], 'string', known('required', 'hidden')),
    ...rows(['require_full_billing_address', 'require_phone', 'require_shipping_address'], 'boolean'),
    row('wallet_billing_mode', 'string', known('min')),
  ],

  'checkout_session.line_items': [
    row('id', 'string', { prefix: 'li_' }),
    row('name', 'string'),
    row('amount', 'integer'),
    currency,
    row('quantity', 'integer'),
    row('fulfillment_type', 'string', known('digital')),
    row('tip_eligible', 'boolean'),
  ],

  'invoice.lines': [
    row('id', 'string', { prefix: 'il_' }),
    row('description', 'string'),
    ...rows(['quantity', 'unit_amount', 'amount'], 'integer'),
    currency,
  ],

  'subscription.items': [
    row('id', 'string', { prefix: 'si_' }),
    row('price', 'string', { prefix: 'price_' }),
    row('quantity', 'integer'),
    metadata,
  ],

  'credit_note.lines': [
    row('id', 'string', { prefix: 'cnl_' }),
    row('object', 'string', { literal: 'credit_note_line_item' }),
    row('type', 'string', known('custom_line_item')),
    row('invoice_line_item', 'string', { prefix: 'il_', nullable: true }),
    row('description', 'string'),
    ...rows(['quantity', 'unit_amount'], 'integer', orNull),
    ...rows(['amount', 'tax'], 'integer'),
    row('livemode', 'boolean'),
  ],

  'terminal_batch.totals': rows(['fees', 'net', 'refunds', 'sales', 'tax', 'tips', 'voids'], 'integer'),
};
