/**
 * The first call: creates a checkout session for your order, once even if you call again, and shows the fields of an error.
 *
 * Run it: `npm run example -- quick-start`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY.
 */

import { PaymentsClient, PaymentsError, toDecimalAmount } from 'payments-client';

const payments = new PaymentsClient(); // PAYMENTS_BASE_URL and PAYMENTS_SECRET_KEY

/** Starts the checkout of an order. A second call for the same order returns the same session. */
function checkOut(orderId: string) {
  return payments.checkoutSessions.create(
    {
      mode: 'payment',
      line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 2 }],
      success_url: 'https://shop.example/thanks',
      cancel_url: 'https://shop.example/cart',
    },
    { operationId: orderId },
  );
}

try {
  const session = await checkOut('order-1042');
  const total = toDecimalAmount(session.amount_total, session.currency);
  console.log(`${session.id} is ${session.status}, ${total} ${session.currency}`);
  const again = await checkOut('order-1042');
  console.log(again.id === session.id ? 'asked again: the same session' : 'asked again: another session!');
} catch (error) {
  if (!(error instanceof PaymentsError)) throw error;
  // With any outcome it is safe to call again with the same operationId.
  console.error(`${error.outcome}: ${error.message}`);
  process.exitCode = 1;
}
