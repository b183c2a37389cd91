/** The example's shop with a sandbox, and a recorder of its requests. */

import { mkdtemp, rm } from 'node:fs/promises';
import { type RequestListener, request as sendOn } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { build } from 'esbuild';
import { PaymentsClient } from 'payments-client';
import { type WebhookEvent, Webhooks } from 'payments-client/webhooks';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { openOrders } from '../../examples/web-checkout/orders.ts';
import { createShop } from '../../examples/web-checkout/shop.ts';
import { serve } from '../support/serve.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const root = resolve(import.meta.dirname, '../..');

/** A running shop. */
export interface RunningShop {
  readonly url: string;
  readonly sandbox: Sandbox;
  /** The shop's client of the service. */
  readonly payments: PaymentsClient;
  /** All requests to the shop: request lines and bodies. */
  readonly received: readonly string[];
  /** The verified events that a second endpoint received. */
  readonly events: readonly WebhookEvent[];
  close(): Promise<void>;
}

/** A proxy that records all requests. */
function recorder(target: string, received: string[]): RequestListener {
  return async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    received.push(`${method} ${url}\n${body.toString('utf8')}`);
    const onward = sendOn(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.end(body);
  };
}

/** Registers a second receiver, which records each verified event. */
function listenTo(sandbox: Sandbox): WebhookEvent[] {
  const events: WebhookEvent[] = [];
  const webhooks = new Webhooks({ secret });
  const answer = async (request: Request): Promise<Response> => {
    events.push(await webhooks.verify(await request.text(), request.headers));
    return new Response();
  };
  sandbox.webhooks.deliverTo(answer, { secret });
  return events;
}

/** Bundles the browser entry as the package ships it. */
async function bundleBrowserEntry(folder: string): Promise<string> {
  const outfile = join(folder, 'browser.js');
  await build({ entryPoints: [join(root, 'src/browser/index.ts')], bundle: true, format: 'esm', outfile });
  return outfile;
}

/** Starts a sandbox and the shop. */
export async function startShop(): Promise<RunningShop> {
  const folder = await mkdtemp(join(tmpdir(), 'shop-'));
  const sandbox = await createSandbox({ onlyShownFields: true }).listen();
  const { url: baseUrl, secretKey, securityKey, checkoutPage, publicKey } = sandbox;
  const payments = new PaymentsClient({ baseUrl, secretKey, securityKey, checkoutPage });
  const received: string[] = [];
  const inner = await serve((request, response) => shop(request, response));
  const outer = await serve(recorder(inner.url, received));
  const { url } = outer;
  const shop = createShop({
    orders: openOrders(payments, new DatabaseSync(':memory:'), url),
    webhooks: new Webhooks({ secret }),
    browser: { baseUrl, publicKey, checkoutPage },
    browserModule: await bundleBrowserEntry(folder),
  });
  sandbox.webhooks.deliverTo(`${url}/webhooks`, { secret });
  const events = listenTo(sandbox);
  const close = async () => {
    outer.close();
    inner.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { url, sandbox, payments, received, events, close };
}
