/** winston works as a logger without an adapter. */

import { expect, it } from 'vitest';
import winston from 'winston';
import { expectLines, refundWith, sink } from './logged-refund.ts';

it('winston writes lines with all fields, and no secret', async () => {
  const { lines, stream } = sink();
  const transports = [new winston.transports.Stream({ stream })];
  const format = winston.format.json();
  expectLines(lines, await refundWith(winston.createLogger({ level: 'debug', format, transports })));
});

it('winston with other level names writes the levels that it has', async () => {
  const { lines, stream } = sink();
  const transports = [new winston.transports.Stream({ stream })];
  const levels = winston.config.syslog.levels;
  await refundWith(winston.createLogger({ levels, level: 'debug', transports }));
  expect(lines).toHaveLength(6);
});
