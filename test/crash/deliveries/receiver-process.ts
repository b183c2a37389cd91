/** One process of the merchant: a server with a receiver for each mode. It shuts down gracefully at SIGTERM. */

import { createServer } from 'node:http';
import { type MerchantTask, openMerchant } from './merchant.ts';

const task: MerchantTask = JSON.parse(process.argv[2] ?? '');
const merchant = await openMerchant(task);

const server = createServer((request, response) => {
  const receiver = merchant.receivers.find(({ mode }) => request.url === `/${mode}`);
  if (receiver === undefined) response.writeHead(404).end();
  else void receiver.node(request, response);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await merchant.close();
  process.disconnect();
});
