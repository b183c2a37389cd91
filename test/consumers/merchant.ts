import { ApiError, type PaymentIntent, PaymentsClient, PaymentsError } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';

const { url, secretKey, fetch } = createSandbox();
const payments = new PaymentsClient({ baseUrl: url, secretKey, securityKey: 'security-key', fetch });
const order = { amount: 1200, currency: 'usd' };

export async function pay(): Promise<string> {
  try {
    const intent: PaymentIntent = await payments.paymentIntents.create(order, { operationId: 'order-1' });
    const ids: string[] = [];
    for await (const { id } of payments.paymentIntents.list({ limit: 10 })) ids.push(id);
    const returned = payments.refunds.create({ payment_intent_id: intent.id }, { operationId: 'return-1' });
    const { data: refund, response } = await returned.withResponse();
    const sale = await payments.transact.sale({ amount: '12.00', payment_token: 'token' });
    // @ts-expect-error: money moves, so the business operation needs a name
    await payments.paymentIntents.create(order);
    // @ts-expect-error: a typo in a field of a result
    ids.push(intent.latest_charge_di);
    // @ts-expect-error: a typo in a parameter
    await payments.paymentIntents.create({ ...order, custmer: 'cus_1' }, { operationId: 'order-2' });
    // @ts-expect-error: a field of a refund is not a number
    const wrong: number = refund.status;
    return sale.approved ? sale.transactionid : refund.id + response.status + wrong + ids.join();
  } catch (error) {
    if (error instanceof ApiError) return error.status + error.message;
    if (error instanceof PaymentsError && error.outcome === 'unknown') return error.outcome;
    throw error;
  }
}
