/**
 * Checks that third-party tools read `dist/openapi.json`: in CI a linter and the types of a generator, with `--all` also a
 * generated client, which pays in a sandbox, and Postman's importer. Needs the build.
 */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createSandbox } from 'payments-client-sandbox';
import { check, printCounts } from './checks.ts';
import { install, run } from './consumer.ts';

const isAll = process.argv.includes('--all');
const description = resolve(import.meta.dirname, '../dist/openapi.json');
const folder = mkdtempSync(join(tmpdir(), 'payments-client-openapi-'));
const bin = (name: string) => `node_modules/.bin/${name}`;

const tools = {
  '@redocly/cli': '2',
  'openapi-typescript': '7',
  // The generators support no later version.
  typescript: '5.9',
  ...(isAll && {
    '@hey-api/openapi-ts': '0.95',
    'openapi-to-postmanv2': '6',
    esbuild: '0.28',
  }),
};

/** The form endpoint and the script show no status but 200, and objects have fields outside the schemas. */
const example = { severity: 'error', allowAdditionalProperties: true };
const redocly = {
  extends: ['recommended'],
  rules: {
    'operation-4xx-response': 'off',
    'no-invalid-media-type-examples': example,
    'no-invalid-schema-examples': example,
  },
};

/** Exclusive parameters are unions, and enumerations are open. */
const types = `
import type { components, paths } from './types';

type Refund = paths['/v1/refunds']['post']['requestBody']['content']['application/json'];
export const refunds: readonly Refund[] = [{ payment_intent_id: 'pi_1', amount: 500 }, { charge_id: 'ch_1' }];
// @ts-expect-error A refund names its payment once.
export const both: Refund = { payment_intent_id: 'pi_1', charge_id: 'ch_1' };
// @ts-expect-error A refund names its payment.
export const neither: Refund = { amount: 500 };

type Sale = components['schemas']['sale'];
const sale = { type: 'sale', amount: '12.00', security_key: 'key' } as const;
export const sales: readonly Sale[] = [
  { ...sale, payment_token: 'token' },
  { ...sale, ccnumber: '4111111111111111', ccexp: '1230' },
];
// @ts-expect-error A token replaces the card.
export const withExpiry: Sale = { ...sale, payment_token: 'token', ccexp: '1230' };

type Status = components['schemas']['refund']['status'];
export const statuses: readonly Status[] = ['succeeded', 'a_status_of_tomorrow'];
`;

const service = `
declare const process: { readonly argv: readonly string[] };
const { url, secretKey, securityKey } = JSON.parse(process.argv.at(-1) ?? '');
const key = (name: string) => ({ 'Idempotency-Key': name });
const sale = { type: 'sale', amount: '12.00', payment_token: 'token', security_key: securityKey } as const;
`;

/** Pays, refunds, lists and sells with the generated client. */
const heyApi = `${service}
import { createClient } from './hey-api/client';
import * as sdk from './hey-api/index';
const shared = { client: createClient({ baseUrl: url, auth: secretKey }), throwOnError: true } as const;
const created = await sdk.paymentIntentsCreate({ ...shared, body: { amount: 1200, currency: 'usd' }, headers: key('create') });
const path = { id: created.data.id };
const paid = await sdk.paymentIntentsConfirm({ ...shared, path, body: { payment_method: 'pm_card_visa' }, headers: key('confirm') });
const refund = await sdk.refundsCreate({ ...shared, body: { payment_intent_id: path.id, amount: 500 }, headers: key('refund') });
const { data: page } = await sdk.refundsList({ ...shared, query: { limit: 20 } });
const sold = await sdk.transactSubmit({ ...shared, body: sale, parseAs: 'text' });
console.log(created.data.status, paid.data.status, refund.data.status, page.data.length, String(sold.data).slice(0, 11));
`;

async function compile(file: string, program: string): Promise<void> {
  writeFileSync(join(folder, file), program);
  const lib = ['ES2022', 'DOM', 'DOM.Iterable'];
  const how = {
    noEmit: true,
    strict: true,
    target: 'ES2022',
    lib,
    types: [],
    module: 'ESNext',
    moduleResolution: 'Bundler',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: how, files: [file] }));
  await run(folder, [bin('tsc')]);
}

/** Compiles a program that uses a generated client, and runs it with a sandbox. */
async function pay(file: string, program: string): Promise<void> {
  await compile(file, program);
  await run(folder, [bin('esbuild'), file, '--bundle', '--format=esm', '--outfile=program.mjs']);
  const sandbox = await createSandbox().listen();
  const { url, secretKey, securityKey } = sandbox;
  const keys = JSON.stringify({ url, secretKey, securityKey });
  const printed = await run(folder, ['node', 'program.mjs', keys]).finally(() => sandbox.close());
  assert.equal(printed, 'requires_payment_method succeeded pending 1 response=1&');
}

interface Item {
  readonly item?: readonly Item[];
  readonly request?: { readonly method: string; readonly body?: unknown };
  readonly response?: readonly unknown[];
}

/** Each request of Postman's collection has a saved response, and each POST a body. */
async function importIntoPostman(): Promise<void> {
  const importer = createRequire(join(folder, 'package.json'))('openapi-to-postmanv2');
  const options = { folderStrategy: 'Tags', parametersResolution: 'Example' };
  const input = { type: 'string', data: readFileSync(description, 'utf8') };
  const collection: Item = await new Promise((done, fail) => {
    importer.convertV2(
      input,
      options,
      (error: unknown, { output, reason }: { output?: [{ data: Item }]; reason?: string }) =>
        output === undefined ? fail(error ?? new Error(reason)) : done(output[0].data),
    );
  });
  const requestsIn = ({ item, ...own }: Item): readonly Item[] => item?.flatMap(requestsIn) ?? [own];
  const requests = requestsIn(collection);
  const { paths }: { paths: object } = JSON.parse(input.data);
  assert.equal(requests.length, Object.values(paths).flatMap((path) => Object.keys(path)).length);
  for (const { response = [] } of requests) assert(response.length > 0);
}

try {
  await install(folder, tools);
  await check('the linter reports nothing', async () => {
    writeFileSync(join(folder, 'redocly.yaml'), JSON.stringify(redocly));
    // It reports a warning on its standard error, with the status 0.
    await run(folder, [
      bin('redocly'),
      'lint',
      description,
      '--max-problems=5',
      '--format=github-actions',
    ]).then((output) => assert.equal(output, ''));
  });
  await check('openapi-typescript: its types compile', async () => {
    await run(folder, [bin('openapi-typescript'), description, '--output', 'types.ts']);
    await compile('program.ts', types);
  });
  if (isAll) {
    await check('@hey-api/openapi-ts: its client compiles and pays', async () => {
      const files = ['--input', description, '--output', 'hey-api', '--client', '@hey-api/client-fetch'];
      await run(folder, [bin('openapi-ts'), ...files]);
      await pay('with-hey-api.ts', heyApi);
    });
    await check('Postman imports each request with a response', importIntoPostman);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printCounts('openapi');
