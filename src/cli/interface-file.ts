import { readFileSync } from 'node:fs';
import { errorCode } from '../base/error-code.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { messageOf } from '../base/message-of.ts';
import { readOptions } from '../sandbox/options.ts';
import { UsageProblem } from './problems.ts';

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageProblem(
      `expected --interface to be a file that can be read, got '${file}' (${errorCode(error)}).`,
    );
  }
}

/**
 * Reads the forms of a service from a file such as `payments.interface.json`.
 *
 * @throws UsageProblem when it cannot be read, or names the first field that is wrong.
 */
export function readInterfaceFile(file: string): Readonly<Record<string, unknown>> {
  const content = parseJson(readText(file));
  if (!isRecord(content)) {
    throw new UsageProblem(
      `expected --interface to be a file with a JSON object, got other text in '${file}'.`,
    );
  }
  try {
    readOptions({ interface: content });
  } catch (error) {
    throw new UsageProblem(`in '${file}': ${messageOf(error).replace('createSandbox.', '')}`);
  }
  return content;
}
