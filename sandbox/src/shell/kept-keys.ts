import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseJson } from '../base/json.ts';
import { errorCode } from '../base/thrown.ts';
import { isKeys, newKeys, type SandboxKeys } from '../keys.ts';

/** Returns the nearest folder with a `package.json`, from a folder upwards; `undefined` if there is none. */
function packageOf(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : packageOf(parent);
}

/** Returns the file in the folder that tools use as their cache, which no repository contains. */
function fileIn(packageFolder: string): string {
  return join(packageFolder, 'node_modules', '.cache', 'payments-client', 'sandbox-keys.json');
}

function read(file: string): SandboxKeys | undefined {
  try {
    const keys = parseJson(readFileSync(file, 'utf8'));
    return isKeys(keys) ? keys : undefined;
  } catch {
    // There is none, or it cannot be read.
    return undefined;
  }
}

function create(file: string): SandboxKeys {
  const keys = newKeys();
  const beside = `${file}.${randomUUID()}`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(beside, `${JSON.stringify(keys)}\n`, { flag: 'wx', mode: 0o600 });
    // Unlike a rename, a link keeps the file of a sandbox that starts at the same moment.
    linkSync(beside, file);
    return keys;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const others = read(file);
    // A file without keys is of no use to anybody.
    if (others === undefined) renameSync(beside, file);
    return others ?? keys;
  } finally {
    rmSync(beside, { force: true });
  }
}

/**
 * Returns the keys of earlier starts in the package that contains a folder, or creates them for the next ones.
 *
 * @throws Error when there is no package, or its folder is not writable.
 */
export function keepKeys(folder: string): SandboxKeys {
  const found = packageOf(folder);
  if (found === undefined) throw new Error(`there is no package.json in '${folder}' or above it`);
  return read(fileIn(found)) ?? create(fileIn(found));
}
