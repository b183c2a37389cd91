import { SquareClient } from 'square';
import type { Connect } from '../contender.ts';

let count = 0;

export const connect: Connect = (baseUrl) => {
  const square = new SquareClient({ token: 'bench', environment: baseUrl });
  return {
    create: () => {
      count += 1;
      return square.payments.create({
        sourceId: 'cnon:card',
        idempotencyKey: `order-${process.pid}-${count}`,
        amountMoney: { amount: 1200n, currency: 'USD' },
      });
    },
  };
};
