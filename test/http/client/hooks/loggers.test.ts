/** `console` and pino work as loggers without an adapter: each writes the same fields and no secret. */

import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { expectLines, refundWith, sink } from './logged-refund.ts';

it('pino writes lines with all fields, with its own levels and message', async () => {
  const { lines, stream } = sink();
  const formatters = { level: (level: string) => ({ level }) };
  expectLines(lines, await refundWith(pino({ level: 'debug', messageKey: 'message', formatters }, stream)));
});

it('a child logger of pino keeps its bindings, and writes nothing below its level', async () => {
  const { lines, stream } = sink();
  await refundWith(pino({ level: 'info' }, stream).child({ order: '1042' }));
  expect(lines).toMatchObject([{ order: '1042', operation: 'refunds.create' }]);
});

it('console writes lines with all fields', async () => {
  const lines: unknown[] = [];
  for (const level of ['debug', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((message, fields) =>
      lines.push({ level, message, ...fields }),
    );
  expectLines(lines, await refundWith(console));
});
