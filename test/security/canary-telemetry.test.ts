/**
 * The other outputs contain no secret either: the console with `PAYMENTS_DEBUG`, the lines of pino, and the
 * spans and metrics of OpenTelemetry.
 */

import pino from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { skipBackOff } from '../support/mock-service.ts';
import { everyNth } from '../support/size.ts';
import { startTelemetry } from '../support/telemetry.ts';
import { OutputCollector } from './canary/output-collector.ts';
import { makeCalls, streamTo, testedEncodings } from './canary/repeating-calls.ts';
import { answers } from './canary/responses.ts';

describe('secrets that the service repeats do not appear in logs, spans and metrics:', () => {
  it.each(everyNth(answers, 4))('$what', async (way) => {
    skipBackOff();
    vi.stubEnv('PAYMENTS_DEBUG', 'debug');
    const collector = new OutputCollector().withProcess();
    const telemetry = startTelemetry();
    // Without a logger, the one that the environment enables.
    const loggers = [pino({ level: 'debug' }, streamTo(collector, 'pino')), undefined];
    for (const [index, how] of everyNth(testedEncodings, 2, answers.indexOf(way)).entries()) {
      await makeCalls(way, how, { hooks: telemetry.hooks, logger: loggers[index % loggers.length] });
    }
    for (const { name, attributes, status, events, links } of telemetry.spans()) {
      collector.add('span', { name, attributes, status, events, links });
    }
    for (const { descriptor, dataPoints } of await telemetry.metrics()) {
      collector.add('metric', { descriptor, attributes: dataPoints.map((point) => point.attributes) });
    }
    const places = ['pino', 'console.debug', 'span', 'metric'];
    expect(collector.places).toEqual(expect.arrayContaining(places));
    expect(collector.leaks()).toEqual([]);
  });
});
