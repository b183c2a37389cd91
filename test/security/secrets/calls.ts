/** Calls that fail, and what comes out of each: the promise, the error, log lines and hook events. */

import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { memoryStore, type Store } from 'payments-client/stores';
import { everyNth } from '../../support/size.ts';
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
import type { Outputs } from './outputs.ts';

export const baseUrl = 'https://payments.test';
export const by = { operationId: 'order-1042' };
export const card = { ccnumber: cardNumber, ccexp: expiry, cvv: securityCode };

/** What a service repeats of each call: the keys, and card numbers. */
export const keysAndCards = [secretKey, securityKey, headerKey, ...cardNumbers].join(' and ');

/** Returns the options of a client whose every secret is a canary. */
export function optionsFor(out: Outputs, options: PaymentsClientOptions = {}): PaymentsClientOptions {
  const headers = { 'x-api-key': headerKey, cookie: `session=${headerKey}` };
  return {
    ...out.options,
    baseUrl,
    secretKey,
    securityKey,
    headers,
    timeout: 1500,
    maxRetries: 1,
    ...options,
  };
}

/** Runs a call. Returns its error; `undefined` if it succeeds. */
export async function errorOf(out: Outputs, run: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    const promise = run();
    out.add('promise', promise);
    await promise;
    return undefined;
  } catch (error) {
    out.add('error', error);
    return error;
  }
}

/** A call of each kind. An id that is a card number appears in the path, in the name of `request`, and in an echo. */
const callsOfEachKind: readonly ((payments: PaymentsClient) => PromiseLike<unknown>)[] = [
  (payments) => payments.refunds.create({ charge_id: 'ch_1' }, by),
  (payments) => payments.refunds.retrieve(cardNumber),
  (payments) => payments.products.list({ starting_after: cardNumber }),
  (payments) => payments.customers.create({ ...person, first_name: 5 as never }),
  (payments) =>
    payments.request({ method: 'GET', path: `/v1/payouts/${cardNumber}`, query: { card: cardNumber } }),
  (payments) =>
    payments.transact.sale({ amount: '12.00', ...card, email: person.email, address1: person.line1 }),
];

let turn = 0;

/** Makes calls of each kind; the short form a half of them, and the other half the next time. Returns the errors. */
export async function failEachKind(out: Outputs, options: PaymentsClientOptions): Promise<unknown[]> {
  const payments = new PaymentsClient(options);
  const errors: unknown[] = [];
  turn += 1;
  for (const call of everyNth(callsOfEachKind, 2, turn))
    errors.push(await errorOf(out, () => call(payments)));
  out.add('client', payments);
  return errors;
}

/** Returns a store that adds all that it gets. */
export function recordingStore(out: Outputs): Store {
  return new Proxy(memoryStore(), {
    get: (store, name) => {
      const member: unknown = Reflect.get(store, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        out.add('stored', args);
        return Reflect.apply(member, store, args);
      };
    },
  });
}
