import { expect, test } from 'vitest';
import { start } from '../control/support.ts';

test('the page has its own key, and contains no other', async () => {
  const { sandbox, call } = start();
  const page = await (await sandbox.fetch(new Request(`${sandbox.url}/`))).text();
  const [, key = ''] = /data-key="([\w-]+)"/.exec(page) ?? [];
  expect((await call('state', 'GET', undefined, key)).status).toBe(200);
  expect(page).not.toContain(sandbox.secretKey);
  expect(page).not.toContain(sandbox.securityKey);
  const headers = { authorization: `Bearer ${key}` };
  expect((await sandbox.fetch(new Request(`${sandbox.url}/v1/customers`, { headers }))).status).toBe(401);
  const other = start();
  expect((await other.call('state', 'GET', undefined, key)).status).toBe(401);
});

test("the page's policy allows only what it needs", async () => {
  const { sandbox } = start();
  const policy =
    (await sandbox.fetch(new Request(`${sandbox.url}/`))).headers.get('content-security-policy') ?? '';
  for (const rule of [
    "default-src 'none'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "trusted-types 'none'",
  ]) {
    expect(policy).toContain(rule);
  }
});

test('its script has at most 80 KB', async () => {
  const { sandbox } = start();
  const response = await sandbox.fetch(new Request(`${sandbox.url}/_pages/dashboard.js`));
  expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(80 * 1024);
});
