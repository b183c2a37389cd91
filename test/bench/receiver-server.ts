/** Runs one receiver in a process of its own. It answers each message with the CPU time it has used so far, in seconds. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceiverJob, ReceiverSettings } from './receiving.ts';

const { library, job, database }: ReceiverSettings = JSON.parse(process.argv[2] ?? '');
const jobs: Partial<Record<string, ReceiverJob>> = await import(`./sides/${library}.ts`);
const listener = await jobs[job]?.(database);
if (listener === undefined) throw new Error(`expected a job of ${library}, got ${job}.`);

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1e6);
});

const server = createServer(listener);
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`http://127.0.0.1:${port}`);
});

// Nobody is left to measure anything.
process.on('disconnect', () => process.exit());
