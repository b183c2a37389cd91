import { PaymentsClient } from 'payments-client';
import type { ClaimStore } from 'payments-client/stores';
import type { Connect, Contender } from '../contender.ts';

let count = 0;

/** @param store Where the client keeps a journal. Default: it keeps none. */
export function contenderOf(baseUrl: string, store?: ClaimStore): Contender {
  const journal = store && { store };
  const payments = new PaymentsClient({ baseUrl, secretKey: 'sk_v1_test_bench', journal });
  return {
    create: () => {
      count += 1;
      const operationId = `order-${process.pid}-${count}`;
      return payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId });
    },
    list: () => payments.customers.list({ limit: 100 }),
  };
}

export const connect: Connect = (baseUrl) => contenderOf(baseUrl);
