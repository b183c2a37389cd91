/** What the program `payments-client probe` refuses, and when it stops. */

import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { serve } from '../../../test/support/serve.ts';
import {
  expectNoKey,
  expectProblem,
  fast,
  keyed,
  liveKey,
  probed,
  serviceWith,
  temporaryFolder,
  testKey,
} from './probing.ts';
import { endAll, run } from './support.ts';

afterEach(endAll);

describe('a command line is wrong', () => {
  const base = ['--base-url', 'https://payments.example.com'];

  test.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
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
      /expected a security key with --form in PAYMENTS_SECURITY_KEY, got nothing/,
    ],
    [
      'without a webhook secret',
      [...base, '--webhook'],
      keyed,
      /expected a signing secret with --webhook in PAYMENTS_WEBHOOK_SECRET, got nothing/,
    ],
    [
      'that creates with a live key',
      [...base, '--create'],
      { PAYMENTS_SECRET_KEY: liveKey },
      /expected a test key with --create, got another key/,
    ],
    [
      'with http and another machine',
      ['--base-url', 'http://payments.example.com'],
      keyed,
      /expected --base-url to be an https URL \(http is for loopback hosts\), got http:\/\/payments\.example\.com\./,
    ],
    [
      'with a password in the address',
      ['--base-url', 'https://ada:hunter22@payments.example.com'],
      keyed,
      /expected --base-url to be a URL without a user name or password, got https:\/\/payments\.example\.com\./,
    ],
    [
      'with a key in two lines',
      base,
      { PAYMENTS_SECRET_KEY: `${testKey}\n` },
      /expected PAYMENTS_SECRET_KEY to be printable ASCII without blanks or line breaks, got a string of 36 characters/,
    ],
    [
      'with a key among its arguments',
      [...base, '--secret-key', testKey],
      keyed,
      /unknown option '--secret-key'/,
    ],
    [
      'with a misspelt option',
      [...base, '--creat'],
      keyed,
      /unknown option '--creat' \(Did you mean --create\?\)/,
    ],
    [
      'with no name after --webhook=',
      [...base, '--webhook='],
      keyed,
      /expected a value for --webhook, got an empty/,
    ],
    [
      'with no requests',
      [...base, '--max-requests', '0'],
      keyed,
      /expected --max-requests to be an integer from 1/,
    ],
  ])('%s', async (_, args, env, message) => {
    const { code, stdout, stderr } = await run(['probe', ...args], env);
    expect([code, stdout]).toEqual([2, '']);
    expectProblem(stderr, message);
    expect(stderr).toMatch(/ See 'payments-client help probe'\.\n$/);
    expect(stderr).not.toContain('hunter22');
  });
});

describe('a probe stops', () => {
  test.each([
    [401, /: stopped: the service answered 401: it does not accept the key; nothing was written\.\n$/],
    [429, /: stopped: the service answered 429: it asks for fewer requests; nothing was written\.\n$/],
  ])('at a %i, and writes nothing', async (status, message) => {
    const echo = `{"error":{"code":"NO","message":"not with ${testKey}"}}`;
    const { url, requests } = await serviceWith(status, echo);
    // A listener does not keep it waiting.
    const { code, stdout, stderr, file } = await probed(url, '--webhook');
    expect([code, file]).toEqual([1, undefined]);
    expect(requests).toHaveLength(1);
    const [address = '', ...problem] = stderr.split('\n');
    expect(address).toMatch(/^Have the service deliver an event to http:/);
    expectProblem(problem.join('\n'), message);
    expectNoKey(stdout, stderr);
  });

  test('where nothing listens', async () => {
    const { url, close } = await serve(() => {});
    close();
    const { code, stderr, file } = await probed(url);
    expect([code, file]).toEqual([1, undefined]);
    expectProblem(
      stderr,
      /3 requests in a row got no usable answer, the last one with ECONNREFUSED; nothing was/,
    );
  });

  test('at the limit of requests', async () => {
    const { url, requests } = await serviceWith(404);
    const { code, stderr } = await probed(url, '--max-requests', '5');
    expect([code, requests.length]).toEqual([1, 5]);
    expectProblem(stderr, /stopped: reached the limit of 5 requests; nothing was written/);
  });

  test('before the first request, if its file cannot be written', async () => {
    const { url, requests } = await serviceWith(404);
    const folder = await temporaryFolder();
    const missing = join(folder, 'none', 'found.json');
    const { code, stdout, stderr } = await run(
      ['probe', '--base-url', url, '--out', missing, ...fast],
      keyed,
    );
    expect([code, stdout, requests]).toEqual([1, '', []]);
    expectProblem(stderr, /: expected to write .*found\.json, got ENOENT\.\n$/);
    const taken = await run(['probe', '--base-url', url, '--out', folder, ...fast], keyed);
    expect(taken.code).toBe(1);
    expectProblem(
      taken.stderr,
      /: expected to write a new file, but .* exists\. Replace it with --force, or name/,
    );
    expect(requests).toEqual([]);
  });
});
