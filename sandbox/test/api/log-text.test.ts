import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';

/** Returns the logged path of a request. */
async function loggedPath(path: string): Promise<string | undefined> {
  const sandbox = createSandbox();
  await sandbox.fetch(new Request(`${sandbox.url}${path}`));
  return sandbox.requests.at(-1)?.path;
}

describe('the request log contains no key', () => {
  it.each(['sk_v1_test_abcdefgh', 'SK_V1_TEST_ABCDEFGH', 'whsec_YWJjZGVmZ2g=', 'WHSEC_YWJjZGVmZ2g='])(
    '%s',
    async (key) => {
      expect(await loggedPath(`/v1/customers/${key}`)).toBe('/v1/customers/[redacted]');
    },
  );

  it('except ids whose prefix ends like that of a key', async () => {
    expect(await loggedPath('/v1/disks/disk_abcdefgh')).toBe('/v1/disks/disk_abcdefgh');
  });
});

it.each([
  ['keeps', 1000, 'k'.repeat(1000)],
  ['cuts', 1001, `${'k'.repeat(999)}…`],
])('%s an idempotency key of %i characters', async (_what, length, logged) => {
  const sandbox = createSandbox();
  const headers = { 'idempotency-key': 'k'.repeat(length) };
  await sandbox.fetch(new Request(`${sandbox.url}/v1/refunds`, { method: 'POST', headers }));
  expect(sandbox.requests.at(-1)?.idempotencyKey).toBe(logged);
});

it('cuts a path of more than 1,000 characters, in the history of faults too', async () => {
  const path = `/v1/${'abc/'.repeat(500)}`;
  const sandbox = createSandbox();
  sandbox.faults.inject({ kind: 'unavailable' });
  const headers = { 'idempotency-key': 'k'.repeat(1001) };
  await sandbox.fetch(new Request(`${sandbox.url}${path}`, { method: 'POST', headers }));
  const logged = { path: `${path.slice(0, 999)}…`, idempotencyKey: `${'k'.repeat(999)}…` };
  expect([sandbox.requests, sandbox.faults.history()]).toMatchObject([[logged], [logged]]);
});
