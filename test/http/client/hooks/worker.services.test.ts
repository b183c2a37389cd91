/** In workerd, the runtime of Cloudflare Workers, hooks run without Node compatibility. */

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { describe, expect, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../../support/skip.ts';
import { hasWorkerd } from '../../../support/workerd.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A program that lists products and responds with the recorded events. */
const program = `
import { PaymentsClient } from 'payments-client';
const events = [];
export default { async fetch() {
  const fetch = async () => Response.json({ data: [], has_more: false });
  const hooks = { start: ({ callId }) => events.push(callId), end: ({ callId }) => events.push(callId) };
  const options = { baseUrl: 'https://payments.test', secretKey: 'sk_v1_test_worker01', hooks, fetch };
  await new PaymentsClient(options).products.list();
  return Response.json(events);
} };`;

async function eventsOf(script: string): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: local('.') },
    alias: { 'payments-client': local('../../../../src/index.ts') },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: ['node:*'],
  });
  const [bundle] = outputFiles ?? [];
  const miniflare = new Miniflare({
    modules: true,
    script: bundle?.text ?? '',
    compatibilityDate: '2025-01-01',
    // Miniflare must not download anything.
    cf: false,
  });
  onTestFinished(() => miniflare.dispose());
  return (await miniflare.dispatchFetch('http://worker.test/')).json();
}

const { isSkipped, why } = skipWithout(
  hasWorkerd(),
  'workerd',
  'test/http/client/hooks/worker.services.test.ts',
);
const uuid = expect.stringMatching(/^[\da-f-]{36}$/);

describe.skipIf(isSkipped)(`workerd${why}`, { timeout: 60_000 }, () => {
  it('needs no module of Node for hooks', async () => {
    expect(await eventsOf(program)).toEqual([uuid, uuid]);
  });
});
