/** Promise 8: secrets and card data never appear, known by value and not by the name of a field. */

import { inspect } from 'node:util';
import { PaymentsClient, PaymentsError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams } from '../support/fixtures.ts';
import { type Answer, broken, json, ok, wireService } from './wire.ts';

const canaries = {
  secretKey: 'sk_v1_test_CANARYSECRET',
  rotatedKey: 'sk_v1_test_CANARYROTATED',
  securityKey: 'CANARYSECURITYKEY01',
  ccnumber: '4111111111111111',
  cvv: '9871',
};
const { cvv, ...long } = canaries;
// The security code is short, so it must not be looked for inside ports and durations.
const leaked = new RegExp(`${Object.values(long).join('|')}|4111 1111|(?<![\\d.])${cvv}(?!\\d)`);

/** Every way in which a value could be shown. */
function shown(value: unknown): string {
  const parts = [
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    JSON.stringify(value),
    String(value),
  ];
  if (value instanceof Error) parts.push(value.message, String(value.stack), shown(value.cause));
  // The random id of a call may contain the digits of the code.
  return parts.join('\n').replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '');
}

const echo = {
  error: {
    code: 'bad',
    message: `Bearer ${long.secretKey} or ${long.rotatedKey}, ${long.securityKey}, card 4111 1111 1111 1111 or ${long.ccnumber}`,
  },
};
const answers: readonly (readonly [what: string, answer: Answer])[] = [
  ['refuses', json('400 Bad Request', echo)],
  ['fails', json('500 Internal Server Error', echo)],
  ['answers with something else', ok(echo)],
  ['breaks the connection', broken],
];

it.each(answers)(
  'in nothing that a program gets, keeps or logs, if a service that knows all of them %s',
  async (_what, answer) => {
    const { options, requests } = await wireService(answer);
    const seen: unknown[] = [];
    const log = (...line: unknown[]) => void seen.push(line);
    const store = memoryStore();
    const keys = [long.secretKey, long.rotatedKey];
    const payments = new PaymentsClient({
      ...options,
      // The key changes between two calls, and both stay secret.
      secretKey: () => keys.shift() ?? long.rotatedKey,
      securityKey: long.securityKey,
      maxRetries: 1,
      journal: createJournal({ store, account: 'shop-1-test' }),
      logger: { debug: log, info: log, warn: log, error: log },
      hooks: { request: log, response: log, retry: log, error: log },
    });
    const card = { amount: '1.00', ccnumber: long.ccnumber, ccexp: '1299', cvv };
    const calls = [
      () => payments.paymentIntents.create(intentParams, { operationId: 'order-1' }),
      () =>
        payments.paymentIntents.create(
          { ...intentParams, metadata: { note: long.secretKey } },
          { operationId: 'order-2' },
        ),
      () => payments.transact.sale(card, { operationId: 'order-3' }),
      () => payments.transact.sale({ ...card, ccnumber: `${long.ccnumber}x` }, { operationId: 'order-4' }),
      () => payments.refunds.retrieve(long.secretKey),
    ];
    for (const call of calls) seen.push(await failureOf(call(), PaymentsError));
    for await (const operation of payments.journal.open()) seen.push(operation);
    seen.push(payments, payments.paymentIntents, payments.transact, store);
    expect(seen.length).toBeGreaterThan(12);
    for (const one of seen) expect(shown(one)).not.toMatch(leaked);
    // They were sent, and so could have leaked.
    expect(requests.join('\n')).toContain(long.securityKey);
  },
);
