import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isRecord, parseJson } from '../base/json.ts';
import { newKeys, type SandboxKeys } from './keys.ts';

function isKeys(value: unknown): value is SandboxKeys {
  if (!isRecord(value)) return false;
  return ['secretKey', 'securityKey', 'publicKey'].every((name) => {
    const key = value[name];
    return typeof key === 'string' && key !== '';
  });
}

/** Writes the whole file or none, for its owner alone. */
function write(file: string, keys: SandboxKeys): void {
  const beside = `${file}.new`;
  rmSync(beside, { force: true });
  try {
    writeFileSync(beside, `${JSON.stringify(keys)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * The keys that belong to a data file, so that an app under development works on after a restart. They are made with it, and
 * are in a file of their own, since the data file has no secrets. The caller holds the lock of the data file.
 *
 * @throws Error when the file with the keys cannot be read, or has none.
 */
export function keysBeside(dataFile: string): SandboxKeys {
  const file = `${dataFile}.keys`;
  if (!existsSync(file)) write(file, newKeys());
  const keys = parseJson(readFileSync(file, 'utf8'));
  if (isKeys(keys)) return keys;
  throw new Error(
    `openSandbox: expected '${file}' to have the keys of the data file, got something else. Delete it for new keys.`,
  );
}
