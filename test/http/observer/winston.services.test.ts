/** winston works as a logger without an adapter. */

import { expect, it } from 'vitest';
import winston from 'winston';
import { secretKey } from '../../support/mock-service.ts';
import { expectedLines, refundWith, sink } from './logged-refund.ts';

it('winston writes lines with all fields, and no secret', async () => {
  const { lines, stream } = sink();
  const transports = [new winston.transports.Stream({ stream })];
  const format = winston.format.json();
  const error = await refundWith(winston.createLogger({ level: 'debug', format, transports }));
  expect(lines).toMatchObject(expectedLines(error));
  expect(JSON.stringify(lines)).not.toContain(secretKey);
});

it('winston with other level names writes the levels that it has', async () => {
  const { lines, stream } = sink();
  const transports = [new winston.transports.Stream({ stream })];
  const levels = winston.config.syslog.levels;
  await refundWith(winston.createLogger({ levels, level: 'debug', transports }));
  expect(lines).toHaveLength(6);
});
