/** A journal keeps a sale with card data, and its store fails with an error that holds secrets. */

import { type PaymentsClient, PaymentsError } from 'payments-client';
import type { JournalOptions } from 'payments-client/journal';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';
import type { ClaimStore } from '../../support/stores.ts';
import { card, recordingStore } from './calls.ts';
import {
  cardNumber,
  cavv,
  headerKey,
  paymentToken,
  person,
  proxyPassword,
  secretKey,
  securityKey,
  xid,
} from './canaries.ts';
import { Outputs } from './outputs.ts';

const sale = { amount: '12.00', ...card, cavv, xid, cardholder_auth: 'Y' } as const;
const by = { operationId: `order of ${person.email}` };

/** An error as a database driver throws it, with the address of the database and what it was to write. */
const driverError = Object.assign(new Error(`connect to redis://shop:${proxyPassword}@db:6379 failed`), {
  code: 'ECONNREFUSED',
  command: { args: [cardNumber, person.email, headerKey] },
});

function failing(error: unknown): ClaimStore {
  const fail = () => Promise.reject(error);
  return { claim: fail, renew: fail, complete: fail, release: fail, find: fail, open: fail };
}

/** Starts a sandbox, and clients with these journals. */
async function startShop(out: Outputs) {
  const sandbox = await startSandbox({ secretKey, securityKey });
  const start = (journal: JournalOptions, options = {}): PaymentsClient =>
    clientOf(sandbox, { ...out.options, maxRetries: 0, journal: createJournal(journal), ...options });
  return { sandbox, start };
}

it('the records of calls and sales have no card, token or key', async () => {
  const out = new Outputs().withProcess();
  const { start } = await startShop(out);
  const { transact, paymentIntents } = start({ store: recordingStore(out) });
  await transact.sale(sale, { operationId: 'order-1' });
  await transact.sale({ amount: '12.00', payment_token: paymentToken }, { operationId: 'order-2' });
  await paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId: 'order-3' });
  expect(out.of('stored').length).toBeGreaterThan(5);
  expect(out.leaks()).toEqual([]);
});

it('an open operation of `request` shows no key and no card of its path', async () => {
  // Its errors and log lines have the idempotency key, which names the path.
  const { sandbox, start } = await startShop(new Outputs());
  const payments = start({ store: memoryStore() });
  for (const text of [cardNumber, secretKey]) {
    sandbox.faults.inject({ kind: 'drop_reply' });
    const sent = { method: 'POST', path: `/v1/${text}/cancel`, body: {} } as const;
    await failureOf(payments.request(sent, { operationId: `of ${text.length}` }), PaymentsError);
  }
  const out = new Outputs();
  for await (const { operationId, lookUp, state } of payments.journal.open())
    out.add('open', { operationId, lookUp, state });
  expect(out.of('open')).toHaveLength(2);
  expect(out.leaks()).toEqual([]);
});

it('no error of a journal has a card, a key, an id, or what its store says', async () => {
  const out = new Outputs().withProcess();
  const { sandbox, start } = await startShop(out);
  const store = memoryStore();
  const codes: unknown[] = [];
  const fail = async (call: PromiseLike<unknown>) => {
    const error: unknown = await Promise.resolve(call).catch((reason: unknown) => reason);
    out.add('error', error);
    codes.push(error instanceof PaymentsError ? error.code : error);
  };

  await fail(start({ store: failing(driverError) }).transact.sale(sale, by));
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
  await fail(start({ store }).transact.sale(sale, by));
  await fail(start({ store }).transact.sale(sale, by));
  await fail(start({ store }).transact.sale({ ...sale, amount: '13.00' }, by));
  const settlement = { operation: 'transact.sale', outcome: 'executed' } as const;
  await start({ store }).journal.settle(by.operationId, settlement);
  await fail(start({ store }).transact.sale(sale, by));
  await fail(start({ store }, { securityKey: headerKey }).transact.sale(sale, by));
  sandbox.faults.inject({ kind: 'latency', ms: 50, operation: 'transact.submit' });
  const other = { operationId: `another ${by.operationId}` };
  await Promise.all([
    start({ store }).transact.sale(sale, other),
    fail(start({ store }).transact.sale(sale, other)),
  ]);

  expect(codes).toEqual([
    'JOURNAL_UNAVAILABLE',
    'ECONNRESET',
    'OPERATION_UNRESOLVED',
    'OPERATION_MISMATCH',
    'OPERATION_SETTLED',
    'OPERATION_ACCOUNT',
    'OPERATION_IN_PROGRESS',
  ]);
  expect(out.leaks()).toEqual([]);
});
