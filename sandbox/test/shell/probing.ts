import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox, SandboxOptions } from 'payments-client-sandbox';
import { expect, onTestFinished } from 'vitest';
import { startSandbox } from '../../../test/support/sandbox.ts';
import { serve } from '../../../test/support/serve.ts';
import { parse, run } from './support.ts';

export const testKey = 'sk_v1_test_4eC39HqLyjWDarjtT1zdp7dc';
export const liveKey = 'sk_v1_live_4eC39HqLyjWDarjtT1zdp7dc';
const securityKey = 'sec_9HqLyjWDarjtT1zdp7dcXy';
export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const fast = ['--pace', '0'];
export const keyed = { PAYMENTS_SECRET_KEY: testKey };

/** A folder that is removed with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'probe-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function seeded(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ secretKey: testKey, securityKey, ...options });
  sandbox.seed({ customers: 3, intents: 5, months: 1 });
  return sandbox;
}

/** A service that answers every request alike, and the requests that it got. */
export async function serviceWith(status: number, body = '') {
  const requests: { readonly method: string | undefined; readonly path: string | undefined }[] = [];
  const { url, close } = await serve(({ method, url: path }, response) => {
    requests.push({ method, path });
    response.writeHead(status).end(body);
  });
  onTestFinished(close);
  return { url, requests };
}

/** Runs a probe of a service with every key. Returns its output, and the file that it wrote. */
export async function probed(url: string, ...more: readonly string[]) {
  const out = join(await temporaryFolder(), 'found.json');
  const ended = await run(['probe', '--base-url', url, '--out', out, ...fast, ...more], {
    PAYMENTS_SECRET_KEY: testKey,
    PAYMENTS_SECURITY_KEY: securityKey,
    PAYMENTS_WEBHOOK_SECRET: webhookSecret,
  });
  const file = existsSync(out) ? await readFile(out, 'utf8') : undefined;
  return { ...ended, out, file };
}

/** Answers a request; returns false for the answer of an unknown path. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => unknown;

export const isOurs = ({ url = '' }: IncomingMessage) => !url.includes('payments_client_probe');
export const isList = ({ method, url = '' }: IncomingMessage) =>
  method === 'GET' && /^\/v1\/(?:checkout\/)?[^/]+$/.test(url);
export const isCreation = ({ method, url }: IncomingMessage) => method === 'POST' && url === '/v1/customers';
export const isDeletion = (request: IncomingMessage) => request.method === 'DELETE' && isOurs(request);

/** Starts a service with real HTTP, and returns the requests that it gets. */
export async function serviceBy(answer: Answering) {
  const requests: string[] = [];
  const { url, close } = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    if (answer(request, response) !== false) return;
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"error":{"code":"NOT_FOUND","message":"none"}}');
  });
  onTestFinished(close);
  return { url, requests, changes: () => requests.filter((one) => !/^GET |payments_client_probe/.test(one)) };
}

export const send = (response: ServerResponse, body: unknown) => void response.end(JSON.stringify(body));

export function linesOf(stdout: string) {
  return stdout.trimEnd().split('\n').map(parse);
}

/** Expects one line for an error, without a key. */
export function expectProblem(stderr: string, pattern: RegExp): void {
  expect(stderr).toMatch(pattern);
  expect(stderr).toMatch(/^payments-client.*\n$/);
  expect(stderr).not.toMatch(/unexpected|\n {4}at /);
  expectNoKey(stderr);
}

export function expectNoKey(...texts: readonly (string | undefined)[]): void {
  for (const text of texts) {
    for (const key of [testKey, liveKey, securityKey, webhookSecret])
      expect(text ?? '').not.toContain(key.slice(-12));
  }
}
