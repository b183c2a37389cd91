/** What the program `payments-client probe` refuses before it sends a request. */

import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  expectProblem,
  fileOf,
  folder,
  keyed,
  liveKey,
  probed,
  serviceBy,
  testKey,
  useFolder,
} from './probing.ts';
import { endAll, run } from './support.ts';

useFolder();
afterEach(endAll);

describe('a command line is wrong', () => {
  const base = ['--base-url', 'https://payments.example.com'];

  test.each<readonly [string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    [
      'without a key',
      base,
      {},
      /expected a secret key in PAYMENTS_SECRET_KEY, got nothing\. Set it, or pass a file/,
    ],
    [
      'without an address',
      [],
      keyed,
      /expected an address, as --base-url or in PAYMENTS_BASE_URL, got nothing/,
    ],
    [
      'without a security key',
      [...base, '--form'],
      keyed,
      /a security key with --form in PAYMENTS_SECURITY_KEY, got/,
    ],
    [
      'without a security key for a sale',
      [...base, '--sale'],
      keyed,
      /a security key with --sale in PAYMENTS_SECURITY_KEY, got/,
    ],
    [
      'without a webhook secret',
      [...base, '--webhook'],
      keyed,
      /with --webhook in PAYMENTS_WEBHOOK_SECRET, got nothing/,
    ],
    [
      'that creates with a live key',
      [...base, '--create'],
      { PAYMENTS_SECRET_KEY: liveKey },
      /a test key with --create/,
    ],
    [
      'that sells with a live key',
      [...base, '--sale'],
      { PAYMENTS_SECRET_KEY: liveKey, PAYMENTS_SECURITY_KEY: 'sec_1' },
      /a test key with --sale, got another key/,
    ],
    [
      'with http and another machine',
      ['--base-url', 'http://payments.example.com'],
      keyed,
      /--base-url to be an https URL \(http is for loopback hosts\), got http:\/\/payments\.example\.com\./,
    ],
    [
      'with a password in the address',
      ['--base-url', 'https://ada:hunter22@payments.example.com'],
      keyed,
      /--base-url to be a URL without a user name or password, got https:\/\/payments\.example\.com\./,
    ],
    [
      'with a key in two lines',
      base,
      { PAYMENTS_SECRET_KEY: `${testKey}\n` },
      /PAYMENTS_SECRET_KEY to be printable ASCII without blanks or line breaks, got a string of 36 characters/,
    ],
    [
      'with a key among its arguments',
      [...base, '--secret-key', testKey],
      keyed,
      /unknown option '--secret-key'/,
    ],
    [
      'with no name after --webhook=',
      [...base, '--webhook='],
      keyed,
      /expected a value for --webhook, got an empty/,
    ],
    ['with no requests', [...base, '--max-requests', '0'], keyed, /--max-requests to be an integer from 1/],
  ])('%s', async (_, args, env, message) => {
    const { code, stdout, stderr } = await run(['probe', ...args], env);
    expect([code, stdout]).toEqual([2, '']);
    expectProblem(stderr, message);
    expect(stderr).toMatch(/ See 'payments-client help probe'\.\n$/);
    expect(stderr).not.toContain('hunter22');
  });
});

test.each<readonly [string, () => Promise<readonly string[]> | readonly string[], RegExp]>([
  [
    'its file cannot be written',
    () => ['--out', join(folder, 'none', 'x.json')],
    /: expected to write .*x\.json, got ENOENT\.\n$/,
  ],
  [
    'its file exists',
    () => ['--out', folder],
    /: expected to write a new file, but .* exists\. Replace it with --force, or name/,
  ],
  [
    'there is no file of a delivery',
    () => ['--webhook', join(folder, 'none.txt')],
    /expected --webhook to be a readable file, got '.*none\.txt' \(ENOENT\)\./,
  ],
  [
    'a file has no delivery',
    async () => ['--webhook', await fileOf('no delivery')],
    /expected headers, an empty line and a body in .*input\.txt, got another text\./,
  ],
  [
    'the port of --webhook is in use',
    async () => ['--webhook', '--webhook-port', new URL((await serviceBy()).url).port],
    /expected a free port for --webhook, got \d+ \(EADDRINUSE\)\. Choose another/,
  ],
])('a probe stops before the first request, if %s', async (_, more, message) => {
  const { url, requests } = await serviceBy();
  const { code, stdout, stderr, file } = await probed(url, ...(await more()));
  expect([code, stdout, requests, file]).toEqual([1, '', [], undefined]);
  expectProblem(stderr, message);
});
