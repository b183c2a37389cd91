/** Of several processes that find a data file's lock at the same moment, at most one takes it, and none takes a living one's. */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { openSandbox } from 'payments-client/sandbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFile } from '../../../support/temporary-file.ts';

vi.mock('node:fs', { spy: true });

/** A process that is no more: no system counts so far. */
const gone = String(2 ** 31 - 1);
/** One that lives as long as the test: its parent. */
const alive = String(process.ppid);

/** A data file with the lock of a process. */
async function lockedBy(owner: string): Promise<{ readonly file: string; readonly lock: string }> {
  const file = await temporaryFile();
  const lock = `${file}.lock`;
  await writeFile(lock, owner);
  return { file, lock };
}

async function open(file: string): Promise<void> {
  const sandbox = await openSandbox(file);
  onTestFinished(() => sandbox.close());
}

/** What another process does just before a step of this one. */
async function before(step: 'readFileSync' | 'renameSync', act: () => void): Promise<void> {
  const actual = await vi.importActual<typeof import('node:fs')>('node:fs');
  const mocked: { mockImplementationOnce(run: (...args: never[]) => unknown): unknown } = vi.mocked(
    step === 'readFileSync' ? readFileSync : renameSync,
  );
  mocked.mockImplementationOnce((...args) => {
    act();
    return Reflect.apply(actual[step], undefined, args);
  });
}

test('a lock that its owner lets go at the same moment is taken', async () => {
  const { file, lock } = await lockedBy(alive);
  await before('readFileSync', () => rmSync(lock));
  await open(file);
  expect(await readFile(lock, 'utf8')).toBe(String(process.pid));
});

test('a stale lock that another process has taken away first is taken', async () => {
  const { file, lock } = await lockedBy(gone);
  await before('renameSync', () => rmSync(lock));
  await open(file);
  expect(await readFile(lock, 'utf8')).toBe(String(process.pid));
});

test('a lock that another process has taken in place of a stale one is put back', async () => {
  const { file, lock } = await lockedBy(gone);
  await before('renameSync', () => writeFileSync(lock, alive));
  await expect(openSandbox(file)).rejects.toThrow(`process ${alive} has`);
  expect(await readFile(lock, 'utf8')).toBe(alive);
});

test('a stale lock that cannot be taken away is left, with the error of the system', async () => {
  const { file, lock } = await lockedBy(gone);
  await before('renameSync', () => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  });
  await expect(openSandbox(file)).rejects.toMatchObject({ code: 'EACCES' });
  expect(await readFile(lock, 'utf8')).toBe(gone);
});

test('a lock that is no file is left, with the error of the system', async () => {
  const file = await temporaryFile();
  await mkdir(`${file}.lock`);
  await expect(openSandbox(file)).rejects.toMatchObject({ code: 'EISDIR' });
});
