/** The errors of the journal contain no card, no key, no stored value, and no address from a store's driver. */

import { inspect } from 'node:util';
import { type JournalOptions, PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { expect, test } from 'vitest';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import type { ClaimStore } from '../support/stores.ts';

const card = {
  amount: '12.00',
  ccnumber: '4111111111111111',
  ccexp: '1230',
  cvv: '987',
  email: 'ada@example.com',
};
const by = { operationId: 'order 4242424242424242\nforged line' };
const hidden = ['4111111111111111', '4242424242424242', 'forged line', 'ada@example.com', 'hunter2'];

function failing(error: unknown): ClaimStore {
  const fail = () => Promise.reject(error);
  return { claim: fail, renew: fail, complete: fail, release: fail, open: fail };
}

const driverError = Object.assign(new Error('connect to redis://shop:hunter2@db:6379 failed'), {
  code: 'ECONNREFUSED',
  command: { args: ['ada@example.com'] },
});

test('no error of the journal contains a secret', async () => {
  const sandbox = await startSandbox();
  const { secretKey, securityKey } = sandbox;
  const store = memoryStore();
  const start = (journal: JournalOptions) => clientOf(sandbox, { maxRetries: 0, journal }).transact;
  const errors: unknown[] = [];
  const failed = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => void errors.push(error),
    );

  await failed(start({ store: failing(driverError) }).sale(card, by));
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
  await start({ store })
    .sale(card, by)
    .catch(() => undefined);
  await failed(start({ store }).sale(card, by));
  await failed(start({ store }).sale({ ...card, amount: '13.00' }, by));
  const { journal } = clientOf(sandbox, { journal: { store } });
  await journal.settle(by.operationId, { operation: 'transact.sale', outcome: 'executed' });
  await failed(start({ store }).sale(card, by));
  const otherKey = 'security-key-hunter2';
  const { transact } = clientOf(sandbox, { securityKey: otherKey, journal: { store } });
  await failed(transact.sale(card, by));
  sandbox.faults.inject({ kind: 'latency', ms: 50, operation: 'transact.submit' });
  const other = { operationId: `${by.operationId} again` };
  await Promise.all([start({ store }).sale(card, other), failed(start({ store }).sale(card, other))]);

  expect(errors.map((error) => (error instanceof PaymentsError ? error.code : error))).toEqual([
    'JOURNAL_UNAVAILABLE',
    'OPERATION_UNRESOLVED',
    'OPERATION_MISMATCH',
    'OPERATION_SETTLED',
    'OPERATION_ACCOUNT',
    'OPERATION_IN_PROGRESS',
  ]);
  for (const error of errors) {
    const shown = `${String(error)} ${inspect(error, { depth: 9 })} ${JSON.stringify(error)}`;
    for (const secret of [...hidden, secretKey, securityKey]) expect(shown).not.toContain(secret);
    // A random id may contain three digits by chance.
    expect(shown).not.toMatch(/\bcvv"?[:=]|(?<![\da-f])987(?![\da-f])/);
  }
});
