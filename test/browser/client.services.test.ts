/**
 * A client with a secret key, in the pages and the workers of a real browser.
 *
 * @module-tag thorough
 */

import type { RequestListener } from 'node:http';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectToChromium, hasChromium, openPage } from '../support/chromium.ts';
import { serve } from '../support/serve.ts';
import { skipWithout } from '../support/skip.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'test/browser/client.services.test.ts');

const key = 'sk_v1_test_51Habcdef';
const root = resolve(import.meta.dirname, '../..');

/** Creates a client and a `Transact`; returns what each threw, and what each sent if allowed. */
const program = `
import { ConfigurationError, PaymentsClient, Transact } from './src/index.ts';
const connection = { baseUrl: 'https://payments.test', maxRetries: 0 };
const sent = [];
const fetch = async ({ url }) => (sent.push(url), new Response('{"data":[],"has_more":false}', { status: 200 }));
const failureOf = (make) => {
  try { make(); } catch (error) {
    return { isConfigurationError: error instanceof ConfigurationError, all: error.stack + error.message + JSON.stringify(error) };
  }
};
export async function tryAll(key) {
  const formKey = key.replace('sk_v1_test_', 'form_');
  const refused = [
    failureOf(() => new PaymentsClient({ ...connection, fetch, secretKey: key })),
    failureOf(() => new PaymentsClient({ ...connection, fetch, secretKey: () => key })),
    failureOf(() => new Transact({ ...connection, fetch, securityKey: formKey })),
    failureOf(() => new Transact({ ...connection, fetch, securityKey: formKey, dangerouslyAllowBrowser: 'true' })),
  ];
  const sentByRefused = sent.length;
  const payments = new PaymentsClient({
    ...connection, fetch, secretKey: key, securityKey: formKey, dangerouslyAllowBrowser: true,
  });
  await payments.customers.list();
  new Transact({ ...connection, securityKey: formKey, dangerouslyAllowBrowser: true });
  return { refused, sentByRefused, sentByAllowed: sent.length, hasTransact: payments.transact instanceof Transact };
}
`;

/** Bundles the program as a module, or as a worker script that answers messages. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['browser'],
    write: false,
    external: ['node:*'],
    logLevel: 'error',
  });
  return outputFiles.map(({ text }) => text).join('');
}

const answerMessages = `
globalThis.onmessage = async ({ data, ports: [port] }) => (port ?? globalThis).postMessage(await tryAll(data));
globalThis.onconnect = ({ ports: [port] }) => { port.onmessage = async ({ data }) => port.postMessage(await tryAll(data)); };
`;

/** The code with which a page gets the answer from each place. */
const places: Readonly<Record<string, string>> = {
  'a page': `const { tryAll } = await import('/page.js'); return tryAll(key);`,
  'a worker': `
    const worker = new Worker('/worker.js', { type: 'module' });
    const answer = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });
    worker.postMessage(key);
    return answer;`,
  'a shared worker': `
    const { port } = new SharedWorker('/worker.js', { type: 'module' });
    const answer = new Promise((resolve) => { port.onmessage = ({ data }) => resolve(data); });
    port.postMessage(key);
    return answer;`,
  'a service worker': `
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
    await navigator.serviceWorker.register('/worker.js', { type: 'module' });
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage(key, [port2]);
    return answer;`,
};

interface Tried {
  readonly refused: readonly { readonly isConfigurationError: boolean; readonly all: string }[];
  readonly sentByRefused: number;
  readonly sentByAllowed: number;
  readonly hasTransact: boolean;
}

describe.skipIf(isSkipped)(`a secret key${why}`, { timeout: 300_000 }, () => {
  let browser: Browser;
  let scripts: Readonly<Record<string, string>>;

  beforeAll(async () => {
    browser = await connectToChromium();
    scripts = { '/page.js': await bundle(program), '/worker.js': await bundle(program + answerMessages) };
  });
  afterAll(() => browser?.close());

  async function openSite(): Promise<Page> {
    const answer: RequestListener = ({ url = '' }, response) => {
      const type = url in scripts ? 'text/javascript' : 'text/html';
      response
        .writeHead(200, { 'content-type': type })
        .end(scripts[url] ?? '<!doctype html><title>Shop</title>');
    };
    const site = await serve(answer);
    onTestFinished(() => void site.close());
    const page = await openPage(browser);
    await page.goto(site.url);
    return page;
  }

  it.each(Object.entries(places))('is rejected in %s, unless it is allowed there', async (_place, run) => {
    const page = await openSite();
    const tried: Tried = await page.evaluate(`(async (key) => { ${run} })(${JSON.stringify(key)})`);
    expect(tried.refused).toHaveLength(4);
    for (const failure of tried.refused) {
      expect(failure).toMatchObject({
        isConfigurationError: true,
        all: expect.stringContaining('expected a program on your server, got a web page'),
      });
      expect(failure.all).not.toContain('51Habcdef');
    }
    expect(tried).toMatchObject({ sentByRefused: 0, sentByAllowed: 1, hasTransact: true });
  });
});
