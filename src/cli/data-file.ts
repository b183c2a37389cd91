import { messageOf } from '../base/thrown.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts';
import { Failure } from './problems.ts';

/**
 * Opens a sandbox stored in a file.
 *
 * @throws Failure when the file cannot be used.
 */
export async function openDataFile(file: string, options: SandboxOptions): Promise<Sandbox> {
  try {
    return await openSandbox(file, options);
  } catch (error) {
    throw new Failure('FILE_NOT_USABLE', `the data file '${file}' cannot be used: ${messageOf(error)}`);
  }
}
