import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The path of a file that is not there yet, in a folder that goes with the test. */
export async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'sandbox.data');
}
