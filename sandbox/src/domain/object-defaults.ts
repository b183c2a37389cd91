import type { CheckoutLineItem, CreditNoteLine, Customer, InvoiceLine, TerminalBatch } from 'payments-client';
import type { CollectConfig } from '../base/interface-types.ts';
import { hour, second } from '../base/time.ts';
import type { SandboxKind, SandboxObjects } from './records/records.ts';
import type { State } from './state.ts';
import { timings } from './timings.ts';

export type Defaults = { readonly [Kind in SandboxKind]: (state: State) => SandboxObjects[Kind] };

const amount = 1200;
const currency = 'USD';

const collectConfig: CollectConfig = {
  address: 'hidden',
  email: 'required',
  name: 'required',
  phone: 'hidden',
  require_full_billing_address: false,
  require_phone: false,
  require_shipping_address: false,
  wallet_billing_mode: 'min',
};

const emptyTotals: TerminalBatch['totals'] = {
  fees: 0,
  net: 0,
  refunds: 0,
  sales: 0,
  tax: 0,
  tips: 0,
  voids: 0,
};

/** Returns the values of a customer's details that nobody gave, which null sets too. */
export function emptyCustomer() {
  return {
    // The interface does not allow null for these four, so an unknown one is an empty string.
    first_name: '',
    last_name: '',
    email: '',
    phone: '',
    billing_address: null,
    shipping: null,
    payment_settings: {},
    metadata: {},
  } satisfies Partial<Customer>;
}

const unsettled = { settled_at: null, settlement_batch_id: null };

function lineItem({ ids }: State): CheckoutLineItem {
  return {
    id: ids.next('li'),
    name: 'Tea',
    amount,
    currency,
    quantity: 1,
    fulfillment_type: 'digital',
    tip_eligible: false,
  };
}

function invoiceLine({ ids }: State): InvoiceLine {
  return { id: ids.next('il'), description: 'Tea', quantity: 1, unit_amount: amount, amount, currency };
}

function creditNoteLine({ ids }: State): CreditNoteLine {
  return {
    id: ids.next('cnl'),
    object: 'credit_note_line_item',
    livemode: false,
    type: 'custom_line_item',
    invoice_line_item: null,
    description: 'Tea',
    quantity: 1,
    unit_amount: amount,
    amount,
    tax: 0,
  };
}

/** Returns the order of the first snapshot of a Connect object, in a sequence of its own. */
function firstSnapshot(version_scope: 'account' | 'connection' | 'account_link') {
  return { version: 1, version_scope };
}

/** Returns a document number that customers see. Each kind counts from 1. */
function documentNumber(prefix: string, earlier: number): string {
  return `${prefix}-${String(earlier + 1).padStart(6, '0')}`;
}

/**
 * Creates an object of each kind with defaults: new, in its initial state, with an amount of 12.00 USD. Handlers and
 * tests override the fields that they set.
 */
export const defaults: Defaults = {
  checkout_session: (state) => {
    const common = state.commonFields('checkout_session');
    return {
      ...common,
      amount_subtotal: amount,
      amount_total: amount,
      currency,
      mode: 'payment',
      status: 'open',
      payment_status: 'unpaid',
      ui_mode: 'hosted',
      submit_type: 'auto',
      success_url: null,
      cancel_url: null,
      client_reference_id: null,
      customer: null,
      customer_email: null,
      locale: null,
      payment_intent_id: null,
      merchant_id: state.merchantId,
      metadata: {},
      expires_at: common.created_at + timings.sessionExpires / second,
      collect_config: collectConfig,
      line_items: [lineItem(state)],
    };
  },
  payment_intent: (state) => {
    const common = state.commonFields('payment_intent');
    return {
      ...common,
      amount,
      currency,
      capture_method: 'automatic',
      status: 'requires_payment_method',
      client_secret: `${common.id}_secret_${state.ids.text()}`,
      customer: null,
      payment_method: null,
      latest_charge_id: null,
      merchant_id: state.merchantId,
      metadata: {},
    };
  },
  charge: (state) => ({
    ...state.commonFields('charge'),
    intent_id: state.ids.next('pi'),
    payment_method: state.ids.next('pm'),
    amount,
    amount_refunded: 0,
    currency,
    authorization_code: state.ids.digits(6),
    status: 'succeeded',
    decline_code: null,
    decline_type: null,
    failure_message: null,
    ...unsettled,
  }),
  refund: (state) => ({
    ...state.commonFields('refund'),
    amount,
    currency,
    charge_id: state.ids.next('ch'),
    payment_intent_id: state.ids.next('pi'),
    status: 'pending',
    reason: null,
    failure_message: null,
    terminal_id: null,
    ...unsettled,
  }),
  customer: (state) => ({
    ...state.commonFields('customer'),
    deleted: false,
    ...emptyCustomer(),
    creation_source: 'api',
    merchant_id: state.merchantId,
  }),
  invoice: (state) => {
    const common = state.commonFields('invoice');
    return {
      ...common,
      number: documentNumber('INV', state.objects.invoice.size),
      status: 'open',
      collection_method: 'charge_automatically',
      customer: state.ids.next('cus'),
      currency,
      subtotal: amount,
      tax: 0,
      total: amount,
      amount_paid: 0,
      amount_remaining: amount,
      attempt_count: 0,
      allow_save_card: false,
      finalized_at: common.created_at,
      lines: [invoiceLine(state)],
      metadata: {},
    };
  },
  subscription: (state) => {
    const common = state.commonFields('subscription');
    return {
      ...common,
      status: 'incomplete',
      collection_method: 'send_invoice',
      customer: state.ids.next('cus'),
      billing_cycle_anchor: common.created_at,
      current_period_start: common.created_at,
      current_period_end: common.created_at + timings.subscriptionPeriod / second,
      cancel_at_period_end: false,
      items: [{ id: state.ids.next('si'), price: state.ids.next('price'), quantity: 1, metadata: {} }],
      metadata: {},
    };
  },
  credit_note: (state) => {
    // Credit notes name their times differently.
    const { id, object, livemode, created_at: created } = state.commonFields('credit_note');
    return {
      id,
      object,
      livemode,
      number: documentNumber('CN', state.objects.credit_note.size),
      invoice: state.ids.next('inv'),
      customer: state.ids.next('cus'),
      currency,
      status: 'issued',
      reason: 'product_unsatisfactory',
      type: 'post_payment',
      subtotal: amount,
      tax: 0,
      total: amount,
      amount_refunded: 0,
      out_of_band_amount: 0,
      refund: null,
      memo: null,
      lines: [creditNoteLine(state)],
      metadata: {},
      created,
      effective_at: created,
      voided_at: null,
    };
  },
  terminal_batch: (state) => {
    const common = state.commonFields('terminal_batch');
    return {
      ...common,
      status: 'closed',
      reconciliation_status: 'pending',
      currency,
      terminal_ids: [state.ids.next('tmr')],
      settlement_profile_id: state.ids.next('stlp'),
      merchant_id: state.merchantId,
      totals: emptyTotals,
      transaction_count: 0,
      matched_item_count: 0,
      unmatched_item_count: 0,
      opened_at: common.created_at,
      closed_at: common.created_at,
      reconciled_at: null,
      data_as_of: common.created_at,
      stale_after: common.created_at + hour / second,
      is_stale: false,
    };
  },
  product: (state) => ({ ...state.commonFields('product') }),
  price: (state) => ({ ...state.commonFields('price') }),
  payment_method: (state) => ({ ...state.commonFields('payment_method') }),
  terminal: (state) => ({ ...state.commonFields('terminal') }),
  settlement_profile: (state) => ({ ...state.commonFields('settlement_profile') }),
  api_key: (state) => ({ ...state.commonFields('api_key') }),
  webhook_endpoint: (state) => ({ ...state.commonFields('webhook_endpoint') }),
  account: (state) => ({
    ...state.commonFields('account'),
    ...firstSnapshot('account'),
    payments_enabled: false,
  }),
  connection: (state) => ({
    ...state.commonFields('connection'),
    ...firstSnapshot('connection'),
    status: 'active',
  }),
  account_link: (state) => ({
    ...state.commonFields('account_link'),
    ...firstSnapshot('account_link'),
    status: 'open',
  }),
};
