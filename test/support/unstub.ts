/** Loaded before each test file. Vitest takes a stub back before the next test, so that of a file's last test would reach the next file. */

import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
