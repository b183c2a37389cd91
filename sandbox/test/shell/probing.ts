import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox, SandboxOptions } from 'payments-client-sandbox';
import { beforeEach, expect, onTestFinished } from 'vitest';
import { startSandbox } from '../../../test/support/sandbox.ts';
import { serve } from '../../../test/support/serve.ts';
import { parse, run } from './support.ts';

export const testKey = 'sk_v1_test_4eC39HqLyjWDarjtT1zdp7dc';
export const liveKey = 'sk_v1_live_4eC39HqLyjWDarjtT1zdp7dc';
const securityKey = 'sec_9HqLyjWDarjtT1zdp7dcXy';
export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const keyed = { PAYMENTS_SECRET_KEY: testKey };
export const everyKey = {
  ...keyed,
  PAYMENTS_SECURITY_KEY: securityKey,
  PAYMENTS_WEBHOOK_SECRET: webhookSecret,
};

/** The folder of a test, and the file that its probe writes: those of `useFolder`. */
export let folder: string;
export let out: string;
export const useFolder = () =>
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'probe-'));
    out = join(folder, 'found.json');
    return () => rm(folder, { recursive: true, force: true });
  });

/** Writes a file in the folder of the test. */
export async function fileOf(content: string): Promise<string> {
  const file = join(folder, 'input.txt');
  await writeFile(file, content);
  return file;
}

export const lineFor = (url: string, ...more: readonly string[]) => [
  'probe',
  '--base-url',
  url,
  '--out',
  out,
  '--pace',
  '0',
  ...more,
];

/** Runs a probe with every key. Returns its output, and the file that it wrote. */
export async function probed(url: string, ...more: readonly string[]) {
  const ended = await run(lineFor(url, ...more), everyKey);
  expectNoKey(ended.stdout, ended.stderr);
  return { ...ended, file: existsSync(out) ? await readFile(out, 'utf8') : undefined };
}

export async function seeded(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ secretKey: testKey, securityKey, ...options });
  sandbox.seed({ customers: 3, intents: 5, months: 1 });
  return sandbox;
}

/** Starts a service that knows no path but those that are answered, and returns the requests that it gets. */
export async function serviceBy(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown = () => false,
) {
  const requests: string[] = [];
  const { url, close } = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    if (answer(request, response) !== false) return;
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"error":{"code":"NOT_FOUND","message":"none"}}');
  });
  onTestFinished(close);
  return { url, requests };
}

export const linesOf = (stdout: string) => stdout.trimEnd().split('\n').map(parse);
export const lineOf = (stdout: string, id: string) => linesOf(stdout).find((line) => line['id'] === id);

export function expectNoKey(...texts: readonly (string | undefined)[]): void {
  const keys = [testKey, liveKey, securityKey, webhookSecret].map((key) => key.slice(-12));
  expect(keys.filter((key) => texts.join('\n').includes(key))).toEqual([]);
}

/** Expects one line for an error. */
export function expectProblem(stderr: string, pattern: RegExp): void {
  expect(stderr).toMatch(pattern);
  expect(stderr).toMatch(/^payments-client.*\n$/);
  expect(stderr).not.toMatch(/unexpected|\n {4}at /);
  expectNoKey(stderr);
}
