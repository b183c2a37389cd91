/** `requests` lists the requests to a running sandbox. */

import { afterEach, expect, test } from 'vitest';
import { endAll, launch, parse, run, runSandbox } from './support.ts';

afterEach(endAll);

test('the newest requests are listed, one per line, without bodies', async () => {
  const { url, call } = await runSandbox();
  for (const id of ['1', '2', '3']) await fetch(`${url}/v1/customers/${id}?secret=x`);
  const { code, stdout, stderr } = await call('requests', '--limit', '2');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.trim().split('\n').map(parse)).toMatchObject([
    { kind: 'request', number: 2, method: 'GET', path: '/v1/customers/2', status: 401 },
    { kind: 'request', number: 3, method: 'GET', path: '/v1/customers/3', status: 401 },
  ]);
  const shown = await run(['requests', '--url', url]);
  const line = String.raw`\d\d:\d\d - {10}GET /v1/customers/\d  ✗ 401 AUTHENTICATION_REQUIRED`;
  expect(shown.stdout).toMatch(new RegExp(`^\\d\\d? \\w+ 20\\d\\d, UTC\n(?:${line}\n){3}$`));
});

test('requests are followed without events and deliveries, until the sandbox stops', async () => {
  const sandbox = await runSandbox();
  const follower = launch(['requests', '--follow', '--json', '--url', sandbox.url]);
  await follower.message('Following');
  await sandbox.call('trigger', 'customer.created');
  await fetch(`${sandbox.url}/v1/customers`);
  expect(parse(await follower.line())).toMatchObject({ path: '/v1/customers' });
  await sandbox.stop();
  const { code, stdout } = await follower.ended;
  expect([code, stdout.trim().split('\n').length]).toEqual([0, 1]);
});
