/** Runs the Worker in workerd, as `wrangler dev` does. */

import { Miniflare } from 'miniflare';

const { PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, PAYMENTS_WEBHOOK_SECRET, PORT } = process.env;

const miniflare = new Miniflare({
  modules: true,
  scriptPath: 'dist/worker.js',
  compatibilityDate: '2026-04-01',
  bindings: { PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, PAYMENTS_WEBHOOK_SECRET },
  host: '127.0.0.1',
  port: Number(PORT ?? 8787),
  cf: false,
});
console.log(`Listening at ${(await miniflare.ready).origin}`);
process.once('SIGTERM', () => miniflare.dispose());
