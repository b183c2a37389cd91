/**
 * One process of the merchant: a server with a receiver for each mode, and the workers of their inboxes. It shuts down
 * gracefully at SIGTERM.
 */

import { createServer } from 'node:http';
import { type MerchantTask, openMerchant } from './merchant.ts';
import { inboxOf } from './plan.ts';

const task: MerchantTask = JSON.parse(process.argv[2] ?? '');
const merchant = await openMerchant(task);
const stop = new AbortController();
const workers = merchant.receivers
  .filter(({ mode }) => inboxOf(mode) !== undefined)
  .map((receiver) => receiver.work(stop.signal));

const server = createServer((request, response) => {
  const receiver = merchant.receivers.find(({ mode }) => request.url === `/${mode}`);
  if (receiver === undefined) response.writeHead(404).end();
  else void receiver.node(request, response);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.once('SIGTERM', async () => {
  stop.abort();
  server.close();
  server.closeAllConnections();
  await Promise.all(workers);
  await merchant.close();
  process.disconnect();
});
