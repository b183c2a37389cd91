/** `env` prints the variables of an app for the running sandbox, or for the next one. */

import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { temporaryFile } from '../../../test/support/temporary-file.ts';
import { endAll, parse, run, runSandbox } from './support.ts';

afterEach(endAll);

test('prints the address and the keys of a running sandbox', async () => {
  const { ready, url } = await runSandbox(['--data', await temporaryFile(), '--forward-to', 'localhost:1/x']);
  const { code, stdout, stderr } = await run(['env', '--url', url]);
  expect([code, stderr]).toEqual([0, '']);
  const lines = [
    `PAYMENTS_BASE_URL=${url}`,
    `PAYMENTS_SECRET_KEY=${ready['secret_key']}`,
    `PAYMENTS_SECURITY_KEY=${ready['security_key']}`,
    `PAYMENTS_PUBLIC_KEY=${ready['public_key']}`,
    `PAYMENTS_WEBHOOK_SECRET=${ready['webhook_secret']}`,
    `PAYMENTS_CHECKOUT_PAGE='${url}/checkout/{id}'`,
  ];
  expect(stdout).toBe(`${lines.join('\n')}\n`);
  const named = { PAYMENTS_BASE_URL: url.replace('127.0.0.1', 'localhost') };
  expect(await run(['env'], named)).toMatchObject({ stdout });
  expect(parse((await run(['env', '--json'], named)).stdout)).toEqual(parseEnv(stdout));
});

test('prints the kept keys of a stopped sandbox, which the next one has', async () => {
  const { ready, stop } = await runSandbox(['--forward-to', 'localhost:1/x']);
  await stop();
  const { code, stdout, stderr } = await run(['env', '--url', 'http://127.0.0.1:1']);
  expect([code, stderr]).toEqual([
    0,
    'No sandbox runs at http://127.0.0.1:1. These are the keys of the next one that you start in this folder without --data.\n',
  ]);
  expect(parseEnv(stdout)).toEqual({
    PAYMENTS_BASE_URL: 'http://127.0.0.1:1',
    PAYMENTS_SECRET_KEY: ready['secret_key'],
    PAYMENTS_SECURITY_KEY: ready['security_key'],
    PAYMENTS_PUBLIC_KEY: ready['public_key'],
    PAYMENTS_WEBHOOK_SECRET: ready['webhook_secret'],
    PAYMENTS_CHECKOUT_PAGE: 'http://127.0.0.1:1/checkout/{id}',
  });
  const chosen = { PAYMENTS_SECRET_KEY: 'sk_v1_test_mine' };
  expect(parseEnv((await run(['env', '--url', 'http://127.0.0.1:1'], chosen)).stdout)).toMatchObject(chosen);
});

test('in a new package, it makes the keys that the first sandbox has', async () => {
  const { stdout } = await run(['env', '--json', '--url', 'http://127.0.0.1:1']);
  const { ready } = await runSandbox(['--forward-to', 'localhost:1/x']);
  for (const name of ['secret_key', 'security_key', 'public_key', 'webhook_secret'])
    expect(parse(stdout)[`PAYMENTS_${name.toUpperCase()}`]).toBe(ready[name]);
});

test('outside of a package, where no keys can be kept, it says how to start a sandbox', async () => {
  const folder = dirname(await temporaryFile());
  const { code, stdout, stderr } = await run(['env', '--url', 'http://127.0.0.1:1'], {}, folder);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^payments-client: no sandbox runs at http:\/\/127\.0\.0\.1:1, .* no package\.json in .* Start one with 'payments-client sandbox', or pass its URL with --url\.\n$/,
  );
});

test('prints the new secret after a rotation, and the first one again after a reset', async () => {
  const { ready, url, call, line } = await runSandbox(['--forward-to', 'localhost:1/x']);
  const secretAfter = async (action: string) => {
    await line((text) => parse(text)['name'] === action);
    return parseEnv((await run(['env', '--url', url])).stdout)['PAYMENTS_WEBHOOK_SECRET'];
  };
  const rotated = parse((await call('webhooks', 'rotate')).stdout)['secret'];
  expect(await secretAfter('webhooks.rotate')).toBe(rotated);
  await call('webhooks', 'drop');
  expect(await secretAfter('webhooks.drop')).toBe(rotated);
  await call('reset');
  expect(await secretAfter('reset')).toBe(ready['webhook_secret']);
});

test('the address of the real service is not that of a sandbox', async () => {
  const { stop } = await runSandbox();
  await stop();
  const { stdout } = await run(['env'], { PAYMENTS_BASE_URL: 'https://payments.example.com' });
  expect(stdout).not.toContain('example.com');
  const refused = await run(['env', '--url', 'https://payments.example.com']);
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('expected --url to be an address of this machine');
});

test.each([
  ['with spaces # and marks', "'with spaces # and marks'"],
  ['$HOME `id` "quoted"', `'$HOME \`id\` "quoted"'`],
  ["it's", `"it's"`],
  ['ümlaut', "'ümlaut'"],
])('quotes the key %s, so that it is read unchanged', async (key, quoted) => {
  const { url } = await runSandbox(['--security-key', key]);
  const { stdout } = await run(['env', '--url', url]);
  expect(stdout).toContain(`\nPAYMENTS_SECURITY_KEY=${quoted}\n`);
  expect(parseEnv(stdout)['PAYMENTS_SECURITY_KEY']).toBe(key);
});

test.each(['it\'s "$1"', 'back\\slash-mine', 'two\nlines-mine'])(
  'refuses the key %j, which no file has for all readers, and does not show it',
  async (key) => {
    const { url } = await runSandbox(['--security-key', key]);
    const { code, stdout, stderr } = await run(['env', '--url', url]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^payments-client: expected PAYMENTS_SECURITY_KEY to have a value that .*\.\n$/);
    expect(stderr).not.toContain(key.slice(-4));
  },
);
