import Stripe from 'stripe';
import { webhookBody, webhookSecret } from '../records.ts';
import { type Job, newKey, readAll } from '../side.ts';

function client(url: string): Stripe {
  const { protocol, hostname, port } = new URL(url);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  return new Stripe('sk_test_bench', { host: hostname, port, protocol: scheme, telemetry: false });
}

export const create: Job = ({ url }) => {
  const { paymentIntents } = client(url);
  return () => paymentIntents.create({ amount: 1200, currency: 'usd' }, { idempotencyKey: newKey() });
};

export const list: Job = ({ url, workPerPage }) => {
  const { customers } = client(url);
  return () => readAll(customers.list({ limit: 100 }), workPerPage);
};

export const webhook: Job = () => {
  const { webhooks } = Stripe;
  const payload = webhookBody.toString();
  const header = webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
  return () => webhooks.constructEvent(webhookBody, header, webhookSecret);
};
