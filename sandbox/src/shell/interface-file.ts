import { isRecord, parseJson } from '../base/json.ts';
import { messageOf } from '../base/thrown.ts';
import { readOptions } from '../options.ts';
import { readInputFile } from './input-file.ts';
import { UsageProblem } from './problems.ts';

/**
 * Reads the forms of a service from a file such as `payments.interface.json`.
 *
 * @throws Failure when it cannot be read.
 * @throws UsageProblem that names each invalid field.
 */
export async function readInterfaceFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  const content = parseJson((await readInputFile('--interface', file)).toString());
  if (!isRecord(content)) {
    throw new UsageProblem(
      `expected --interface to be a file with a JSON object, got other text in '${file}'.`,
    );
  }
  try {
    readOptions({ interface: content });
  } catch (error) {
    throw new UsageProblem(`in '${file}': ${messageOf(error).replaceAll('createSandbox.', '')}`);
  }
  return content;
}
