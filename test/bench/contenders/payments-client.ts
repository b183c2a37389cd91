import { PaymentsClient } from 'payments-client';
import type { Connect } from '../contender.ts';

let count = 0;

export const connect: Connect = (baseUrl) => {
  const payments = new PaymentsClient({ baseUrl, secretKey: 'sk_v1_test_bench' });
  return {
    create: () => {
      count += 1;
      const operationId = `order-${process.pid}-${count}`;
      return payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId });
    },
    list: () => payments.customers.list({ limit: 100 }),
  };
};
