/** The keys of a sandbox: new for each one, unless they are given or stored with a data file. */

import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createSandbox, openSandbox, type Sandbox, testCards } from 'payments-client/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFile } from '../support/temporary-file.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230', cvv: '123' };

function keysOf({ secretKey, securityKey, publicKey }: Sandbox) {
  return { secretKey, securityKey, publicKey };
}

async function opened(file: string, options?: Parameters<typeof openSandbox>[1]): Promise<Sandbox> {
  const sandbox = await openSandbox(file, options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

function customersOf(sandbox: Sandbox, secretKey: string): Promise<Response> {
  const headers = { authorization: `Bearer ${secretKey}` };
  return sandbox.fetch(new Request(`${sandbox.url}/v1/customers`, { headers }));
}

test('each sandbox has its own random keys', () => {
  const all = Array.from({ length: 50 }, () => keysOf(createSandbox()));
  expect(new Set(all.flatMap((keys) => Object.values(keys))).size).toBe(150);
  for (const { secretKey, securityKey, publicKey } of all) {
    expect(secretKey).toMatch(/^sk_v1_test_[0-9a-f]{32}$/);
    expect(securityKey).toMatch(/^[0-9a-f]{32}$/);
    expect(publicKey).toMatch(/^pk_v1_test_[0-9a-f]{32}$/);
  }
});

test('each key can be set separately', () => {
  const secretKey = 'sk_v1_test_mine';
  const sandbox = createSandbox({ secretKey });
  expect(sandbox.secretKey).toBe(secretKey);
  expect(sandbox.securityKey).toMatch(/^[0-9a-f]{32}$/);
  const all = { secretKey, securityKey: 'security-mine', publicKey: 'pk_mine' };
  expect(keysOf(createSandbox(all))).toEqual(all);
});

test.each(['secretKey', 'securityKey', 'publicKey'])(
  'a live key is rejected as %s, and not repeated',
  (name) => {
    const create = () => createSandbox({ [name]: 'any_LIVE_key' });
    expect(create).toThrow(`createSandbox.${name}: expected a non-empty string that is not a live key`);
    expect(create).not.toThrow('any_LIVE_key');
  },
);

test('the key of one sandbox is rejected by another', async () => {
  const [one, other] = [createSandbox(), createSandbox()];
  expect((await customersOf(one, one.secretKey)).status).toBe(200);
  expect((await customersOf(one, other.secretKey)).status).toBe(401);
});

test('a fork and a reset keep the keys', async () => {
  const sandbox = createSandbox();
  const keys = keysOf(sandbox);
  expect(keysOf(sandbox.fork())).toEqual(keys);
  expect(keysOf(sandbox.fork().fork())).toEqual(keys);
  sandbox.reset();
  expect(keysOf(sandbox)).toEqual(keys);
  expect((await customersOf(sandbox.fork(), sandbox.secretKey)).status).toBe(200);
});

test('a data file has its keys in a file beside it, readable for its owner only', async () => {
  const file = await temporaryFile();
  const first = await opened(file);
  const keys = keysOf(first);
  const token = await first.tokenize(card);
  await first.close();
  expect((await stat(`${file}.keys`)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).not.toContain(keys.secretKey);

  const second = await opened(file);
  expect(keysOf(second)).toEqual(keys);
  expect(second.authenticate(token).status).toBe('authenticated');
  await second.close();

  const other = await opened(await temporaryFile());
  expect(other.secretKey).not.toBe(keys.secretKey);
});

test('given keys are not written to the key file, and override it', async () => {
  const file = await temporaryFile();
  const secretKey = 'sk_v1_test_mine';
  const given = await opened(file, { secretKey, securityKey: undefined });
  expect(given.secretKey).toBe(secretKey);
  expect(await readFile(`${file}.keys`, 'utf8')).not.toContain(secretKey);
  const { securityKey } = given;
  await given.close();
  const again = await opened(file);
  expect(again.secretKey).not.toBe(secretKey);
  expect(again.securityKey).toBe(securityKey);
});

test('an invalid key file is an error that names it, and leaves the data file unlocked', async () => {
  const file = await temporaryFile();
  await (await openSandbox(file)).close();
  for (const text of ['', '{}', '[]', 'null', '{"secretKey":1}', '{"secretKey":"sk_v1_test_x"}']) {
    await writeFile(`${file}.keys`, text);
    await expect(openSandbox(file)).rejects.toThrow(/expected '.*\.keys' to have the keys.*Delete it/);
  }
  await rm(`${file}.keys`);
  await (await openSandbox(file)).close();
  expect((await readdir(dirname(file))).sort()).toEqual(['sandbox.data', 'sandbox.data.keys']);
});
