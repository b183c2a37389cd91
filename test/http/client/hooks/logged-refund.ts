/** A refund with a logger, and the lines that each logger must write of it. */

import { Writable } from 'node:stream';
import { ApiError, type Logger } from 'payments-client';
import { expect } from 'vitest';
import { failureOf } from '../../../support/failure.ts';
import { refundParams } from '../../../support/fixtures.ts';
import { createClient, json, secretKey, skipBackOff } from '../../../support/mock-service.ts';

/** Writes lines of JSON into an array. */
export function sink(): { readonly lines: Record<string, unknown>[]; readonly stream: Writable } {
  const lines: Record<string, unknown>[] = [];
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    lines.push(JSON.parse(String(chunk)));
    done();
  };
  return { lines, stream: new Writable({ write }) };
}

/** A refund that is retried once and then refused. */
export async function refundWith(logger: Logger): Promise<ApiError> {
  skipBackOff();
  const statuses = [503, 400].values();
  const body = { code: 'refused', message: `for the key ${secretKey}` };
  const fetch = async () => json(body, { status: statuses.next().value ?? 500 });
  const { refunds } = createClient({ fetch, logger });
  return failureOf(refunds.create(refundParams, { operationId: 'order-1' }), ApiError);
}

/** Checks the lines of that refund. */
export function expectLines(lines: readonly unknown[], { callId, idempotencyKey, message }: ApiError): void {
  const call = { callId, operation: 'refunds.create' };
  const attempt = (number: number) => ({ ...call, attempt: number, idempotencyKey, method: 'POST' });
  expect(lines).toMatchObject([
    { level: 'debug', message: 'refunds.create: attempt 1', ...attempt(1) },
    { level: 'debug', message: 'refunds.create: 503', ...attempt(1), status: 503 },
    { level: 'debug', message: 'refunds.create: retry in 0 ms', ...attempt(1), error: { status: 503 } },
    { level: 'debug', message: 'refunds.create: attempt 2', ...attempt(2) },
    { level: 'debug', message: 'refunds.create: 400', ...attempt(2), status: 400 },
    {
      level: 'error',
      message,
      ...call,
      error: { name: 'BadRequestError', outcome: 'unknown', idempotencyKey },
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain(secretKey);
}
