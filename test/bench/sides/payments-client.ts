import { PaymentsClient } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { type SignatureScheme, standardWebhooks, timestampedHmac, Webhooks } from 'payments-client/webhooks';
import type { ClaimStore } from '../../support/stores.ts';
import { webhookBody, webhookSecret } from '../records.ts';
import { type Job, newKey, type Once, readAll } from '../side.ts';

function client(baseUrl: string, store?: ClaimStore): PaymentsClient {
  return new PaymentsClient({
    baseUrl,
    secretKey: 'sk_v1_test_bench',
    journal: store && createJournal({ store }),
  });
}

/** @param store Where the client keeps a journal. Default: it has none. */
export function creating(url: string, store?: ClaimStore): Once {
  const { paymentIntents } = client(url, store);
  return () => paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId: newKey() });
}

export const create: Job = ({ url }) => creating(url);

export const list: Job = ({ url, workPerPage }) => {
  const { customers } = client(url);
  return () => readAll(customers.list({ limit: 100 }), workPerPage);
};

async function verifying(scheme: SignatureScheme): Promise<Once> {
  const webhooks = new Webhooks({ secret: webhookSecret, scheme });
  const headers = await webhooks.sign(webhookBody);
  return () => webhooks.verifySync(webhookBody, headers);
}

export const webhook: Job = () => verifying(timestampedHmac({ header: 'stripe-signature' }));
export const standardWebhook: Job = () => verifying(standardWebhooks());
