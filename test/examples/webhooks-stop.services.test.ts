/** The webhook examples end on SIGTERM: they take nothing new, and answer what they are handling. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { Webhooks } from 'payments-client/webhooks';
import { expect, it } from 'vitest';
import { eventOf } from '../support/deliveries.ts';
import { secret, startMerchant } from './support.ts';

/** Sends the head of a delivery and half of its body. Returns what sends the rest, and the response. */
async function sendHalf(url: string) {
  const body = JSON.stringify(eventOf('refund.failed'));
  const signed = await new Webhooks({ secret }).sign(body);
  const { port, pathname } = new URL(`${url}/webhooks`);
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  await once(socket, 'connect');
  const headers = { host: 'shop', connection: 'close', 'content-type': 'application/json', ...signed };
  const lines = Object.entries({ ...headers, 'content-length': body.length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`POST ${pathname} HTTP/1.1\r\n${head}\r\n${body.slice(0, 20)}`);
  const response = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (data) => (text += data)).on('close', () => resolve(text));
  });
  return { finish: () => socket.write(body.slice(20)), response };
}

it.each(['express', 'fastify', 'hono'])('%s', async (framework) => {
  const { serve } = await startMerchant();
  const server = await serve(`webhooks/${framework}`);
  const { finish, response } = await sendHalf(server.url);
  // Once another request is answered, the first one is known to the server.
  await fetch(`${server.url}/webhooks`, { method: 'POST', headers: { connection: 'close' } });
  const ended = server.stop();
  finish();
  expect(await response).toMatch(/^HTTP\/1\.1 (?:200|503) /);
  const { code } = await ended;
  expect(code).toBe(0);
});
