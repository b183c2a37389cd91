/** The programs that run in the folder where the package is installed. */

/** Uses every entry and every dependency: JSON calls, a form, a webhook, and a sandbox over HTTP. */
const useEveryEntry = `
const gateway = { baseUrl: 'https://payments.test', apiKey: 'pk_1', environment: 'sandbox' };
const refused = await loadGateway(gateway).catch((reason) => reason);
if (!(refused instanceof BrowserError) || refused.code !== 'not_in_browser') throw new Error('expected not_in_browser, got ' + refused);
const sandbox = createSandbox();
const payments = new PaymentsClient({ baseUrl: sandbox.url, secretKey: sandbox.secretKey, fetch: sandbox.fetch });
const intent = await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId: 'order-1' });
if (intent.amount !== 1200) throw new Error('expected the amount 1200, got ' + intent.amount);
const forms = { securityKey: sandbox.securityKey, formEncoding: 'multipart', fetch: sandbox.fetch };
const transact = new Transact({ baseUrl: sandbox.url, ...forms });
const sold = await transact.sale({ amount: '12.00', payment_token: 'tok_1' });
if (!sold.approved) throw new Error('expected an approved sale, got a decline');
const webhooks = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
const body = JSON.stringify({ id: 'evt_1', type: 'account.updated' });
const receiver = webhooks.receiver({ store: memoryStore(), on: {} });
const reply = await receiver.handle({ body, headers: await webhooks.sign(body) });
if (reply.outcome !== 'handled') throw new Error('expected a handled delivery, got ' + reply.outcome);
await sandbox.listen();
const remote = new PaymentsClient({ baseUrl: sandbox.url, secretKey: sandbox.secretKey });
if ((await remote.paymentIntents.retrieve(intent.id)).id !== intent.id) throw new Error('expected the same intent over HTTP, got another');
await sandbox.close();
`;

const requireAll = `
const { PaymentsClient, Transact } = require('payments-client');
const { BrowserError, loadGateway } = require('payments-client/browser');
const { readChecks } = require('payments-client/fraud');
const { createSandbox } = require('payments-client/sandbox');
const { memoryStore } = require('payments-client/stores');
const { Webhooks } = require('payments-client/webhooks');
`;

/** A test for Jest, which can only `require` CommonJS. */
export const jestTest = `${requireAll}
test('uses every entry', async () => {${useEveryEntry}});`;

/** Programs that run where the package is installed, and throw on any error. */
export const programs: Readonly<Record<string, string>> = {
  'command-line.mjs': `
import { execFileSync } from 'node:child_process';
const help = execFileSync(process.execPath, ['node_modules/payments-client/dist/cli.cjs', '--help'], { encoding: 'utf8' });
if (!help.includes('payments-client <command>')) throw new Error('expected the help text, got ' + help);`,
  'esm.mjs': `
import { PaymentsClient, Transact } from 'payments-client';
import { BrowserError, loadGateway } from 'payments-client/browser';
import { readChecks } from 'payments-client/fraud';
import { createSandbox } from 'payments-client/sandbox';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
if (readChecks({ avsresponse: 'Y' }).avs.street !== true) throw new Error('expected street: true for Y, got another table');
${useEveryEntry}`,
  'commonjs.cjs': `${requireAll}if (readChecks({ avsresponse: 'Y' }).avs.street !== true) throw new Error('expected street: true for Y, got another table');
(async () => {${useEveryEntry}})().catch((error) => { console.error(error); process.exitCode = 1; });`,
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
    if (!(error instanceof to[name])) throw new Error(name + ' is not recognized across builds');
  }
  if (error instanceof to.ServerError) throw new Error('expected a NotFoundError, got a ServerError');
}
const { Webhooks } = require('payments-client/webhooks');
const error = await new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }).verify('', {}).catch((reason) => reason);
if (!(error instanceof esm.WebhookVerificationError)) throw new Error('a webhook error is not recognized across builds');`,
  'names-are-readable.mjs': `
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inspect } from 'node:util';
process.setSourceMapsEnabled(true);
const require = createRequire(import.meta.url);
const entries = ['', '/browser', '/fraud', '/sandbox', '/testing', '/webhooks'].map((entry) => 'payments-client' + entry);
const builds = [await Promise.all(entries.map((entry) => import(entry))), entries.map((entry) => require(entry))];
for (const build of builds) {
  for (const [name, value] of build.flatMap((entry) => Object.entries(entry))) {
    if (typeof value === 'function' && value.name !== name) throw new Error('expected the name ' + name + ', got ' + value.name);
  }
  const [{ PaymentsClient }, , , { createSandbox }] = build;
  const sandbox = createSandbox();
  const payments = new PaymentsClient({ baseUrl: sandbox.url, secretKey: sandbox.secretKey, fetch: sandbox.fetch });
  const printed = inspect([payments, sandbox], { depth: 1 });
  if (!printed.includes('refunds: Refunds {')) throw new Error('expected refunds: Refunds, got ' + printed);
  const [shortened] = /\\b_[A-Z]\\w* \\{|\\b[A-Z][A-Za-z]*\\d \\{/.exec(printed) ?? [];
  if (shortened) throw new Error('expected full class names, got ' + shortened);
  const promise = payments.refunds.retrieve('rf_1');
  if (!inspect(promise).startsWith('ApiPromise {')) throw new Error('expected ApiPromise, got ' + inspect(promise));
  const error = await promise.catch((reason) => reason);
  for (const text of [error.stack, inspect(error)]) {
    if (!text.startsWith('NotFoundError: Not found. refunds.retrieve')) throw new Error('expected NotFoundError: Not found. refunds.retrieve, got ' + text);
  }
  // A refusal is thrown while the method runs, so its frames are in the stack.
  const { stack } = await payments.refunds.retrieve('').catch((reason) => reason);
  const [, path, line, column] = /(\\/\\S+\\/payments-client\\/src\\/[\\w-/]+\\.ts):(\\d+):(\\d+)/.exec(stack) ?? [];
  if (path === undefined) throw new Error('expected a path of src in the stack, got ' + stack);
  const source = readFileSync(path, 'utf8').split('\\n')[line - 1].slice(column - 1);
  if (!source.startsWith('execute(')) throw new Error('expected the line that runs the call, got ' + source);
}`,
  'the-browser-entry-is-one-file.mjs': `
import { readFileSync } from 'node:fs';
const read = (entry) => readFileSync(new URL(import.meta.resolve(entry)), 'utf8');
if (/\\bimport\\b|\\brequire\\(/.test(read('payments-client/browser').replace(/\\/\\*[^]*?\\*\\//g, ''))) throw new Error('expected no imports in the browser entry, got some');
const react = read('payments-client/react');
if (!react.startsWith("'use client'") && !react.startsWith('"use client"')) throw new Error('expected the directive "use client" in the react entry, got none');
if (!/from ?["']payments-client\\/browser["']/.test(react)) throw new Error('expected the react entry to import the browser entry, got a copy');`,
  'only-its-entry-needs-opentelemetry.mjs': `
import { readdirSync, readFileSync } from 'node:fs';
const dist = new URL('.', import.meta.resolve('payments-client'));
const files = readdirSync(dist, { recursive: true }).filter((file) => /\\.c?js$/.test(file));
const users = files.filter((file) => /["']@opentelemetry\\//.test(readFileSync(new URL(file, dist), 'utf8')));
if (users.sort().join() !== 'opentelemetry/index.cjs,opentelemetry/index.js') throw new Error('expected imports of OpenTelemetry in its entry only, got ' + users);
const refusal = await import('payments-client/opentelemetry').catch((reason) => reason);
if (!/@opentelemetry\\/api/.test(refusal.message)) throw new Error('expected an error that names @opentelemetry/api, got ' + refusal.message);`,
  'entries-need-neither-node-nor-the-sandbox.mjs': `
import { readFileSync } from 'node:fs';
for (const entry of ['payments-client', 'payments-client/webhooks', 'payments-client/stores', 'payments-client/fraud']) {
  const visited = new Set();
  const visit = (url) => {
    if (visited.has(url.href)) return;
    visited.add(url.href);
    const code = readFileSync(url, 'utf8');
    if (/(?:from|import) ?\\(?["']node:|require\\(["']node:/.test(code)) throw new Error(entry + ' imports a Node module');
    if (/createSandbox|class Hono/.test(code)) throw new Error(entry + ' contains the sandbox');
    for (const [, path] of code.matchAll(/(?:from|import) ?\\(?["'](\\.[^"']+)["']/g)) visit(new URL(path, url));
  };
  // The variant for other runtimes is next to Node's own.
  visit(new URL(import.meta.resolve(entry).replace('/index.node.js', '/index.js')));
  if (visited.size < 2) throw new Error('expected several files, got ' + visited.size);
}`,
};
