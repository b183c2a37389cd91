/** Reaches inside: the names of all fields that the client knows are not public. */

import { expect, onTestFinished, test, vi } from 'vitest';
import { knownFieldNames } from '../../../src/transact/params.ts';
import { startForms } from './support.ts';

/** Fields of a sale that the SDK infers. */
const inferredFields = { orderid: 'order-1', currency: 'EUR', first_name: 'Ada', company: 'Tea Ltd' };

test('with onlyShownFields a sale drops every field that the interface does not show', async () => {
  const { transact, transaction } = startForms({ onlyShownFields: true });
  const sale = { amount: '12.00', payment_token: 'tok_1', email: 'ada+risk50@example.com' };
  const { approved, transactionid, risk } = await transact.sale({ ...sale, ...inferredFields });
  expect([approved, risk?.score]).toEqual([true, 50]);
  expect(transaction(transactionid)).toMatchObject({ amount: '12.00', currency: 'USD', orderid: '' });
});

test('with onlyShownFields a transaction still finds the earlier one by the id that the service returned', async () => {
  const { transact, transaction } = startForms({ onlyShownFields: true });
  const held = await transact.auth({ amount: '12.00', payment_token: 'tok_1' });
  await transact.capture({ transactionid: held.transactionid, amount: '12.00' });
  expect(transaction(held.transactionid)).toMatchObject({ status: 'pending', captured: '12.00' });
});

test('without onlyShownFields a sale keeps the fields that the SDK infers', async () => {
  const { transact, transaction } = startForms();
  const sale = { amount: '12.00', payment_token: 'tok_1' };
  const { transactionid } = await transact.sale({ ...sale, ...inferredFields });
  expect(transaction(transactionid)).toMatchObject({ currency: 'EUR', orderid: 'order-1' });
});

/** Collects what is written to the console. */
function heard(): readonly unknown[][] {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  return warn.mock.calls;
}

test('an ignored field is written to the console once, with the near name, and never its value', async () => {
  const calls = heard();
  const { submit } = startForms();
  const sale = { type: 'sale', amount: '12.00', payment_token: 'tok_1', order_descripton: 'secret' };
  await submit(sale);
  await submit(sale);
  expect(calls).toEqual([
    [
      "payments-client sandbox: ignored the unknown parameter 'order_descripton' (did you mean 'order_description'?).",
    ],
  ]);
});

test('neither a field of the client nor a name that may be a secret is written to the console', async () => {
  const calls = heard();
  const { submit } = startForms();
  const ofClient = knownFieldNames().filter((name) => name !== 'threeDSecure');
  await submit(Object.fromEntries(ofClient.map((name) => [name, name === 'type' ? 'sale' : '1'])));
  await submit({ type: 'sale', sk_v1_test_0123456789: '1' });
  expect(calls).toEqual([]);
});
