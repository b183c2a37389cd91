/**
 * Receives webhooks on the edge: a Cloudflare Worker, without Node's modules. It ships what was paid.
 *
 * Run it: `npx wrangler dev webhook-worker.ts`, with the settings of `shop.ts` in `.dev.vars`. In Next.js, the same is
 * `export const POST = (request) => shopOf(process.env).receiver.fetch(request)`.
 */

import { type Settings, shopOf } from './shop.ts';

export default {
  fetch: (request: Request, bindings: Settings): Promise<Response> =>
    shopOf(bindings).receiver.fetch(request),
};
