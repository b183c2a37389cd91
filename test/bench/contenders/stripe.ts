import Stripe from 'stripe';
import type { Connect } from '../contender.ts';

let count = 0;

export const connect: Connect = (baseUrl) => {
  const { protocol, hostname, port } = new URL(baseUrl);
  const stripe = new Stripe('sk_test_bench', {
    host: hostname,
    port,
    protocol: protocol === 'https:' ? 'https' : 'http',
    telemetry: false,
  });
  return {
    create: () => {
      count += 1;
      const idempotencyKey = `order-${process.pid}-${count}`;
      return stripe.paymentIntents.create({ amount: 1200, currency: 'usd' }, { idempotencyKey });
    },
    list: () => stripe.customers.list({ limit: 100 }),
  };
};
