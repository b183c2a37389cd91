/** What the server sends: the same bytes to each library, in a form that all of them accept. */

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

/** The response to a payment. */
export const payment = Buffer.from(JSON.stringify(paymentIntent));

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The event of a payment. */
export const webhookBody = Buffer.from(
  JSON.stringify({
    id: 'evt_1',
    type: 'payment_intent.succeeded',
    api_version: '2026-01-31',
    created: '2026-01-31T12:00:00Z',
    livemode: false,
    operations: ['refund'],
    data: { object: paymentIntent },
  }),
);

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

/** A page of 100 customers. Their numbers go down from the newest. */
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
