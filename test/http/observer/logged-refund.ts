/** A refund with a logger, and the lines that each logger must write of it. */

import { Writable } from 'node:stream';
import { ApiError, type Logger, PaymentsClient } from 'payments-client';
import { expect, onTestFinished } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refundParams } from '../../support/fixtures.ts';
import { secretKey, skipBackOff } from '../../support/mock-service.ts';
import { serve } from '../../support/serve.ts';

/** Writes lines of JSON into an array. */
export function sink(): { readonly lines: Record<string, unknown>[]; readonly stream: Writable } {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { lines, stream };
}

/** A refund that is retried once and then refused. */
export async function refundWith(logger: Logger): Promise<ApiError> {
  skipBackOff();
  let requests = 0;
  const { url, close } = await serve((_request, response) => {
    requests += 1;
    response.writeHead(requests === 1 ? 503 : 400, { 'x-request-id': `req-${requests}` });
    response.end(JSON.stringify({ code: 'refused', message: `for the key ${secretKey}` }));
  });
  onTestFinished(close);
  const payments = new PaymentsClient({ baseUrl: url, secretKey, logger });
  return failureOf(payments.refunds.create(refundParams, { operationId: 'order-1' }), ApiError);
}

/** The lines of that refund that each logger must write. */
export function expectedLines({ callId, idempotencyKey, message }: ApiError) {
  const call = { callId, operation: 'refunds.create' };
  const attempt = (number: number) => ({ ...call, attempt: number, idempotencyKey, method: 'POST' });
  const duration = expect.any(Number);
  return [
    { level: 'debug', message: 'refunds.create: attempt 1', ...attempt(1) },
    {
      level: 'debug',
      message: 'refunds.create: 503',
      ...attempt(1),
      status: 503,
      duration,
      requestId: 'req-1',
    },
    {
      level: 'info',
      message: 'refunds.create: retry in 0 ms',
      ...attempt(1),
      requestId: 'req-1',
      error: { name: 'ServerError', code: 'refused', status: 503 },
    },
    { level: 'debug', message: 'refunds.create: attempt 2', ...attempt(2) },
    {
      level: 'debug',
      message: 'refunds.create: 400',
      ...attempt(2),
      status: 400,
      duration,
      requestId: 'req-2',
    },
    {
      level: 'error',
      message,
      ...call,
      requestId: 'req-2',
      error: { name: 'BadRequestError', outcome: 'unknown', attempts: 2, idempotencyKey },
    },
  ];
}
