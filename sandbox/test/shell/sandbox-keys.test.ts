/** The keys of `sandbox`: which ones can be chosen, and which ones must be. */

import { afterEach, describe, expect, test } from 'vitest';
import { endAll, run, runSandbox } from './support.ts';

afterEach(endAll);

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const chosen = { secret_key: 'sk_v1_test_mine', security_key: 'sec-mine', public_key: 'pk-mine' };

test('keys can be chosen, and are found by the other commands too', async () => {
  const keys = ['--secret-key', 'sk_v1_test_mine', '--security-key', 'sec-mine', '--public-key', 'pk-mine'];
  const { url, ready, call } = await runSandbox([
    ...keys,
    '--webhook-secret',
    secret,
    '--forward-to',
    'localhost:1/x',
  ]);
  expect(ready).toMatchObject({
    ...chosen,
    webhook_secret: secret,
    endpoints: [{ url: 'http://localhost:1/x', secret }],
  });
  expect((await call('events')).code).toBe(0);
  // The key of another sandbox, or of the service, in the environment is not in the way.
  expect(
    (await run(['events', '--url', url], { PAYMENTS_SECRET_KEY: 'sk_v1_test_of_the_service' })).code,
  ).toBe(0);
});

test('of the environment, only a test key is taken; a live key is neither shown nor sent', async () => {
  const env = {
    PAYMENTS_SECRET_KEY: 'sk_v1_live_do_not_show',
    PAYMENTS_SECURITY_KEY: 'do_not_show_either',
    PAYMENTS_WEBHOOK_SECRET: secret,
  };
  const sandbox = await runSandbox([], env);
  expect(sandbox.ready).toMatchObject({ secret_key: expect.stringMatching(/^sk_v1_test_[0-9a-f]{32}$/) });
  const { code, stdout, stderr } = await run(['events', '--url', sandbox.url], env);
  expect([code, stdout, stderr]).toEqual([0, '', 'There are no such events.\n']);
  const ended = await sandbox.stop();
  expect(ended.stdout + ended.stderr).not.toMatch(new RegExp(`do_not_show|${secret}`));
  const own = await runSandbox([], { PAYMENTS_SECRET_KEY: 'sk_v1_test_own' });
  expect(own.ready).toMatchObject({ secret_key: 'sk_v1_test_own' });
});

test.each([
  ['--secret-key', 'sk_v1_live_do_not_show'],
  ['--secret-key', 'sk_do_not_show'],
  ['--security-key', 'sk_v1_live_do_not_show'],
  ['--security-key', 'whsec_do_not_show'],
  ['--public-key', 'pk_v1_live_do_not_show'],
  ['--public-key', 'sk_v1_test_do_not_show'],
  ['--webhook-secret', 'whsec_live_do_not_show'],
  ['--webhook-secret', 'whsec_do_not_show_this'],
])('%s %s is refused, and not shown', async (option, key) => {
  const { code, stdout, stderr } = await run(['sandbox', '--port', '0', option, key]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(new RegExp(`expected ${option}(?: \\(\\w+\\))? to be`));
  expect(stderr).not.toContain('do_not_show');
  if (option === '--secret-key') expect((await run(['events', option, key])).code).toBe(2);
});

describe('a sandbox that is reachable from other machines', () => {
  const everywhere = ['--host', '0.0.0.0', '--allow-remote'];
  const env = { PAYMENTS_SECRET_KEY: 'sk_v1_test_mine', PAYMENTS_SECURITY_KEY: 'sec-mine' };

  test('takes its keys from the command line, then from the environment, and has no dashboard', async () => {
    const line = [...everywhere, '--public-key', 'pk-mine'];
    const { ready, url, call } = await runSandbox(line, { ...env, PAYMENTS_PUBLIC_KEY: 'pk-other' });
    expect(ready).toMatchObject(chosen);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await call('events', '--secret-key', 'sk_v1_test_mine')).code).toBe(0);
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch(`${url}/_sandbox/state`)).status).toBe(401);
  });

  test.each<
    readonly [
      missing: string,
      more: readonly string[],
      env: Readonly<Record<string, string>>,
      message: string,
    ]
  >([
    [
      'all keys',
      everywhere,
      {},
      'got no --secret-key (PAYMENTS_SECRET_KEY), --security-key (PAYMENTS_SECURITY_KEY), --public-key (PAYMENTS_PUBLIC_KEY).',
    ],
    [
      'the public key',
      everywhere,
      env,
      'expected every key with --allow-remote, got no --public-key (PAYMENTS_PUBLIC_KEY).',
    ],
    [
      'the secret of the deliveries that it sends',
      [...everywhere, '--forward-to', 'localhost:1/x'],
      { ...env, PAYMENTS_PUBLIC_KEY: 'pk-mine' },
      'expected every key with --allow-remote, got no --webhook-secret (PAYMENTS_WEBHOOK_SECRET).',
    ],
    [
      'a test key',
      everywhere,
      { PAYMENTS_SECRET_KEY: 'sk_v1_live_do_not_show' },
      "expected PAYMENTS_SECRET_KEY to be a test key, with '_test_' in its prefix, got another key.",
    ],
    [
      'the flag',
      ['--host', '0.0.0.0'],
      env,
      "expected --host to be one of 127.0.0.1, ::1, localhost, or any with --allow-remote, got '0.0.0.0'.",
    ],
  ])('does not start without %s', async (_missing, more, given, message) => {
    const { code, stdout, stderr } = await run(['sandbox', '--port', '0', ...more], given);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('do_not_show');
  });
});
