/** In workerd, the runtime of Cloudflare Workers, hooks are told, and channels where it has those of Node. */

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { describe, expect, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../support/skip.ts';
import { hasWorkerd } from '../../support/workerd.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const watching = '{ start: ({ callId }) => told.push(callId), end: ({ callId }) => told.push(callId) }';

/** A program that lists products and answers with what it was told. */
const program = (subscribes: string, hooks = watching) => `
import { PaymentsClient } from 'payments-client';
const told = [];
${subscribes}
export default { async fetch() {
  const fetch = async () => Response.json({ data: [], has_more: false });
  const hooks = ${hooks};
  const options = { baseUrl: 'https://payments.test', secretKey: 'sk_v1_test_worker01', hooks, fetch };
  await new PaymentsClient(options).products.list();
  return Response.json(told);
} };`;

async function toldBy(script: string, compatibilityFlags: string[]): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: local('.') },
    alias: { 'payments-client': local('../../../src/index.ts') },
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', target: 'es2022' },
    external: ['node:*'],
  });
  const [bundle] = outputFiles ?? [];
  const miniflare = new Miniflare({
    ...{ modules: true, script: bundle?.text ?? '', compatibilityDate: '2025-01-01', compatibilityFlags },
    // Nothing is fetched from elsewhere.
    cf: false,
  });
  onTestFinished(() => miniflare.dispose());
  return (await miniflare.dispatchFetch('http://worker.test/')).json();
}

const { isSkipped, why } = skipWithout(hasWorkerd(), 'workerd', 'test/http/observer/worker.test.ts');
const uuid = expect.stringMatching(/^[\da-f-]{36}$/);

describe.skipIf(isSkipped)(`workerd${why}`, { timeout: 60_000 }, () => {
  it('needs no module of Node for hooks', async () => {
    expect(await toldBy(program(''), [])).toEqual([uuid, uuid]);
  });

  const subscribes = `import { subscribe } from 'node:diagnostics_channel';
subscribe('payments-client:end', ({ operation }) => told.push(operation));`;

  it('publishes to channels where it is asked to be compatible with Node', async () => {
    expect(await toldBy(program(subscribes), ['nodejs_compat'])).toEqual([uuid, uuid, 'products.list']);
  });

  it('publishes to channels of a client without hooks', async () => {
    expect(await toldBy(program(subscribes, '{}'), ['nodejs_compat'])).toEqual(['products.list']);
  });
});
