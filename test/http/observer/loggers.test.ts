/** `console` and pino work as loggers without an adapter: each writes the same fields and no secret. */

import pino from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { secretKey } from '../../support/mock-service.ts';
import { expectedLines, refundWith, sink } from './logged-refund.ts';

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

it('pino writes nothing below its own level', async () => {
  const { lines, stream } = sink();
  await refundWith(pino({ level: 'error' }, stream));
  expect(lines).toHaveLength(1);
});
