import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Connect } from '../contender.ts';
import { body, headersOfOne } from './bare.ts';

export const connect: Connect = (baseUrl) => {
  const isSecure = baseUrl.startsWith('https:');
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const { hostname, port } = new URL(baseUrl);
  const request = isSecure ? httpsRequest : httpRequest;
  return {
    create: () =>
      new Promise((resolve, reject) => {
        const options = { agent, hostname, port, path: '/v1/payment_intents', method: 'POST' };
        const outgoing = request({ ...options, headers: headersOfOne() }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
        });
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
  };
};
