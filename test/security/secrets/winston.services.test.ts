/** The service sends back secrets, and the calls are logged by winston. */

import { describe } from 'vitest';
import winston from 'winston';
import { callsWith, echoes, streamTo } from './loggers.ts';
import { noSecretComesOutOf } from './places.ts';

describe('a failed call is written to', () => {
  const toWinston = callsWith((out) => {
    const transports = [new winston.transports.Stream({ stream: streamTo(out, 'winston') })];
    const format = winston.format.simple();
    return { logger: winston.createLogger({ level: 'debug', format, transports }) };
  });
  noSecretComesOutOf({ winston: toWinston }, { given: echoes, nth: 12, from: ['winston'] });
});
