/** The first example reads its settings from the environment, and creates one session by two calls. */

import { expect, it } from 'vitest';
import { runProgram } from '../support/programs.ts';
import { clientOf } from '../support/sandbox.ts';
import { program, startMerchant } from './support.ts';

it('creates one session by two calls for an order', async () => {
  const { sandbox, run } = await startMerchant();
  const { code, stdout } = await run('quick-start');
  const [session, ...others] = await clientOf(sandbox).checkoutSessions.list().toArray({ max: 5 });
  expect(others).toEqual([]);
  expect(session?.amount_total).toBe(2400);
  expect(stdout).toBe(`${session?.id} is open, 24.00 USD\nasked again: the same session\n`);
  expect(code).toBe(0);
});

it('prints that nothing was executed, and does not print the key', async () => {
  const { run } = await startMerchant({ PAYMENTS_SECRET_KEY: 'sk_v1_test_wrong_key_1042' });
  const { code, stderr } = await run('quick-start');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^not_executed: /);
  expect(stderr).not.toContain('wrong_key_1042');
});

it('names the missing variables', async () => {
  const { code, stderr } = await runProgram(program('quick-start'), []);
  expect(code).toBe(1);
  expect(stderr).toContain('PAYMENTS_BASE_URL');
  expect(stderr).toContain('PAYMENTS_SECRET_KEY');
});
