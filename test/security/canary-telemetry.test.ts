/**
 * The other outputs contain no secret either: diagnostics channels, the console with `PAYMENTS_DEBUG`, the lines of pino and
 * winston, and the spans and metrics of OpenTelemetry.
 */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Writable } from 'node:stream';
import { type Logger, PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import pino from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import winston from 'winston';
import { skipBackOff } from '../support/mock-service.ts';
import { everyNth } from '../support/size.ts';
import { startTelemetry } from '../support/telemetry.ts';
import {
  cardNumber,
  cardNumbers,
  expiry,
  headerKey,
  person,
  secretKey,
  securityCode,
  securityKey,
} from './canary/canaries.ts';
import { encodings } from './canary/encodings.ts';
import { hookNames, OutputCollector } from './canary/output-collector.ts';
import { answers } from './canary/responses.ts';

const card = { amount: '12.00', ccnumber: cardNumber, ccexp: expiry, cvv: securityCode };
const repeated = [secretKey, securityKey, headerKey, ...cardNumbers].join(' and ');

/** The encodings: two for each logger. */
const testedEncodings = [
  ...['unchanged', 'in JSON, all escaped', 'in a URL'],
  ...['in HTML, by numbers', 'in groups', 'in upper case'],
];

/** A card number in place of an id appears in the path, in the operation name of `request`, and in the response. */
const calls: readonly ((payments: PaymentsClient) => PromiseLike<unknown>)[] = [
  (payments) => payments.refunds.create({ charge_id: 'ch_1' }, { operationId: 'order-1042' }),
  (payments) => payments.refunds.retrieve(cardNumber, { checkIds: false }),
  (payments) => payments.customers.create({ ...person, first_name: 5 as never }),
  (payments) => payments.customers.list({ starting_after: cardNumber }),
  (payments) =>
    payments.request({ method: 'GET', path: `/v1/payouts/${cardNumber}`, query: { card: cardNumber } }),
  (payments) => payments.transact.sale({ ...card, email: person.email, address1: person.line1 }),
];

function collectChannels(collector: OutputCollector): void {
  for (const name of hookNames) {
    const see = (message: unknown) => collector.add(`channel.${name}`, message);
    subscribe(`payments-client:${name}`, see);
    onTestFinished(() => void unsubscribe(`payments-client:${name}`, see));
  }
}

function streamTo(collector: OutputCollector, place: string): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      collector.add(place, String(chunk));
      done();
    },
  });
}

/** Third-party loggers, and none for the one that the environment enables. */
function loggersOf(collector: OutputCollector): (Logger | undefined)[] {
  const transports = [new winston.transports.Stream({ stream: streamTo(collector, 'winston') })];
  return [
    pino({ level: 'debug' }, streamTo(collector, 'pino')),
    winston.createLogger({ level: 'debug', format: winston.format.simple(), transports }),
    undefined,
  ];
}

async function makeCalls(options: PaymentsClientOptions): Promise<void> {
  const payments = new PaymentsClient(options);
  for (const call of calls) {
    await Promise.resolve(call(payments)).then(
      () => {},
      () => {},
    );
  }
}

describe('secrets that the service repeats do not appear in channels, logs, spans and metrics:', () => {
  it.each(everyNth(answers, 4))('$what', async (way) => {
    skipBackOff();
    vi.stubEnv('PAYMENTS_DEBUG', 'debug');
    const collector = new OutputCollector().withProcess();
    collectChannels(collector);
    const telemetry = startTelemetry();
    const options = {
      ...{ baseUrl: 'https://payments.test', secretKey, securityKey, hooks: telemetry.hooks },
      ...{ headers: { 'x-api-key': headerKey }, maxRetries: 1 },
    };
    const loggers = loggersOf(collector);
    for (const [index, how] of everyNth(testedEncodings, 2, answers.indexOf(way)).entries()) {
      const text = encodings[how]?.(repeated) ?? repeated;
      const logger = loggers[index % loggers.length];
      await makeCalls({ ...options, logger, fetch: async () => way.answer(text) });
    }
    for (const { name, attributes, status, events, links } of telemetry.spans()) {
      collector.add('span', { name, attributes, status, events, links });
    }
    for (const { descriptor, dataPoints } of await telemetry.metrics()) {
      collector.add('metric', { descriptor, attributes: dataPoints.map((point) => point.attributes) });
    }
    const places = ['channel.request', 'channel.end', 'pino', 'winston', 'console.debug', 'span', 'metric'];
    expect(collector.places).toEqual(expect.arrayContaining(places));
    expect(collector.leaks()).toEqual([]);
  });
});
