import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Returns the path of a new file, in a folder that is removed with the test. */
export async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'sandbox.data');
}
