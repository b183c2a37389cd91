/**
 * Measures the sandbox: a page at 1,000 and at 1,000,000 objects, the memory of an object, and an HTTP request with an
 * idempotency key. Prints one table; asserts nothing, since the results depend on the machine. tinybench cannot measure
 * another process, or memory.
 *
 *     npx node --expose-gc scripts/bench-sandbox.ts
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPage } from '../src/sandbox/api/request/pagination.ts';
import { defaults } from '../src/sandbox/domain/object-defaults.ts';
import type { State } from '../src/sandbox/domain/state.ts';
import { createSandbox, openSandbox } from '../src/sandbox/index.ts';
import { sandboxState } from '../test/support/sandbox-state.ts';

const rounds = 2_000;
const requests = 20_000;
const warmUp = 3_000;
const inFlight = 32;

function printRow(name: string, ...figures: string[]): void {
  process.stdout.write(`${name.padEnd(44)}${figures.map((figure) => figure.padStart(16)).join('')}\n`);
}

function percentile(sorted: readonly number[], share: number): string {
  return `${((sorted[Math.floor(sorted.length * share)] ?? 0) * 1000).toFixed(1)} µs`;
}

function fill(state: State, count: number): void {
  for (let index = 0; index < count; index += 1) {
    state.unit(() => state.objects.payment_intent.add({ ...defaults.payment_intent(state) }), {
      isPast: true,
    });
  }
}

function measurePage(state: State, name: string, query: string): void {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    JSON.stringify(readPage(state.objects.payment_intent, new URLSearchParams(query), { size: 20 }));
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  printRow(name, percentile(times, 0.5), percentile(times, 0.99));
}

function measurePages(count: number): void {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const state = sandboxState();
  fill(state, count);
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / count;
  const all = state.objects.payment_intent.all();
  const size = count.toLocaleString('en');
  for (const [position, index] of [
    ['first', count - 1],
    ['middle', count >> 1],
    ['last', 20],
  ] as const) {
    measurePage(state, `${size}: ${position} page by cursor`, `starting_after=${all[index]?.id}`);
    measurePage(state, `${size}: ${position} page by offset`, `offset=${count - 1 - index}`);
  }
  printRow(`${size}: bytes per payment intent`, bytes.toFixed(0));
}

/** Runs in the child process: a server that reports its CPU time since the last report. */
async function serve(file: string | undefined): Promise<void> {
  const sandbox = await (file === undefined ? createSandbox() : await openSandbox(file)).listen();
  let lastUsage = process.cpuUsage();
  process.on('message', () => {
    const { user, system } = process.cpuUsage(lastUsage);
    lastUsage = process.cpuUsage();
    process.send?.({ cpu: (user + system) / 1e6 });
  });
  process.send?.({ url: sandbox.url, secretKey: sandbox.secretKey });
}

async function readCpuTime(child: ChildProcess): Promise<number> {
  const reply = once(child, 'message');
  child.send('cpu');
  return (await reply)[0].cpu;
}

function post(url: string, secretKey: string, agent: Agent, key: string): Promise<void> {
  const body = '{"amount":1200,"currency":"usd","metadata":{"order":"1042"}}';
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      'content-length': body.length,
      'idempotency-key': key,
    };
    const outgoing = request(`${url}/v1/payment_intents`, { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`Expected 200, got ${response.statusCode}.`));
      response.resume().on('end', resolve);
    });
    outgoing.on('error', reject).end(body);
  });
}

async function measureRequests(name: string, file?: string): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ['serve', ...(file === undefined ? [] : [file])]);
  const [{ url, secretKey }] = await once(child, 'message');
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const run = async (from: number, to: number): Promise<void> => {
    let next = from;
    const client = async (): Promise<void> => {
      while (next < to) await post(url, secretKey, agent, `order-${next++}`);
    };
    await Promise.all(Array.from({ length: inFlight }, client));
  };
  await run(0, warmUp);
  await readCpuTime(child);
  const start = performance.now();
  await run(warmUp, warmUp + requests);
  const seconds = (performance.now() - start) / 1000;
  const cpu = await readCpuTime(child);
  printRow(name, (requests / cpu).toFixed(0), (requests / seconds).toFixed(0));
  agent.destroy();
  child.kill('SIGKILL');
  await once(child, 'exit');
}

if (process.argv[2] === 'serve') {
  await serve(process.argv[3]);
} else {
  printRow('', 'per CPU second', 'per second');
  await measureRequests('POST with a new key, in memory');
  const file = join(tmpdir(), `bench-sandbox-${process.pid}.data`);
  await measureRequests('POST with a new key, data file', file);
  for (const name of [file, `${file}.lock`]) rmSync(name, { force: true });
  if (process.argv[2] !== 'requests') {
    printRow('', 'p50', 'p99');
    for (const count of [1_000, 1_000_000]) measurePages(count);
  }
}
