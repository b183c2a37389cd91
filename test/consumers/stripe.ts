import Stripe from 'stripe';

const payments = new Stripe('sk_test_types');
const order = { amount: 1200, currency: 'usd' };

export async function pay(): Promise<string> {
  try {
    const intent: Stripe.PaymentIntent = await payments.paymentIntents.create(order, {
      idempotencyKey: 'order-1',
    });
    const ids: string[] = [];
    for await (const { id } of payments.paymentIntents.list({ limit: 10 })) ids.push(id);
    const refund = await payments.refunds.create(
      { payment_intent: intent.id },
      { idempotencyKey: 'return-1' },
    );
    // @ts-expect-error: a required parameter is missing
    await payments.paymentIntents.create({ amount: 1200 });
    // @ts-expect-error: a typo in a field of a result
    ids.push(intent.latest_charge_di);
    // @ts-expect-error: a typo in a parameter
    await payments.paymentIntents.create({ ...order, custmer: 'cus_1' }, { idempotencyKey: 'order-2' });
    // @ts-expect-error: a field of a refund is not a number
    const wrong: number = refund.status;
    return refund.id + refund.lastResponse.statusCode + wrong + ids.join();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) return error.statusCode + error.message;
    if (error instanceof Stripe.errors.StripeError && error.type === 'StripeConnectionError')
      return error.type;
    throw error;
  }
}
