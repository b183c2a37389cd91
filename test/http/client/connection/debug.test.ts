/** `PAYMENTS_DEBUG` writes log lines of its level and above to the console if the client has no logger. */

import { ApiError } from 'payments-client';
import { expect, it, vi } from 'vitest';
import { failureOf } from '../../../support/failure.ts';
import { refundParams } from '../../../support/fixtures.ts';
import { createClient, json, secretKey, skipBackOff } from '../../../support/mock-service.ts';

/** The lines of one refund with two attempts and a failing hook. */
async function linesWith(
  value: string,
  options = {},
): Promise<readonly (readonly [level: string, line: unknown])[]> {
  const lines: [level: string, line: unknown][] = [];
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((...line) => void lines.push([level, line]));
  skipBackOff();
  vi.stubEnv('PAYMENTS_DEBUG', value);
  const fetch = async () => json({ message: `no such key: ${secretKey}` }, { status: 503 });
  const start = () => {
    throw new Error('broken');
  };
  const payments = createClient({ fetch, hooks: { start }, maxRetries: 1, ...options });
  await failureOf(payments.refunds.create(refundParams, { operationId: 'order-1' }), ApiError);
  return lines;
}

const all = ['warn', ...Array(5).fill('debug'), 'error'];

it.each<readonly [value: string, levels: readonly string[]]>([
  ['1', all],
  ['debug', all],
  ['info', ['warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ...['', '0', 'false', 'true', 'DEBUG', 'trace', 'log', 'constructor'].map((value) => [value, []] as const),
])("PAYMENTS_DEBUG='%s' writes lines of the levels %j", async (value, levels) => {
  const lines = await linesWith(value);
  expect(lines.map(([level]) => level)).toEqual(levels);
  expect(JSON.stringify(lines)).not.toContain(secretKey);
});

it('PAYMENTS_DEBUG writes nothing if the client has a logger', async () => {
  const error = vi.fn();
  expect(await linesWith('1', { logger: { error } })).toEqual([]);
  expect(error).toHaveBeenCalledOnce();
});
