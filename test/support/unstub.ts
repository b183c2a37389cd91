/** Loaded before each test file. Vitest takes stubs and spies back before the next test, so those of a file's last test would reach the next file. */

import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
