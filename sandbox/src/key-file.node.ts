import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parseJson } from './base/json.ts';
import { isKeys, newKeys, type SandboxKeys } from './keys.ts';

/** Writes the file atomically, readable for its owner only. */
function write(file: string, keys: SandboxKeys): void {
  const temporary = `${file}.new`;
  rmSync(temporary, { force: true });
  try {
    writeFileSync(temporary, `${JSON.stringify(keys)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Reads the keys that belong to a data file, or creates them with it, so that an app under development keeps working
 * after a restart. They have a file of their own, since the data file holds no secrets. The caller holds the data
 * file's lock.
 *
 * @throws Error when the key file cannot be read or has no keys.
 */
export function readOrCreateKeys(dataFile: string): SandboxKeys {
  const file = `${dataFile}.keys`;
  if (!existsSync(file)) write(file, newKeys());
  const keys = parseJson(readFileSync(file, 'utf8'));
  if (isKeys(keys)) return keys;
  throw new Error(
    `openSandbox: expected '${file}' to have the keys of the data file, got something else. Delete it for new keys.`,
  );
}
