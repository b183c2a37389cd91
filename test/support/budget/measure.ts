/**
 * Loaded before each file of `npm test`: measures the processor time of its tests, and refuses to start a program.
 */

import { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect } from 'vitest';
import { twoProcesses } from './limits.ts';
import { slowness } from './yardstick.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of the tests of a file, in seconds of this machine. */
    cpuSeconds?: number;
    /** How many times slower than the reference machine this one was meanwhile. */
    slowness?: number;
  }
}

// Node 22 cannot measure a thread.
const { threadCpuUsage }: Partial<NodeJS.Process> = process;
let start: NodeJS.CpuUsage | undefined;

// Not earlier: the first file that imports a module pays for all.
beforeAll(() => {
  start = threadCpuUsage?.();
});

// oxlint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures here, and this uses none.
afterAll(({}, { file }) => {
  const used = threadCpuUsage?.(start);
  if (used === undefined) return;
  file.meta.cpuSeconds = (used.user + used.system) / 1e6;
  file.meta.slowness = slowness();
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
