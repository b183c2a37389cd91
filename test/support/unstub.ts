/** Loaded before each test file. Each test is a process of its own. Vitest takes stubs and spies back before the next test, so those of a file's last test would reach the next file. */

import { afterAll, beforeEach, vi } from 'vitest';
import { startAnew } from './new-process.ts';

beforeEach(startAnew);

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
