import { readFileSync } from 'node:fs';
import { type ConfigurationError, configurationError } from './base/errors.ts';
import { errorCode } from './base/functions.ts';
import { parseJson } from './base/json.ts';
import { environmentVariable } from './base/runtime/runtime.ts';

const variable = 'PAYMENTS_INTERFACE';

function refusal(expected: string, received: string): ConfigurationError {
  return configurationError(
    [{ path: variable, expected, received }],
    `Correct the environment variable ${variable}, or write the file with npx payments-client probe.`,
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw refusal('a file that can be read', String(errorCode(error)));
  }
}

/**
 * The content of the file that the environment variable `PAYMENTS_INTERFACE` names; `undefined` where it names none.
 *
 * @throws ConfigurationError when the file cannot be read or is not JSON.
 */
export function readInterfaceFile(): unknown {
  const path = environmentVariable(variable);
  if (path === undefined) return undefined;
  const content = parseJson(readText(path));
  if (content === undefined) throw refusal('a file of JSON', 'another text');
  return content;
}
