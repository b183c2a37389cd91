import type { PaymentsClient } from 'payments-client';
import { loadGateway } from 'payments-client/browser';
import { readChecks } from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { type Receiver, type WebhookEvent, type WebhookEventMap, Webhooks } from 'payments-client/webhooks';

export const receiver: Receiver = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }).receiver(
  {
    store: memoryStore(),
    on: { 'refund.failed': ({ data }) => data.object.failure_message },
  },
);

export function amountOf(event: WebhookEvent): number {
  return event.type === 'refund.failed' ? event.data.object.amount : 0;
}

export async function authenticate(token: string) {
  const gateway = await loadGateway({
    baseUrl: 'https://payments.test',
    apiKey: 'pk_1',
    environment: 'live',
  });
  return gateway.threeDSecure.authenticate(token);
}

/** What the browser's loader gives is what the server's sale takes. */
export async function sell(payments: PaymentsClient, payment_token: string): Promise<string> {
  const threeDSecure = await authenticate(payment_token);
  const sold = await payments.transact.sale({ amount: '12.00', payment_token, threeDSecure });
  return sold.transactionid;
}

// @ts-expect-error: a code of the address check is text
export const wrongCode = readChecks({ avsresponse: 7 });
// @ts-expect-error: a field of a refund is not a number
export const wrongStatus = (event: WebhookEventMap['refund.failed']): number => event.data.object.status;
// @ts-expect-error: the environment is missing
export const wrongOptions = () => loadGateway({ baseUrl: 'https://payments.test', apiKey: 'pk_1' });
