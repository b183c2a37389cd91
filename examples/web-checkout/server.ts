/**
 * Runs the shop with a sandbox of the payment service: `npm run build && npx node examples/web-checkout/server.ts` in the
 * project, or `node server.ts` where `payments-client`, `express` and `zod` are installed.
 *
 * To run it against the service, remove the sandbox and pass the service's address, your keys, and the address of its hosted
 * pages as `checkoutPage`.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { PaymentsClient } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';
import { createShop } from './shop.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const sandbox = await createSandbox({ clock: 'running', onlyShownFields: true }).listen();
const { url: baseUrl, secretKey, securityKey, checkoutPage, publicKey } = sandbox;

const shop = createShop({
  payments: new PaymentsClient({ baseUrl, secretKey, securityKey, checkoutPage }),
  webhooks: new Webhooks({ secret }),
  browser: { baseUrl, publicKey },
  browserModule: fileURLToPath(import.meta.resolve('payments-client/browser')),
});

const server = createServer(shop).listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
await once(server, 'listening');
const { port } = Object(server.address());
const address = `http://127.0.0.1:${port}`;
sandbox.webhooks.deliverTo(`${address}/webhooks`, { secret });
console.log(`The shop is at ${address}`);
console.log(`The sandbox is at ${baseUrl}: what happens there is shown on its first page.`);
