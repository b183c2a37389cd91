/**
 * Loaded before each file of `npm test`: measures the processor time of the file, without the first loading of the
 * package, and refuses to start a program.
 */

import { ChildProcess } from 'node:child_process';
import { afterAll, expect } from 'vitest';
import 'payments-client';
import 'payments-client-sandbox';
import 'payments-client/stores';
import 'payments-client/webhooks';
import { twoProcesses } from './limits.ts';
import { slowness } from './yardstick.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a file, in seconds of the reference machine. */
    cpuSeconds?: number;
  }
}

// Node 22 cannot measure a thread.
const { threadCpuUsage }: Partial<NodeJS.Process> = process;
const start = threadCpuUsage?.();

// oxlint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures here, and this uses none.
afterAll(({}, { file }) => {
  const used = threadCpuUsage?.(start);
  if (used !== undefined) file.meta.cpuSeconds = (used.user + used.system) / 1e6 / slowness;
});

const { spawn } = Object(ChildProcess.prototype);
Object.assign(ChildProcess.prototype, {
  spawn(...args: readonly unknown[]) {
    if (expect.getState().testPath?.endsWith(twoProcesses)) return spawn.apply(this, args);
    throw new Error(
      'A test of npm test starts no program: give its file a name that ends in .services.test.ts.',
    );
  },
});
