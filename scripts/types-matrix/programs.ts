/**
 * The programs that `check-types.ts` and `bench-types.ts` compile. Each text is an ES module, a CommonJS module and a bundled
 * module at once, so it has no top-level await, and it uses no global, so it needs neither the DOM nor Node.
 *
 * The lines under `@ts-expect-error` must not compile. Where declarations have decayed to `any` they do, and then
 * the compiler reports the comment itself.
 */

/** A merchant's program. It also sells by card and uses the sandbox, so it does more than its counterpart. */
export const ours = `
import { ApiError, type PaymentIntent, PaymentsClient, PaymentsError } from 'payments-client';
import { createSandbox } from 'payments-client/sandbox';

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
`;

/** What uses the entries beside these that need no other package. */
export const entries = `
import { loadGateway, type ThreeDSecureResult } from 'payments-client/browser';
import { readAvs } from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { type Receiver, type WebhookEvent, Webhooks } from 'payments-client/webhooks';

export const receiver: Receiver = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }).receiver({
  store: memoryStore(),
  on: { 'refund.failed': ({ data }) => data.object.failure_message },
});

export function amountOf(event: WebhookEvent): number {
  return event.type === 'refund.failed' ? event.data.object.amount : 0;
}

export async function authenticate(token: string): Promise<ThreeDSecureResult> {
  const gateway = await loadGateway({ baseUrl: 'https://payments.test', apiKey: 'pk_1', environment: 'live' });
  return gateway.threeDSecure.authenticate(token);
}

// @ts-expect-error: a code of the address check is text
export const wrongCode = readAvs(7);
// @ts-expect-error: a field of a refund is not a number
export const wrongStatus = (event: WebhookEvent<'refund.failed'>): number => event.data.object.status;
// @ts-expect-error: the environment is missing
export const wrongOptions = () => loadGateway({ baseUrl: 'https://payments.test', apiKey: 'pk_1' });
`;

/** What uses the entry for React. */
export const react = `
import { CardFields, useGateway } from 'payments-client/react';

export function checkout(): unknown {
  const { gateway } = useGateway({ baseUrl: 'https://payments.test', apiKey: 'pk_1', environment: 'sandbox' });
  return CardFields({ src: 'https://payments.test/js/CollectJS.js', onToken: (token) => gateway?.risk ?? token });
}

// @ts-expect-error: what is done with the token is missing
export const wrongFields = () => CardFields({ src: 'https://payments.test/js/CollectJS.js' });
`;

/** What uses the entry for msw. */
export const msw = `
import type { HttpHandler } from 'msw';
import { createSandbox } from 'payments-client/sandbox';
import { sandboxHandlers } from 'payments-client/sandbox/msw';

export const handlers: HttpHandler[] = sandboxHandlers(createSandbox(), 'https://payments.test');

// @ts-expect-error: the address that handlers answer for is missing
export const wrongHandlers = sandboxHandlers(createSandbox());
// @ts-expect-error: a handler is not text
export const wrongHandler: string = handlers[0];
`;

/** The same as the merchant's program for stripe-node: an intent, a list, a refund, and errors told apart. */
export const stripe = `
import Stripe from 'stripe';

const payments = new Stripe('sk_test_types');
const order = { amount: 1200, currency: 'usd' };

export async function pay(): Promise<string> {
  try {
    const intent: Stripe.PaymentIntent = await payments.paymentIntents.create(order, { idempotencyKey: 'order-1' });
    const ids: string[] = [];
    for await (const { id } of payments.paymentIntents.list({ limit: 10 })) ids.push(id);
    const refund = await payments.refunds.create({ payment_intent: intent.id }, { idempotencyKey: 'return-1' });
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
    if (error instanceof Stripe.errors.StripeError && error.type === 'StripeConnectionError') return error.type;
    throw error;
  }
}
`;
