/** The service. It writes to the socket itself: a client of HTTP would need as much of the machine as a receiver. */

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { webhookBody, webhookSecret } from '../records.ts';
import { type Job, newKey } from '../side.ts';

const event = webhookBody.toString();

/** Returns a signed request of a new event. */
function newRequest(): string {
  const body = event.replace('evt_1', `evt_${newKey()}`);
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex');
  return [
    'POST / HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${body.length}`,
    `stripe-signature: t=${time},v1=${signature}`,
    '',
    body,
  ].join('\r\n');
}

/** Sends a request. Its response must arrive in one piece, or the next call sees the rest and fails. */
async function exchange(socket: Socket): Promise<void> {
  socket.write(newRequest());
  const [response] = await once(socket, 'data');
  const [line] = String(response).split('\r\n');
  if (line !== 'HTTP/1.1 200 OK') throw new Error(`expected 200, got ${line}.`);
}

export const deliver: Job = ({ url }) => {
  const idle: Socket[] = [];
  return async () => {
    const socket = idle.pop() ?? connect(Number(new URL(url).port), '127.0.0.1').setNoDelay();
    await exchange(socket);
    idle.push(socket);
  };
};
