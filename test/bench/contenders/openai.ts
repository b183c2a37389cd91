import OpenAI from 'openai';
import type { Connect } from '../contender.ts';

let count = 0;

export const connect: Connect = (baseUrl) => {
  const openai = new OpenAI({ apiKey: 'sk-bench', baseURL: `${baseUrl}/v1` });
  return {
    create: () => {
      count += 1;
      const idempotencyKey = `order-${process.pid}-${count}`;
      const body = { amount: 1200, currency: 'usd' };
      return openai.post('/payment_intents', { body, idempotencyKey });
    },
  };
};
