/** `PAYMENTS_DEBUG` writes log lines of its level and above to the console if the client has no logger. */

import { ApiError } from 'payments-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refundParams } from '../../support/fixtures.ts';
import { createClient, json, secretKey, skipBackOff, useMockService } from '../../support/mock-service.ts';

const service = useMockService();
const levels = ['debug', 'info', 'warn', 'error'] as const;
let lines: unknown[][];

beforeEach(() => {
  lines = [];
  for (const level of levels) {
    vi.spyOn(console, level).mockImplementation((...line) => void lines.push([level, ...line]));
  }
});

/** The levels of the lines of one refund with two attempts and a failing hook. */
async function levelsWith(value: string, options = {}): Promise<unknown[]> {
  skipBackOff();
  vi.stubEnv('PAYMENTS_DEBUG', value);
  service.answers(json({ message: `no such key: ${secretKey}` }, { status: 503 }));
  const hooks = {
    start: () => {
      throw new Error('broken');
    },
  };
  const payments = createClient({ hooks, maxRetries: 1, ...options });
  await failureOf(payments.refunds.create(refundParams, { operationId: 'order-1' }), ApiError);
  return lines.map(([level]) => level);
}

describe('PAYMENTS_DEBUG', () => {
  const all = ['warn', 'debug', 'debug', 'info', 'debug', 'debug', 'error'];

  it.each([
    ['1', all],
    ['debug', all],
    ['info', ['warn', 'info', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
  ])('%s writes lines of its level and those above', async (value, expected) => {
    expect(await levelsWith(value)).toEqual(expected);
    expect(JSON.stringify(lines)).toContain('refunds.create');
    expect(JSON.stringify(lines)).not.toContain(secretKey);
  });

  it.each(['', '0', 'false', 'true', 'DEBUG', 'trace', 'log', 'constructor'])(
    "'%s' writes nothing and breaks nothing",
    async (value) => {
      expect(await levelsWith(value)).toEqual([]);
    },
  );

  it('writes nothing if the client has a logger', async () => {
    const error = vi.fn();
    expect(await levelsWith('1', { logger: { error } })).toEqual([]);
    expect(error).toHaveBeenCalledOnce();
  });
});
