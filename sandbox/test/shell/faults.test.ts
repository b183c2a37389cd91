/** `faults` lists, adds and clears the faults of a running sandbox. */

import { ConnectionError, PaymentsClient } from 'payments-client';
import { afterEach, expect, test } from 'vitest';
import { failureOf } from '../../../test/support/failure.ts';
import { endAll, parse, run, runSandbox } from './support.ts';

afterEach(endAll);

async function start() {
  const sandbox = await runSandbox();
  const secretKey = String(sandbox.ready['secret_key']);
  const payments = new PaymentsClient({ baseUrl: sandbox.url, secretKey, maxRetries: 0 });
  const list = async () => {
    const { stdout } = await sandbox.call('faults');
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : parse(line)));
  };
  return { ...sandbox, payments, list };
}

test('an added fault hits, is listed while pending, and is cleared', async () => {
  const { call, payments, list, url } = await start();
  expect(await list()).toEqual([]);
  const fields = ['--set', 'operation=paymentIntents.retrieve', '--set', 'times=2'];
  const added = await call('faults', 'inject', 'drop_request', ...fields);
  expect([added.code, added.stderr, parse(added.stdout)]).toEqual([0, '', { id: 'fault_1' }]);
  await failureOf(payments.paymentIntents.retrieve('pi_none'), ConnectionError);
  const fault = { kind: 'drop_request', operation: 'paymentIntents.retrieve', times: 2 };
  expect(await list()).toEqual([{ id: 'fault_1', fault, hits: 1 }]);

  const shown = await run(['faults', '--url', url]);
  expect(shown.stdout).toBe('fault_1 drop_request operation="paymentIntents.retrieve" times=2, hit 1 time\n');
  expect(parse((await call('faults', 'list')).stdout)).toMatchObject({ id: 'fault_1' });

  const { id } = parse((await call('faults', 'inject', 'hold')).stdout);
  expect((await call('faults', 'withdraw', String(id))).code).toBe(0);
  expect(await list()).toHaveLength(1);

  await call('faults', 'inject', 'duplicate_delivery', '--set', 'times=3');
  const both = await run(['faults', '--url', url]);
  expect(both.stdout).toMatch(/\ndflt_\w+ duplicate_delivery, 3 left\n$/);

  expect((await list())[1]).toMatchObject({
    id: expect.any(String),
    fault: { kind: 'duplicate_delivery' },
    left: 3,
  });

  expect((await call('faults', 'clear')).code).toBe(0);
  expect(await list()).toEqual([]);
});

test('a wrong field of a fault is refused by the sandbox', async () => {
  const { call, list } = await start();
  const wrong = await call('faults', 'inject', 'latency', '--set', 'ms=soon');
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/^\{"error":\{"code":"[A-Z_]+","message":".*ms: expected a number from 0 .*, got /),
  ]);
  // The operand is the kind, whatever --set says.
  await call('faults', 'inject', 'unavailable', '--set', 'kind=latency');
  expect(await list()).toMatchObject([{ fault: { kind: 'unavailable' } }]);
});

test.each([
  ['before the command', (url: string) => ['--url', url, 'faults', 'inject', 'latency', '--set', 'ms=5']],
  ['between its words', (url: string) => ['faults', `--url=${url}`, 'inject', 'latency', '--set', 'ms=5']],
])('the address of the sandbox may stand %s', async (_, line) => {
  const { url, list } = await start();
  expect(await run(line(url))).toMatchObject({ code: 0, stdout: 'Added latency: fault_1.\n', stderr: '' });
  expect(await list()).toMatchObject([{ fault: { kind: 'latency', ms: 5 } }]);
});
