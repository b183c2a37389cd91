import { createRequire } from 'node:module';
import { join } from 'node:path';
import { errorCode, messageOf } from '../base/functions.ts';

/** What a command needs of its process. */
export interface Surroundings {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Waits until a sandbox should stop. */
  readonly untilInterrupted: () => Promise<void>;
  /** The working directory. */
  readonly folder: string;
}

/** The commands of the other package. */
export interface Shell {
  /** Resolves with the exit code; writes an error as one line. */
  run(line: readonly string[], surroundings: Surroundings): Promise<number>;
}

const name = 'payments-client-sandbox/shell';

/** Returns whether the package itself is missing, not one that it needs. Later lines of the message name who asked. */
function isMissing(error: unknown): boolean {
  const [problem = ''] = messageOf(error).split('\n');
  return errorCode(error) === 'MODULE_NOT_FOUND' && problem.includes('payments-client-sandbox');
}

/**
 * Loads the shell of the sandbox package: the one that the project of the working directory has, else the one beside this package.
 * Returns `undefined` without one.
 *
 * @throws Error if it cannot be used, for example since its version is another one.
 */
export function loadShell(folder: string): Shell | undefined {
  for (const from of [join(folder, 'package.json'), import.meta.filename]) {
    try {
      return createRequire(from)(name);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return undefined;
}
