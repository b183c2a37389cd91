/** A sandbox that is reachable from other machines starts only with chosen keys. */

import { afterEach, expect, test } from 'vitest';
import { endAll, run, runSandbox } from './support.ts';

afterEach(endAll);

const everywhere = ['--host', '0.0.0.0', '--allow-remote'];
const chosen = { secret_key: 'sk_v1_test_mine', security_key: 'sec-mine', public_key: 'pk-mine' };

test('the keys come from the command line or the environment', async () => {
  const { ready, url, call } = await runSandbox([...everywhere, '--public-key', 'pk-mine'], {
    PAYMENTS_SECRET_KEY: 'sk_v1_test_mine',
    PAYMENTS_SECURITY_KEY: 'sec-mine',
    PAYMENTS_PUBLIC_KEY: 'pk-other',
  });
  expect(ready).toMatchObject(chosen);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await call('events', '--secret-key', 'sk_v1_test_mine')).code).toBe(0);
  expect((await fetch(url)).status).toBe(403);
  expect((await fetch(`${url}/_sandbox/state`)).status).toBe(401);
});

test.each<[missing: string, env: Readonly<Record<string, string>>, message: string]>([
  [
    'all keys',
    {},
    'got no --secret-key (PAYMENTS_SECRET_KEY), --security-key (PAYMENTS_SECURITY_KEY), --public-key (PAYMENTS_PUBLIC_KEY).',
  ],
  [
    'the public key',
    { PAYMENTS_SECRET_KEY: 'sk_v1_test_mine', PAYMENTS_SECURITY_KEY: 'sec-mine' },
    'expected every key with --allow-remote, got no --public-key (PAYMENTS_PUBLIC_KEY).',
  ],
  [
    'a test key',
    { PAYMENTS_SECRET_KEY: 'sk_v1_live_do_not_show' },
    "expected PAYMENTS_SECRET_KEY to be a test key, with '_test_' in its prefix, got another key.",
  ],
])('without %s it does not start', async (_missing, env, message) => {
  const { code, stdout, stderr } = await run(['sandbox', '--port', '0', ...everywhere], env);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('do_not_show');
});

test('an address that is not loopback needs the flag', async () => {
  const { code, stderr } = await run(['sandbox', '--port', '0', '--host', '0.0.0.0']);
  expect(code).toBe(2);
  expect(stderr).toContain(
    "expected --host to be one of 127.0.0.1, ::1, localhost, or any with --allow-remote, got '0.0.0.0'.",
  );
});
