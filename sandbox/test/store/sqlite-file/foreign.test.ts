/** A file of another program is refused before a byte of it, its time or its folder changes. */

import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { temporaryFile } from '../../../../test/support/temporary-file.ts';

/** Writes a database of another program. */
function writeDatabase(file: string, statements: string): void {
  const database = new DatabaseSync(file);
  database.exec(statements);
  database.close();
}

/** Writes a database whose table is in its write-ahead log alone, as a killed program leaves it. */
function writeKilled(file: string): void {
  const database = new DatabaseSync(`${file}.whole`);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE note (text TEXT)');
  copyFileSync(`${file}.whole`, file);
  copyFileSync(`${file}.whole-wal`, `${file}-wal`);
  database.close();
}

const program =
  /^openSandbox: expected '.+' to be a data file of a sandbox, but another program wrote it\. Use another file\.$/;

test.each<[name: string, write: (file: string) => void]>([
  ['a short text', (file) => writeFileSync(file, 'my notes')],
  ['a long text', (file) => writeFileSync(file, 'my notes\nof today\n'.repeat(1000))],
  ['a database', (file) => writeDatabase(file, 'CREATE TABLE note (text TEXT)')],
  ['a database without tables', (file) => writeDatabase(file, 'PRAGMA application_id = 7')],
  [
    'a database of the same version',
    (file) => writeDatabase(file, 'CREATE TABLE object (id); PRAGMA user_version = 1'),
  ],
  [
    'a database with a write-ahead log',
    (file) => writeDatabase(file, 'PRAGMA journal_mode = WAL; CREATE TABLE note (text)'),
  ],
  ['a database of a killed program', writeKilled],
])('%s is refused, and not changed', async (_name, write) => {
  const file = await temporaryFile();
  write(file);
  utimesSync(file, 1_000_000, 1_000_000);
  const before = { names: readdirSync(dirname(file)), bytes: readFileSync(file) };
  await expect(openSandbox(file)).rejects.toThrow(program);
  expect({ names: readdirSync(dirname(file)), bytes: readFileSync(file) }).toEqual(before);
  expect(statSync(file).mtimeMs).toBe(1_000_000_000);
});

test('a folder is refused, and stays empty', async () => {
  const file = await temporaryFile();
  mkdirSync(file);
  await expect(openSandbox(file)).rejects.toThrow(/but it is no regular file\. Use another file\.$/);
  expect([readdirSync(file), readdirSync(dirname(file))]).toEqual([[], ['sandbox.data']]);
});

test('a data file of another version is refused, and not changed', async () => {
  const file = await temporaryFile();
  await (await openSandbox(file)).close();
  writeDatabase(file, 'PRAGMA user_version = 2');
  const before = readFileSync(file);
  await expect(openSandbox(file)).rejects.toThrow(/but it has version 2 instead of 1\. Use another file\.$/);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('an empty file becomes a data file', async () => {
  const file = await temporaryFile();
  writeFileSync(file, '');
  const sandbox = await openSandbox(file);
  const { id } = sandbox.add('customer');
  await sandbox.close();
  const again = await openSandbox(file);
  expect(again.get('customer', id)).toBeDefined();
  await again.close();
});

test('a data file is recognized from the beginning, also when its process is killed', async () => {
  const file = await temporaryFile();
  const sandbox = await openSandbox(file);
  const copy = await temporaryFile();
  copyFileSync(file, copy);
  await sandbox.close();
  await (await openSandbox(copy)).close();
});
