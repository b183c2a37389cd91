import { refuseValue } from '../base/refuse.ts';
import { readOptions, type SandboxOptions } from './options.ts';
import { Sandbox } from './sandbox.ts';

/**
 * Opens a sandbox that stores its state in a file, and creates a missing file. Everything that a response has confirmed
 * survives a restart and a crash: objects, events, deliveries, scheduled work, the time, and the responses of idempotency
 * keys. It stores generated keys too, in a file beside it with the suffix `.keys`. Needs `node:sqlite`: Node 22.13 or later,
 * Bun or Deno. `close` closes the file. Functions that receive webhooks are not stored: register them each time.
 *
 * @param file The path of an SQLite database. Only one process at a time can open it.
 * @param options As for `createSandbox`. `startsAt` applies to a new file only.
 * @throws Error when another process has the file open, it is not a data file, or it is damaged.
 * @throws ConfigurationError when the path or an option is invalid; the file stays unchanged.
 *
 * @example
 * const sandbox = await openSandbox('sandbox.data');
 */
export async function openSandbox(file: string, options: SandboxOptions = {}): Promise<Sandbox> {
  if (typeof file !== 'string' || file === '')
    refuseValue('openSandbox.file', 'the path of a file', file, 'Correct the arguments of openSandbox.');
  // Checks the options first, so that an invalid one leaves no locked file behind.
  readOptions(options);
  const { openSqliteFile } = await import('./store/sqlite-file.node.ts');
  const { readOrCreateKeys } = await import('./key-file.node.ts');
  const persistence = openSqliteFile(file);
  try {
    return new Sandbox(options, { persistence, keys: readOrCreateKeys(file) });
  } catch (error) {
    persistence.close();
    throw error;
  }
}
