/** Calls to a service that repeats the credentials and the cards of requests, and streams that collect the lines of loggers. */

import { Writable } from 'node:stream';
import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import {
  cardNumber,
  cardNumbers,
  expiry,
  headerKey,
  person,
  secretKey,
  securityCode,
  securityKey,
} from './canaries.ts';
import { encodings } from './encodings.ts';
import type { OutputCollector } from './output-collector.ts';
import type { Answer } from './responses.ts';

const card = { amount: '12.00', ccnumber: cardNumber, ccexp: expiry, cvv: securityCode };
const repeated = [secretKey, securityKey, headerKey, ...cardNumbers].join(' and ');

/** Encodings of the repeated text. */
export const testedEncodings = ['unchanged', 'in JSON, all escaped', 'in a URL', 'in groups'];

/** A card number in place of an id appears in the path, in the operation name of `request`, and in the response. */
const calls: readonly ((payments: PaymentsClient) => PromiseLike<unknown>)[] = [
  (payments) => payments.refunds.create({ charge_id: 'ch_1' }, { operationId: 'order-1042' }),
  (payments) => payments.refunds.retrieve(cardNumber),
  (payments) => payments.customers.create({ ...person, first_name: 5 as never }),
  (payments) => payments.customers.list({ starting_after: cardNumber }),
  (payments) =>
    payments.request({ method: 'GET', path: `/v1/payouts/${cardNumber}`, query: { card: cardNumber } }),
  (payments) => payments.transact.sale({ ...card, email: person.email, address1: person.line1 }),
];

/** Makes each call to a service that repeats the text in an encoding. */
export async function makeCalls(
  { answer }: Answer,
  encoding: string,
  options: Pick<PaymentsClientOptions, 'logger' | 'hooks'>,
): Promise<void> {
  const text = encodings[encoding]?.(repeated) ?? repeated;
  const payments = new PaymentsClient({
    baseUrl: 'https://payments.test',
    secretKey,
    securityKey,
    headers: { 'x-api-key': headerKey },
    maxRetries: 1,
    fetch: async () => answer(text),
    ...options,
  });
  for (const call of calls) {
    await Promise.resolve(call(payments)).then(
      () => {},
      () => {},
    );
  }
}

/** Returns a stream that adds what it gets to the outputs of a place. */
export function streamTo(collector: OutputCollector, place: string): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      collector.add(place, String(chunk));
      done();
    },
  });
}
