/**
 * Runs the packed packages on each runtime, bundled, and in frameworks, with a sandbox. Needs the build. No maintained tool runs a
 * package on several runtimes.
 *
 * `npm run check:runtimes` runs the cases of CI; `-- --all` the nightly ones too; `-- bun "Next.js 15"` those whose names begin so.
 */

import assert from 'node:assert/strict';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { Miniflare } from 'miniflare';
import { createSandbox, type Sandbox, testCards } from 'payments-client-sandbox';
import { launchChromium } from '../test/support/chromium.ts';
import { serve } from '../test/support/serve.ts';
import { check, printCounts } from './checks.ts';
import { install, type Packages, packedPackages, run } from './consumer.ts';
import { serveBrokenResponses } from './runtimes/broken-responses.ts';
import { type Case, cases, type Manager, packages } from './runtimes/cases.ts';
import { runAgainst, type Service } from './runtimes/programs/service.ts';
import { buyAndDeliver, environmentOf, installShop, withShop } from './runtimes/shop.ts';

const names = process.argv.slice(2).filter((word) => word !== '--all');
const isAll = process.argv.includes('--all');
const isChosen = ({ name, isNightly }: Case) =>
  names.length === 0
    ? isAll || !isNightly
    : names.some((one) => name.toLowerCase().startsWith(one.toLowerCase()));

const root = mkdtempSync(join(tmpdir(), 'payments-client-runtimes-'));
const shared = join(root, 'shared');
const packed = packedPackages();
/** Nothing listens there: the system never assigns this port, and `fetch` does not block it. */
const closedUrl = 'http://127.0.0.1:2';

/** Writes the programs as JavaScript, which import the packages. */
function writePrograms(): void {
  const sources = join(import.meta.dirname, 'runtimes');
  const shape = {
    bundle: true,
    packages: 'external',
    // The paths of ours lead to the source.
    tsconfigRaw: {},
    outdir: shared,
    target: 'es2022',
    entryNames: '[name]',
  } as const;
  const entryPoints = globSync('{programs,pages}/*.ts', { cwd: sources }).map((path) => join(sources, path));
  buildSync({ ...shape, entryPoints, format: 'esm', platform: 'node', outExtension: { '.js': '.mjs' } });
  const main = entryPoints.filter((path) => path.endsWith('process.ts'));
  buildSync({
    ...shape,
    entryPoints: main,
    format: 'cjs',
    platform: 'node',
    outExtension: { '.js': '.cjs' },
  });
  for (const file of ['vite.config.mjs', 'rejects.test.mjs'])
    cpSync(join(sources, 'programs', file), join(shared, file));
}

/** Runs the scenario with a sandbox over HTTP. */
async function withService(
  scenario: (service: Service) => Promise<string>,
  charges?: number,
): Promise<string> {
  const sandbox = await createSandbox().listen();
  const broken = await serveBrokenResponses();
  try {
    return await runAgainst(sandbox, { closedUrl, brokenUrl: broken.url }, scenario, charges);
  } finally {
    broken.close();
    await sandbox.close();
  }
}

async function runWorker(file: string, compatibilityFlags: readonly string[] = []): Promise<string> {
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents: readFileSync(join(shared, file), 'utf8') }],
    // Without flags, of a time before it had any Node API.
    compatibilityDate: compatibilityFlags.length === 0 ? '2024-01-01' : '2026-04-01',
    compatibilityFlags: [...compatibilityFlags],
    host: '127.0.0.1',
    cf: false,
  });
  const { origin } = await worker.ready;
  const isInside = file.includes('sandbox');
  const call = async (service: Service) => {
    const reply = await fetch(origin, { method: 'POST', body: JSON.stringify(service) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(text);
    return text;
  };
  return withService(call, isInside ? 0 : undefined).finally(() => worker.dispose());
}

/** Opens a page of a site with the same origin as the sandbox, and calls its function. */
async function openPage(file: string, service: string, input: object): Promise<string> {
  const imports = { 'payments-client/browser': '/entry.js' };
  const html = `<!doctype html><title>Shop</title><body><script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module" src="/page.js"></script>`;
  const entry = join(shared, 'node_modules/payments-client/dist/browser/index.js');
  const files: Packages = { '/page.js': join(shared, file), '/entry.js': entry };
  const site = await serve((request, response) => {
    const { url = '/', method } = request;
    const path = files[url];
    if (url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    else if (path !== undefined)
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(path));
    else {
      const { origin: _, referer: __, host: ___, ...headers } = request.headers;
      const forwarded = send(`${service}${url}`, { method, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      request.pipe(forwarded);
    }
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(site.url);
    await page.waitForFunction('globalThis.visit !== undefined');
    return await page.evaluate(`visit(${JSON.stringify({ ...input, baseUrl: site.url })})`);
  } finally {
    await browser.close();
    site.close();
  }
}

async function visitPage(file: string): Promise<string> {
  const sandbox = await createSandbox().listen();
  const { publicKey, secretKey } = sandbox;
  const card = { ccnumber: testCards.frictionless.number, ccexp: '1230', cvv: '123' };
  const input = { publicKey, secretKey, token: await sandbox.tokenize(card) };
  return openPage(file, sandbox.url, input).finally(() => sandbox.close());
}

const npm: Manager = ['npm'];
const installed = new Map<string, Promise<string>>();

/** Installs and builds a project once for all of its cases. Fails if the build warns of the package. */
function shopFolder(name: string, versions: Packages = {}, manager = npm): Promise<string> {
  const folder = join(root, [name, ...Object.values(versions), manager.at(-1)].join('-'));
  const prepare = async () => {
    await installShop(folder, name, { ...packed, ...versions }, manager);
    const env = environmentOf({ url: 'https://payments.test', secretKey: 'sk_v1_test_build' });
    const output = await run(folder, [...manager, 'run', '--if-present', 'build'], env);
    assert.doesNotMatch(output, /Node\.js (?:API|module)|dynamic code|warn.*payments-client/i);
    return folder;
  };
  const promise = installed.get(folder) ?? prepare();
  installed.set(folder, promise);
  return promise;
}

async function runShop({ shop, path = '', manager = npm, versions }: Extract<Case['run'], { shop: string }>) {
  const folder = await shopFolder(shop, versions, manager);
  const sandbox: Sandbox = await createSandbox().listen();
  return withShop(folder, manager, sandbox, async (url) => {
    // First: the scenario replaces `fetch`, and the SDK uses a `fetch` that is replaced after loading.
    const runThere = async (service: Service) => {
      const reply = await fetch(`${url}${path}/scenario`, { method: 'POST', body: JSON.stringify(service) });
      return reply.text();
    };
    const printed = path === '' ? '' : await withService(runThere);
    await buyAndDeliver(sandbox, `${url}${path}`);
    return printed;
  }).finally(() => sandbox.close());
}

async function runCase({ run: how, build }: Case): Promise<string> {
  if (build !== undefined) await run(shared, build, { NODE_ENV: 'production' });
  if ('worker' in how) return runWorker(how.worker, how.compatibilityFlags);
  if ('page' in how)
    return how.isClient
      ? withService((service) => openPage(how.page, service.baseUrl, service), 0)
      : visitPage(how.page);
  if ('shop' in how) return runShop(how);
  if ('tests' in how) {
    await run(await shopFolder(how.tests, how.versions), ['npm', 'test']);
    return '';
  }
  const env = { DENO_DIR: join(shared, '.deno'), NO_COLOR: '1' };
  const start = (...args: readonly string[]) => run(shared, [...how.command, ...args], env);
  return how.hasService ? withService((service) => start(JSON.stringify(service))) : start();
}

const chosen = cases.filter(isChosen);
const queue = chosen.values();

/** Two at a time, since CI has two cores. */
async function runQueued(): Promise<void> {
  for (const one of queue)
    await check(one.name, async () => assert.equal((await runCase(one)).split(' v')[0], one.prints));
}

try {
  await install(shared, packed, packages);
  writePrograms();
  await Promise.all([runQueued(), runQueued()]);
} finally {
  rmSync(root, { recursive: true, force: true });
}
printCounts('runtimes');
