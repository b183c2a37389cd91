/** What the server answers with: the same bytes to every library, in a form that all of them take. */

const day = 86_400;
const start = 1_767_225_600;

const paymentIntent = {
  id: 'pi_3f6a0d5c9b1e4a72',
  object: 'payment_intent',
  livemode: false,
  amount: 1200,
  currency: 'usd',
  capture_method: 'automatic',
  status: 'succeeded',
  client_secret: 'pi_3f6a0d5c9b1e4a72_secret_0a1b2c3d4e5f',
  customer: 'cus_9b1e4a72',
  payment_method: 'pm_5c9b1e4a72',
  latest_charge_id: 'ch_5c9b1e4a72',
  merchant_id: 'mer_1f6a0d5c',
  metadata: { order: '1042', shop: 'tea' },
  created_at: start,
  updated_at: start + day,
};

/** The answer to a payment. */
export const payment = JSON.stringify(paymentIntent);

/** The answer to a payment of Square, whose library refuses any other form. */
export const squarePayment = JSON.stringify({
  payment: {
    id: 'GQTFp1ZlXdpoW4o6eGiZhbjosiDFf',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:01Z',
    amount_money: { amount: 1200, currency: 'USD' },
    total_money: { amount: 1200, currency: 'USD' },
    status: 'COMPLETED',
    source_type: 'CARD',
    location_id: 'L88917AVBK2S5',
    order_id: 'pRsjRTgFWATl7so6DxdKBJa7ssbZY',
    reference_id: '1042',
    note: 'Order 1042: two pounds of tea and a pot',
    customer_id: 'W92WH6P11H4Z77CTET0RNTGFW8',
  },
});

function customer(number: number): object {
  return {
    id: `cus_${number}`,
    object: 'customer',
    livemode: false,
    deleted: false,
    first_name: 'Ada',
    last_name: `Buyer ${number}`,
    email: `buyer${number}@shop.example`,
    phone: '+1 555 0100',
    billing_address: { line1: '1 Main Street', city: 'Springfield', postal_code: '12345', country: 'US' },
    shipping: { name: 'Ada Buyer' },
    creation_source: 'api',
    payment_settings: {},
    merchant_id: 'mer_1f6a0d5c',
    metadata: { order: String(number), shop: 'tea' },
    created_at: start + number,
    updated_at: start + number + day,
  };
}

/** A page of 100 customers, of so many in all; their numbers go down from the newest. */
export function pageAfter(after: number, total: number): string {
  const first = Number.isNaN(after) ? total : after - 1;
  const length = Math.min(100, first);
  const data = Array.from({ length }, (_, index) => customer(first - index));
  const last = first - length + 1;
  return JSON.stringify({
    object: 'list',
    url: '/v1/customers',
    data,
    has_more: last > 1,
    next_cursor: last > 1 ? `cus_${last}` : null,
  });
}
