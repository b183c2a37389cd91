import type { CheckoutSession, Customer, PaymentIntent, Refund, UntypedResource } from 'payments-client';

const times = { created_at: 1_790_000_000, updated_at: 1_790_000_000 };

export const paymentIntent: PaymentIntent = {
  id: 'pi_1',
  object: 'payment_intent',
  livemode: false,
  amount: 1200,
  currency: 'USD',
  capture_method: 'automatic',
  status: 'requires_payment_method',
  client_secret: null,
  customer: null,
  payment_method: null,
  latest_charge_id: null,
  merchant_id: 'mer_1',
  metadata: {},
  ...times,
};

export const refund: Refund = {
  id: 'rf_1',
  object: 'refund',
  livemode: false,
  amount: 1200,
  currency: 'USD',
  charge_id: 'ch_1',
  payment_intent_id: 'pi_1',
  status: 'pending',
  reason: null,
  failure_message: null,
  terminal_id: null,
  settled_at: null,
  settlement_batch_id: null,
  ...times,
};

export const customer: Customer = {
  id: 'cus_1',
  object: 'customer',
  livemode: false,
  deleted: false,
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+15550100',
  billing_address: null,
  shipping: null,
  creation_source: 'api',
  payment_settings: {},
  merchant_id: 'mer_1',
  metadata: {},
  ...times,
};

export const checkoutSession: CheckoutSession = {
  id: 'cs_1',
  object: 'checkout_session',
  livemode: false,
  amount_subtotal: 1200,
  amount_total: 1200,
  currency: 'USD',
  mode: 'payment',
  status: 'open',
  payment_status: 'unpaid',
  ui_mode: 'hosted',
  submit_type: 'auto',
  success_url: 'https://shop.example/thanks',
  cancel_url: null,
  client_reference_id: null,
  customer: null,
  customer_email: null,
  locale: null,
  payment_intent_id: null,
  merchant_id: 'mer_1',
  metadata: {},
  ...times,
  expires_at: 1_790_086_400,
  collect_config: {
    address: 'required',
    email: 'required',
    name: 'required',
    phone: 'hidden',
    require_full_billing_address: false,
    require_phone: false,
    require_shipping_address: false,
    wallet_billing_mode: 'min',
  },
  line_items: [
    {
      id: 'li_1',
      name: 'Tea',
      amount: 1200,
      currency: 'USD',
      quantity: 1,
      fulfillment_type: 'digital',
      tip_eligible: false,
    },
  ],
};

export function product(id: string): UntypedResource {
  return { id, object: 'product', livemode: false };
}

/** Minimal parameters of each create method. */
export const intentParams = { amount: 1200, currency: 'usd' };
export const sessionParams = {
  mode: 'payment' as const,
  line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }],
  success_url: 'https://shop.example/thanks',
  cancel_url: 'https://shop.example/cart',
};
export const refundParams = { payment_intent_id: 'pi_1' };
export const saleParams = { amount: '12.00', payment_token: 'tok_unit' };
