/** What a program for Workers weighs that makes one call. */

import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

export const edgePrograms = {
  ours: `
import { PaymentsClient } from 'payments-client';
export default { async fetch() {
  const payments = new PaymentsClient({ baseUrl: 'https://payments.example.com', secretKey: 'sk_v1_test_edge' });
  const params = { amount: 1200, currency: 'usd' };
  return Response.json(await payments.paymentIntents.create(params, { operationId: 'order-1042' }));
} };`,
  stripe: `
import Stripe from 'stripe';
export default { async fetch() {
  const stripe = new Stripe('sk_test_edge');
  const params = { amount: 1200, currency: 'usd' };
  return Response.json(await stripe.paymentIntents.create(params, { idempotencyKey: 'order-1042' }));
} };`,
};

/**
 * The size of a program, in bytes: bundled, minified, and packed with gzip.
 *
 * @param resolveDir Where its packages are installed.
 */
export function edgeBundleSize(program: string, resolveDir: string): number {
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error('The bundler gave nothing.');
  return gzipSync(output.contents, { level: 9 }).length;
}
