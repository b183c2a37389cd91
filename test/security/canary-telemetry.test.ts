/**
 * What is told besides hooks and a logger of one's own shows no secret either: the channels, the console by `PAYMENTS_DEBUG`, the
 * lines of pino and winston, and the spans and metrics of OpenTelemetry.
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
import { answers } from './canary/answers.ts';
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
import { hookNames, Watch } from './canary/watch.ts';
import { writings } from './canary/writings.ts';

const card = { amount: '12.00', ccnumber: cardNumber, ccexp: expiry, cvv: securityCode };
const repeated = [secretKey, securityKey, headerKey, ...cardNumbers].join(' and ');

/** How it is written: two ways for each logger. */
const ways = [
  ...['as it is', 'in JSON, all escaped', 'in a URL'],
  ...['in HTML, by numbers', 'in groups', 'in capital letters'],
];

/** A card number in place of an id is in the path, in the name of a request of one's own, and in what comes back. */
const calls: readonly ((payments: PaymentsClient) => PromiseLike<unknown>)[] = [
  (payments) => payments.refunds.create({ charge_id: 'ch_1' }, { operationId: 'order-1042' }),
  (payments) => payments.refunds.retrieve(cardNumber, { checkIds: false }),
  (payments) => payments.customers.create({ ...person, first_name: 5 as never }),
  (payments) => payments.customers.list({ starting_after: cardNumber }),
  (payments) =>
    payments.request({ method: 'GET', path: `/v1/payouts/${cardNumber}`, query: { card: cardNumber } }),
  (payments) => payments.transact.sale({ ...card, email: person.email, address1: person.line1 }),
];

function seeChannels(watch: Watch): void {
  for (const name of hookNames) {
    const see = (message: unknown) => watch.see(`channel.${name}`, message);
    subscribe(`payments-client:${name}`, see);
    onTestFinished(() => void unsubscribe(`payments-client:${name}`, see));
  }
}

function streamTo(watch: Watch, place: string): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      watch.see(place, String(chunk));
      done();
    },
  });
}

/** Loggers of others; none is the one that the environment asks for. */
function loggersOf(watch: Watch): (Logger | undefined)[] {
  const transports = [new winston.transports.Stream({ stream: streamTo(watch, 'winston') })];
  return [
    pino({ level: 'debug' }, streamTo(watch, 'pino')),
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

describe('what the service repeats is in no channel, no line, no span and no metric:', () => {
  it.each(answers)('$what', { timeout: 120_000 }, async (way) => {
    skipBackOff();
    vi.stubEnv('PAYMENTS_DEBUG', 'debug');
    const watch = new Watch().processToo();
    seeChannels(watch);
    const telemetry = startTelemetry();
    const options = {
      ...{ baseUrl: 'https://payments.test', secretKey, securityKey, hooks: telemetry.hooks },
      ...{ headers: { 'x-api-key': headerKey }, maxRetries: 1 },
    };
    const loggers = loggersOf(watch);
    for (const [index, how] of everyNth(ways, 2, answers.indexOf(way)).entries()) {
      const text = writings[how]?.(repeated) ?? repeated;
      const logger = loggers[index % loggers.length];
      await makeCalls({ ...options, logger, fetch: async () => way.answer(text) });
    }
    for (const { name, attributes, status, events, links } of telemetry.spans()) {
      watch.see('span', { name, attributes, status, events, links });
    }
    for (const { descriptor, dataPoints } of await telemetry.metrics()) {
      watch.see('metric', { descriptor, attributes: dataPoints.map((point) => point.attributes) });
    }
    const places = ['channel.request', 'channel.end', 'pino', 'winston', 'console.debug', 'span', 'metric'];
    expect(watch.places).toEqual(expect.arrayContaining(places));
    expect(watch.leaks()).toEqual([]);
  });
});
