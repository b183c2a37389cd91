/** `console`, pino and winston work as loggers without an adapter: each writes the same fields and no secret. */

import { Writable } from 'node:stream';
import { ApiError, type Logger, PaymentsClient } from 'payments-client';
import pino from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import winston from 'winston';
import { failureOf } from '../../support/failure.ts';
import { refundParams } from '../../support/fixtures.ts';
import { secretKey, skipBackOff } from '../../support/mock-service.ts';
import { serve } from '../../support/serve.ts';

/** Writes lines of JSON into an array. */
function sink(): { readonly lines: Record<string, unknown>[]; readonly stream: Writable } {
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
async function refundWith(logger: Logger): Promise<ApiError> {
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
function expectedLines({ callId, idempotencyKey, message }: ApiError) {
  const call = { callId, operation: 'refunds.create' };
  const attempt = (number: number) => ({ ...call, attempt: number, idempotencyKey, method: 'POST' });
  const duration = expect.any(Number);
  return [
    { level: 'debug', message: 'refunds.create: attempt 1', ...attempt(1) },
    {
      ...{ level: 'debug', message: 'refunds.create: 503', ...attempt(1) },
      ...{ status: 503, duration, requestId: 'req-1' },
    },
    {
      ...{ level: 'info', message: 'refunds.create: retry in 0 ms', ...attempt(1) },
      ...{ requestId: 'req-1', error: { name: 'ServerError', code: 'refused', status: 503 } },
    },
    { level: 'debug', message: 'refunds.create: attempt 2', ...attempt(2) },
    {
      ...{ level: 'debug', message: 'refunds.create: 400', ...attempt(2) },
      ...{ status: 400, duration, requestId: 'req-2' },
    },
    {
      ...{ level: 'error', message, ...call, requestId: 'req-2' },
      error: { name: 'BadRequestError', outcome: 'unknown', attempts: 2, idempotencyKey },
    },
  ];
}

describe('lines with all fields are written by', () => {
  it('pino, with its own levels and message', async () => {
    const { lines, stream } = sink();
    const formatters = { level: (level: string) => ({ level }) };
    const error = await refundWith(pino({ level: 'debug', messageKey: 'message', formatters }, stream));
    expect(lines).toMatchObject(expectedLines(error));
    expect(JSON.stringify(lines)).not.toContain(secretKey);
  });

  it('a pino child logger, with its bindings', async () => {
    const { lines, stream } = sink();
    await refundWith(pino({ level: 'debug' }, stream).child({ order: '1042' }));
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line).toMatchObject({ order: '1042', operation: 'refunds.create' });
  });

  it('winston', async () => {
    const { lines, stream } = sink();
    const transports = [new winston.transports.Stream({ stream })];
    const format = winston.format.json();
    const error = await refundWith(winston.createLogger({ level: 'debug', format, transports }));
    expect(lines).toMatchObject(expectedLines(error));
    expect(JSON.stringify(lines)).not.toContain(secretKey);
  });

  it('console', async () => {
    const lines: unknown[] = [];
    for (const level of ['debug', 'info', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((message, fields) =>
        lines.push({ level, message, ...fields }),
      );
    }
    const error = await refundWith(console);
    expect(lines).toMatchObject(expectedLines(error));
    expect(JSON.stringify(lines)).not.toContain(secretKey);
  });
});

describe('the levels of a logger apply:', () => {
  it('pino writes nothing below its own', async () => {
    const { lines, stream } = sink();
    await refundWith(pino({ level: 'error' }, stream));
    expect(lines).toHaveLength(1);
  });

  it('winston with other level names writes the levels that it has', async () => {
    const { lines, stream } = sink();
    const transports = [new winston.transports.Stream({ stream })];
    const levels = winston.config.syslog.levels;
    await refundWith(winston.createLogger({ levels, level: 'debug', transports }));
    expect(lines).toHaveLength(6);
  });
});
