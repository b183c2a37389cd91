import { request } from 'undici';
import type { Connect } from '../contender.ts';
import { body, headersOfOne } from './bare.ts';

export const connect: Connect = (baseUrl) => ({
  create: async () => {
    const url = `${baseUrl}/v1/payment_intents`;
    const response = await request(url, { method: 'POST', headers: headersOfOne(), body });
    return response.body.json();
  },
});
