/**
 * Runs the shop with a sandbox of the payment service: `npm run build && npx node examples/web-checkout/server.ts` in the
 * project, or `node server.ts` where `payments-client`, `express` and `zod` are installed.
 *
 * To run it against the service, remove the sandbox and pass the service's address, your keys, the address of its hosted pages as
 * `checkoutPage`, and the public address of the shop.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { PaymentsClient } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';
import { openOrders } from './orders.ts';
import { createShop } from './shop.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const sandbox = await createSandbox({ clock: 'running', onlyShownFields: true }).listen();
const { url: baseUrl, secretKey, securityKey, checkoutPage, publicKey } = sandbox;

const server = createServer().listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
await once(server, 'listening');
const { port } = Object(server.address());
const shopUrl = `http://127.0.0.1:${port}`;

const payments = new PaymentsClient({ baseUrl, secretKey, securityKey, checkoutPage });
// The sandbox forgets when it ends, and so do these orders. In your shop, pass the path of a file.
const orders = openOrders(payments, new DatabaseSync(':memory:'), shopUrl);
const shop = createShop({
  orders,
  webhooks: new Webhooks({ secret }),
  browser: { baseUrl, publicKey, checkoutPage },
  browserModule: fileURLToPath(import.meta.resolve('payments-client/browser')),
});
server.on('request', shop);
setInterval(() => orders.resume().then((all) => all.map((one) => console.error(one)), console.error), 60_000);

sandbox.webhooks.deliverTo(`${shopUrl}/webhooks`, { secret });
console.log(`The shop is at ${shopUrl}`);
console.log(`The sandbox is at ${baseUrl}: what happens there is shown on its first page.`);
