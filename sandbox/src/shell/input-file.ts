import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { errorCode } from '../base/thrown.ts';
import { Failure } from './problems.ts';

/**
 * Reads the file of an option; `-` is standard input.
 *
 * @throws Failure when it cannot be read.
 */
export async function readInputFile(option: string, file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    const expected = `expected ${option} to be a readable file`;
    throw new Failure('FILE_NOT_USABLE', `${expected}, got '${file}' (${errorCode(error)}).`);
  }
}
