/**
 * Checks the package as merchants get it: packed, read by tools that know what breaks, installed into an empty
 * folder, and used from ES modules, from CommonJS, and from both at once.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { edgeBundleSize, edgePrograms } from '../test/bench/edge-bundle.ts';
import { install, pack } from './tarball.ts';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'payments-client-'));
const node = process.execPath;

let passed = 0;
let failed = 0;

function run(command: string, args: readonly string[], cwd = folder): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

async function check(what: string, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
    passed += 1;
    console.log(`ok   ${what}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${what}`);
    const { stdout = '', stderr = '' } = Object(error);
    console.log(stdout || stderr ? `${stdout}${stderr}` : error);
  }
}

function bin(name: string): string {
  return join(root, 'node_modules', '.bin', name);
}

/** A size that grows by itself is noticed here; docs/performance.md says what we are after. */
function atMost(bytes: number, bound: number): void {
  if (bytes > bound) throw new Error(`expected at most ${bound} bytes, got ${bytes}`);
}

const useIt = `
const gateway = { baseUrl: 'https://payments.test', apiKey: 'pk_1', environment: 'sandbox' };
const refused = await loadGateway(gateway).catch((reason) => reason);
if (!(refused instanceof BrowserError) || refused.code !== 'not_in_browser') throw new Error('not refused on a server');
const sandbox = createSandbox();
const payments = new PaymentsClient({ baseUrl: sandbox.url, secretKey: sandbox.secretKey, fetch: sandbox.fetch });
const intent = await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId: 'order-1' });
if (intent.amount !== 1200) throw new Error('wrong amount');
const webhooks = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
const body = JSON.stringify({ id: 'evt_1', type: 'account.updated' });
const receiver = webhooks.receiver({ store: memoryStore(), on: {} });
const reply = await receiver.handle({ body, headers: await webhooks.sign(body) });
if (reply.outcome !== 'ignored') throw new Error('the delivery was ' + reply.outcome);
await sandbox.listen();
const remote = new PaymentsClient({ baseUrl: sandbox.url, secretKey: sandbox.secretKey });
if ((await remote.paymentIntents.retrieve(intent.id)).id !== intent.id) throw new Error('wrong intent');
await sandbox.close();
`;

const programs: Readonly<Record<string, string>> = {
  'command-line.mjs': `
import { execFileSync } from 'node:child_process';
const help = execFileSync(process.execPath, ['node_modules/payments-client/dist/cli.cjs', '--help'], { encoding: 'utf8' });
if (!help.includes('payments-client <command>')) throw new Error('no help');`,
  'esm.mjs': `
import { PaymentsClient } from 'payments-client';
import { BrowserError, loadGateway } from 'payments-client/browser';
import { readAvs } from 'payments-client/fraud';
import { createSandbox } from 'payments-client/sandbox';
import { memoryStore, Webhooks } from 'payments-client/webhooks';
if (readAvs('Y').street !== true) throw new Error('wrong table');
${useIt}`,
  'commonjs.cjs': `
const { PaymentsClient } = require('payments-client');
const { BrowserError, loadGateway } = require('payments-client/browser');
const { readAvs } = require('payments-client/fraud');
const { createSandbox } = require('payments-client/sandbox');
const { memoryStore, Webhooks } = require('payments-client/webhooks');
if (readAvs('Y').street !== true) throw new Error('wrong table');
(async () => {${useIt}})().catch((error) => { console.error(error); process.exitCode = 1; });`,
  'both.mjs': `
import { createRequire } from 'node:module';
import * as esm from 'payments-client';
const require = createRequire(import.meta.url);
const cjs = require('payments-client');
const failing = { baseUrl: 'https://payments.test', secretKey: 'sk_v1_test_both', maxRetries: 0,
  fetch: async () => Response.json({ code: 'gone' }, { status: 404 }) };
for (const [from, to] of [[esm, cjs], [cjs, esm]]) {
  const error = await new from.PaymentsClient(failing).refunds.retrieve('rf_1').catch((reason) => reason);
  for (const name of ['PaymentsError', 'ApiError', 'NotFoundError']) {
    if (!(error instanceof to[name])) throw new Error(name + ' is not recognised across builds');
  }
  if (error instanceof to.ServerError) throw new Error('NotFoundError taken for a ServerError');
}
const { Webhooks } = require('payments-client/webhooks');
const error = await new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }).verify('', {}).catch((reason) => reason);
if (!(error instanceof esm.WebhookVerificationError)) throw new Error('a webhook error is not recognised across builds');`,
  'the-browser-entry-is-one-file.mjs': `
import { readFileSync } from 'node:fs';
const read = (entry) => readFileSync(new URL(import.meta.resolve(entry)), 'utf8');
if (/\\bimport\\b|\\brequire\\(/.test(read('payments-client/browser').replace(/\\/\\*[^]*?\\*\\//g, ''))) throw new Error('it imports');
const react = read('payments-client/react');
if (!react.startsWith("'use client'") && !react.startsWith('"use client"')) throw new Error('no directive for server components');
if (!/from ?["']payments-client\\/browser["']/.test(react)) throw new Error('it has a copy of the browser entry');`,
  'only-its-entry-needs-opentelemetry.mjs': `
import { readdirSync, readFileSync } from 'node:fs';
const dist = new URL('.', import.meta.resolve('payments-client'));
const files = readdirSync(dist, { recursive: true }).filter((file) => /\\.c?js$/.test(file));
const users = files.filter((file) => /["']@opentelemetry\\//.test(readFileSync(new URL(file, dist), 'utf8')));
if (users.sort().join() !== 'opentelemetry/index.cjs,opentelemetry/index.js') throw new Error('it is imported by ' + users);
const refusal = await import('payments-client/opentelemetry').catch((reason) => reason);
if (!/@opentelemetry\\/api/.test(refusal.message)) throw new Error('it is carried inside');`,
  'merchants-pay-for-nothing-else.mjs': `
import { readFileSync } from 'node:fs';
for (const entry of ['payments-client', 'payments-client/webhooks', 'payments-client/fraud']) {
  const seen = new Set();
  const visit = (url) => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    const code = readFileSync(url, 'utf8');
    if (/(?:from|import) ?\\(?["']node:|require\\(["']node:/.test(code)) throw new Error(entry + ' imports a Node module');
    if (/createSandbox|class Hono/.test(code)) throw new Error(entry + ' brings the sandbox along');
    for (const [, path] of code.matchAll(/(?:from|import) ?\\(?["'](\\.[^"']+)["']/g)) visit(new URL(path, url));
  };
  // What is there for runtimes other than Node stands beside Node's own.
  visit(new URL(import.meta.resolve(entry).replace('/index.node.js', '/index.js')));
  if (seen.size < 2) throw new Error('nothing was looked at');
}`,
};

await check('publint finds nothing', () => {
  const output = run(bin('publint'), ['--strict', '--pack', 'npm'], root);
  if (!/All good/.test(output)) throw new Error(output);
});

const { path: tarball, unpackedSize } = pack(folder);

await check('attw finds nothing', () => {
  run(bin('attw'), [tarball, '--exclude-entrypoints', './package.json', './openapi.json'], root);
});

await check('the tarball holds what it should and no more', () => {
  const files = run('tar', ['-tzf', tarball]).trim().split('\n');
  const stray = files.filter((file) => !/^package\/(dist\/|package\.json|README\.md|LICENSE)/.test(file));
  if (stray.length > 0) throw new Error(`unexpected files: ${stray.join(', ')}`);
  if (!files.includes('package/dist/THIRD-PARTY-LICENSES.txt')) throw new Error('the licences are missing');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (Object.keys(manifest.scripts).some((name) => /^(pre|post)?install$|^prepare$/.test(name))) {
    throw new Error('the package has an install script');
  }
});

await check('it is no larger than 1.1 megabytes', () => atMost(unpackedSize, 1_100_000));

await check('it installs into an empty folder', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await install(folder, '--omit=dev', tarball);
});

await check('it brings no other package along', () => {
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  if (installed.join() !== 'payments-client') throw new Error(`installed: ${installed.join(', ')}`);
});

await check('a program for Workers that makes one call stays small', () => {
  atMost(edgeBundleSize(edgePrograms.ours, folder), 34_500);
});

for (const [name, program] of Object.entries(programs)) {
  await check(`${name} runs`, () => {
    writeFileSync(join(folder, name), program);
    run(node, [name]);
  });
}

const consumer = `import { PaymentsClient, type Refund } from 'payments-client';
import { loadGateway, type ThreeDSecureResult } from 'payments-client/browser';
import { createSandbox } from 'payments-client/sandbox';
import { memoryStore, type Receiver, redisStore, Webhooks } from 'payments-client/webhooks';
const payments = new PaymentsClient({ baseUrl: createSandbox().url, secretKey: 'sk_v1_test_types' });
export const receiver: Receiver = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }).receiver({
  store: memoryStore(),
  on: { 'refund.failed': ({ data }) => data.object.failure_message },
});
export const store = redisStore;
// What the browser's loader gives is what the server's sale takes.
export const sell = async (payment_token: string) => {
  const gateway = await loadGateway({ baseUrl: 'https://payments.test', apiKey: 'pk_1', environment: 'live' });
  const threeDSecure: ThreeDSecureResult = await gateway.threeDSecure.authenticate(payment_token);
  return payments.transact.sale({ amount: '12.00', payment_token, threeDSecure });
};
export const refund: Promise<Refund> = payments.refunds.create({ charge_id: 'ch_1' }, { operationId: 'o-1' });
`;

for (const [types, lib] of [
  ['with the DOM library', ['ES2022', 'DOM']],
  ['with neither the DOM library nor types of Node', ['ES2022']],
] as const) {
  await check(`its declarations compile strictly, ${types}`, () => {
    writeFileSync(join(folder, 'consumer.mts'), consumer);
    writeFileSync(join(folder, 'consumer.cts'), consumer);
    const compilerOptions = {
      ...{ noEmit: true, strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true },
      ...{ target: 'ES2022', module: 'NodeNext', types: [], lib },
    };
    const project = { compilerOptions, files: ['consumer.mts', 'consumer.cts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
    run(bin('tsc'), ['--project', folder]);
  });
}

rmSync(folder, { recursive: true, force: true });
console.log(`package: ${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
