/**
 * What becomes of a data file when the disk is full, or a folder cannot be written: what was refused has not happened, in
 * the process and in the file, and what was answered before is there.
 */

import { fsyncSync, renameSync, writeSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { openSandbox } from 'payments-client/sandbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inProcess, json, refusal } from '../../../support/sandbox-requests.ts';
import { temporaryFile } from '../../../support/temporary-file.ts';

vi.mock('node:fs', { spy: true });

const intent = { amount: 1200, currency: 'usd' };

async function open(file: string) {
  const sandbox = await openSandbox(file, { startsAt: Date.UTC(2026, 0, 1) });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

function full(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
}

/** The disk takes the first half of the next line, and then nothing more of it. */
async function fillDisk(): Promise<void> {
  const { writeSync: write } = await vi.importActual<typeof import('node:fs')>('node:fs');
  vi.mocked(writeSync)
    .mockImplementationOnce((...args: unknown[]) =>
      Number(Reflect.apply(write, undefined, args.with(3, Math.floor(Number(args[3]) / 2)))),
    )
    .mockImplementationOnce(full);
}

test('a change that the disk has no room for has not happened, and the next one is kept', async () => {
  const file = await temporaryFile();
  const sandbox = await open(file);
  const kept = sandbox.add('customer');
  const count = sandbox.events.length;
  await fillDisk();
  expect(() => sandbox.add('customer')).toThrow(/ENOSPC/);
  expect(sandbox.events).toHaveLength(count);
  await fillDisk();
  const create = () =>
    inProcess(sandbox)('/v1/payment_intents', json(sandbox, { body: intent, key: 'order-1' }));
  expect(await refusal(await create())).toEqual([500, 'SANDBOX_FAILURE']);
  const again = await create();
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
  const events = sandbox.events;
  await sandbox.close();
  const reopened = await open(file);
  expect(reopened.events).toEqual(events);
  expect(reopened.get('customer', kept.id)).toEqual(kept);
});

test.each([
  ['is full', () => vi.mocked(fsyncSync).mockImplementationOnce(full)],
  ['cannot be written', () => vi.mocked(renameSync).mockImplementationOnce(full)],
])('a file that cannot be made since the disk %s leaves nothing behind', async (_, fail) => {
  const file = await temporaryFile();
  await (await openSandbox(file)).close();
  await rm(file);
  fail();
  await expect(open(file)).rejects.toThrow(/ENOSPC/);
  expect(await readdir(dirname(file))).toEqual([`${basename(file)}.keys`]);
  await open(file);
});

test('keys that cannot be written leave nothing behind', async () => {
  const file = await temporaryFile();
  vi.mocked(renameSync).mockImplementationOnce(full);
  await expect(open(file)).rejects.toThrow(/ENOSPC/);
  expect(await readdir(dirname(file))).toEqual([]);
  await open(file);
});

test('a file that cannot be written anew is as good as ever, and is written anew later', async () => {
  const file = await temporaryFile();
  const sandbox = await open(file);
  const { id } = sandbox.add('product');
  vi.mocked(renameSync).mockClear().mockImplementationOnce(full);
  let made = 0;
  while (vi.mocked(renameSync).mock.calls.length < 2 && made < 60_000) {
    sandbox.update('product', id, { made });
    made += 1;
  }
  expect(vi.mocked(renameSync).mock.results.map(({ type }) => type)).toEqual(['throw', 'return']);
  await sandbox.close();
  expect((await readdir(dirname(file))).sort()).toEqual([basename(file), `${basename(file)}.keys`]);
  expect((await open(file)).get('product', id)).toMatchObject({ made: made - 1 });
});

test('a folder that is not there is named by the system’s own error', async () => {
  const file = await temporaryFile();
  await expect(open(`${file}/not/there`)).rejects.toMatchObject({ code: 'ENOENT' });
});
