import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode } from '../../../base/error-code.ts';
import { isIntegerFrom } from '../../../base/integer.ts';

/** The locks of this process. */
const held = new Set<string>();

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but belongs to somebody else.
    return errorCode(error) === 'EPERM';
  }
}

function readOwner(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isHeld(lock: string, owner: number): boolean {
  if (owner === process.pid) return held.has(lock);
  return isIntegerFrom(owner, 1) && isAlive(owner);
}

function tryToTake(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Takes away the lock of a process that is gone, unless another process was faster. */
function breakStale(lock: string, owner: number): void {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    // What is no number is not the same as itself, but for this comparison.
    if (!Object.is(readOwner(aside), owner)) linkSync(aside, lock);
    rmSync(aside, { force: true });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes sure that no other process has the file.
 *
 * @returns Lets it go.
 * @throws Error when another one has it.
 */
export function takeLock(file: string): () => void {
  const lock = `${file}.lock`;
  while (!tryToTake(lock)) {
    const owner = readOwner(lock);
    if (owner === undefined) continue;
    if (isHeld(lock, owner)) {
      throw new Error(
        `openSandbox: expected that nobody has '${file}' open, but process ${owner} has. ` +
          `Close that sandbox first, or delete '${lock}' if that process is no sandbox.`,
      );
    }
    breakStale(lock, owner);
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    rmSync(lock, { force: true });
  };
}
