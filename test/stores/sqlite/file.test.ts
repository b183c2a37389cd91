import { DatabaseSync } from 'node:sqlite';
import { sqliteStore } from 'payments-client/stores';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFile } from '../../support/temporary-file.ts';
import { long } from '../time.ts';

it('a file works if another process prevented the first commit of its tables', async () => {
  let isFirst = true;
  class Locked extends DatabaseSync {
    override exec(sql: string): void {
      if (sql === 'COMMIT' && isFirst) {
        isFirst = false;
        throw Object.assign(new Error('database is locked'), { errcode: 5 });
      }
      super.exec(sql);
    }
  }
  const path = await temporaryFile();
  const found = process.getBuiltinModule.bind(process);
  const spy = vi
    .spyOn(process, 'getBuiltinModule')
    .mockImplementation((name) => (name === 'node:sqlite' ? { DatabaseSync: Locked } : found(name)));
  onTestFinished(() => spy.mockRestore());
  const store = sqliteStore(path);
  onTestFinished(() => store.close());
  expect(isFirst).toBe(false);
  expect(await store.claim('a', long)).toMatchObject({ status: 'claimed', attempt: 1 });
});
