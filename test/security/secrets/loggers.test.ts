/** The service sends back secrets, and the calls are logged, or recorded as telemetry. */

import pino from 'pino';
import { describe, vi } from 'vitest';
import { startTelemetry } from '../../support/telemetry.ts';
import { addTelemetry, callsWith, echoes, streamTo } from './loggers.ts';
import { noSecretComesOutOf, type Place } from './places.ts';

const toPino = callsWith((out) => ({ logger: pino({ level: 'debug' }, streamTo(out, 'pino')) }));

const toConsole: Place<() => Response> = (answer, out) => {
  vi.stubEnv('PAYMENTS_DEBUG', 'debug');
  return callsWith(() => ({ logger: undefined }))(answer, out);
};

const toTelemetry: Place<() => Response> = async (answer, out) => {
  const telemetry = startTelemetry();
  await callsWith(() => ({ hooks: telemetry.hooks }))(answer, out);
  await addTelemetry(out, telemetry);
};

describe('a failed call is written to', () => {
  const trial = { given: echoes, nth: 97 };
  noSecretComesOutOf({ pino: toPino }, { ...trial, from: ['pino'] });
  noSecretComesOutOf({ 'the console, by PAYMENTS_DEBUG': toConsole }, { ...trial, from: ['console.debug'] });
  noSecretComesOutOf({ OpenTelemetry: toTelemetry }, { ...trial, from: ['span', 'metric'] });
});
