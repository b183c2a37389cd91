import { readOptions, type SandboxOptions } from './options.ts';
import { Sandbox } from './sandbox.ts';

/**
 * Opens a sandbox that keeps its state in a file, and makes the file where there is none. Whatever it has answered, it
 * remembers when the file is opened again, also after a crash: objects, events, deliveries, what falls due, the time, and
 * the replies under idempotency keys. The keys that it makes are kept too, in a file beside it whose name ends in `.keys`.
 * Needs `node:sqlite`: Node 22.13 or later, Bun or Deno. `close` ends it.
 *
 * @param file The file. An SQLite database. One process at a time may have it.
 * @param options As for `createSandbox`. `startsAt` counts only for a new file.
 * @throws Error when another process has it, or it is no data file, or damaged.
 * @throws RangeError when an option is wrong; the file is left as it was.
 *
 * @example
 * const sandbox = await openSandbox('sandbox.data');
 */
export async function openSandbox(file: string, options: SandboxOptions = {}): Promise<Sandbox> {
  // Wrong options must not leave a locked file behind.
  readOptions(options);
  const { openSqliteFile } = await import('./store/sqlite-file.node.ts');
  const { keysBeside } = await import('./kept-keys.node.ts');
  const persistence = openSqliteFile(file);
  try {
    return new Sandbox(options, { persistence, keys: keysBeside(file) });
  } catch (error) {
    persistence.close();
    throw error;
  }
}
