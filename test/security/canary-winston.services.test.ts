/** The lines of winston contain no secret that the service repeats. */

import { expect, it } from 'vitest';
import winston from 'winston';
import { skipBackOff } from '../support/mock-service.ts';
import { everyNth } from '../support/size.ts';
import { OutputCollector } from './canary/output-collector.ts';
import { makeCalls, streamTo, testedEncodings } from './canary/repeating-calls.ts';
import { answers } from './canary/responses.ts';

it.each(answers)('no secret appears in the lines of winston: $what', async (way) => {
  skipBackOff();
  const collector = new OutputCollector().withProcess();
  const transports = [new winston.transports.Stream({ stream: streamTo(collector, 'winston') })];
  const logger = winston.createLogger({ level: 'debug', format: winston.format.simple(), transports });
  for (const encoding of everyNth(testedEncodings, 2, answers.indexOf(way)))
    await makeCalls(way, encoding, { logger });
  expect(collector.places).toContain('winston');
  expect(collector.leaks()).toEqual([]);
});
