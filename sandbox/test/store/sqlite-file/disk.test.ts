/**
 * A data file on a full disk or in a read-only folder: a rejected change is rolled back in the process and in the
 * file, and earlier changes stay.
 */

import fs from 'node:fs';
import { readdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { openSandbox } from 'payments-client-sandbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inProcess, json, refusal } from '../../../../test/support/sandbox-requests.ts';
import { temporaryFile } from '../../../../test/support/temporary-file.ts';

const intent = { amount: 1200, currency: 'usd' };

async function open(file: string) {
  const sandbox = await openSandbox(file, { startsAt: Date.UTC(2026, 0, 1) });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

function full(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
}

/** Lets the disk accept one row of the next unit, then fail. */
function fillDisk(): void {
  const run = StatementSync.prototype.run;
  vi.spyOn(StatementSync.prototype, 'run')
    .mockImplementationOnce(function (this: StatementSync, ...values) {
      return Reflect.apply(run, this, values);
    })
    .mockImplementationOnce(full);
}

test('a change that does not fit the disk is rolled back, and the next one is saved', async () => {
  const file = await temporaryFile();
  const sandbox = await open(file);
  const kept = sandbox.add('customer');
  const count = sandbox.events.length;
  fillDisk();
  expect(() => sandbox.add('customer')).toThrow(/ENOSPC/);
  expect(sandbox.events).toHaveLength(count);
  fillDisk();
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

test('a read is answered on a full disk, and later steps are saved', async () => {
  const file = await temporaryFile();
  const sandbox = await (await open(file)).listen();
  const send = inProcess(sandbox);
  vi.spyOn(StatementSync.prototype, 'run').mockImplementationOnce(full);
  const page = await send('/v1/payment_intents', json(sandbox));
  expect(page.status).toBe(200);
  await send('/v1/payment_intents', json(sandbox, { body: intent, key: 'order-1' }));
  const story = sandbox.story('order-1');
  expect(story?.verdict).toBe('open');
  await sandbox.close();
  expect((await open(file)).story('order-1')).toEqual(story);
});

test('a full disk leaves no partial data file', async () => {
  const file = await temporaryFile();
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementationOnce(full);
  await expect(open(file)).rejects.toThrow(/ENOSPC/);
  expect(await readdir(dirname(file))).toEqual([]);
  await open(file);
});

test('keys that cannot be written leave no file', async () => {
  const file = await temporaryFile();
  vi.spyOn(fs, 'renameSync').mockImplementationOnce(full);
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  await expect(open(file)).rejects.toThrow(/ENOSPC/);
  expect(await readdir(dirname(file))).toEqual([]);
  await open(file);
});

test('a missing folder is reported with the system’s own error', async () => {
  const file = await temporaryFile();
  await expect(open(`${file}/not/there`)).rejects.toMatchObject({ code: 'ENOENT' });
});
