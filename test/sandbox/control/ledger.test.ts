import { expect, test } from 'vitest';
import { start, startsAt } from './support.ts';

interface Line {
  readonly entry: string;
  readonly account: string;
  readonly debit: number;
  readonly credit: number;
  readonly balance: number;
  readonly text: string;
}

const minute = 60_000;

/** Formats a line as `text account debit credit balance`. */
function short({ text, account, debit, credit, balance }: Line): string {
  return `${text}: ${account} ${debit} ${credit} → ${balance}`;
}

test('posts a charge, and a refund at its creation and its payout', async () => {
  const { call, payments, sandbox } = start();
  const intent = sandbox.add('payment_intent', { amount: 5500 });
  sandbox.pay(intent.id);
  await payments.refunds.create({ payment_intent_id: intent.id, amount: 500 }, { operationId: 'return-1' });
  await sandbox.clock.advance('1 minute');
  const { body } = await call('ledger');
  expect(body.lines.map(short)).toEqual([
    'Refund paid out: pending_refunds 500 0 → 0',
    'Refund paid out: cash 0 500 → 5000',
    'Refund created: refunds 500 0 → 500',
    'Refund created: pending_refunds 0 500 → -500',
    'Charge: cash 5500 0 → 5500',
    'Charge: sales 0 5500 → -5500',
  ]);
  const charge = sandbox.get('payment_intent', intent.id)?.latest_charge_id;
  expect(body.lines.at(-1)).toMatchObject({ at: startsAt, object: { kind: 'charge', id: charge } });
  expect(body.lines[0]).toMatchObject({ at: startsAt + minute, currency: 'USD', object: { kind: 'refund' } });
  expect(body.currencies).toEqual([{ currency: 'USD', debits: 6500, credits: 6500, balance: 0 }]);
  expect(body.accounts).toContainEqual({
    currency: 'USD',
    account: 'cash',
    debits: 5500,
    credits: 500,
    balance: 5000,
  });
});

test('reverses a failed refund', async () => {
  const { call, sandbox } = start();
  const { id } = sandbox.add('refund', { amount: 500 });
  sandbox.update('refund', id, { status: 'failed', failure_message: 'already_refunded' });
  const { body } = await call('ledger');
  expect(body.lines.slice(0, 2).map(short)).toEqual([
    'Refund failed: pending_refunds 500 0 → 0',
    'Refund failed: refunds 0 500 → 0',
  ]);
});

test('posts transactions in minor units, voids, and each chargeback once', async () => {
  const { call, payments, sandbox } = start();
  const sale = await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const yen = await payments.transact.sale({ amount: '1200', currency: 'jpy', payment_token: 'tok_2' });
  await payments.transact.void({ transactionid: yen.transactionid });
  await payments.transact.auth({ amount: '7.00', payment_token: 'tok_3' });
  await payments.transact.sale({ amount: '0.50', payment_token: 'tok_4' });
  const dispute = { transaction_id: sale.transactionid, amount: '12.00', chargeback_id: 'cb_1' };
  sandbox.trigger('chargeback.received', dispute);
  sandbox.trigger('chargeback.received', dispute);
  const { body } = await call('ledger');
  expect(body.lines.map(short)).toEqual([
    'Dispute: disputes 1200 0 → 1200',
    'Dispute: cash 0 1200 → 0',
    'Sale voided: sales 1200 0 → 0',
    'Sale voided: cash 0 1200 → 0',
    'Sale: cash 1200 0 → 1200',
    'Sale: sales 0 1200 → -1200',
    'Sale: cash 1200 0 → 1200',
    'Sale: sales 0 1200 → -1200',
  ]);
  expect(body.lines[0].object).toEqual({ kind: 'transaction', id: sale.transactionid });
  expect(body.currencies.map(({ currency }: { currency: string }) => currency)).toEqual(['USD', 'JPY']);
});

test('links a chargeback of an unknown transaction to its event, and skips an invalid amount', async () => {
  const { call, sandbox } = start();
  const event = sandbox.trigger('chargeback.received', { transaction_id: '1', amount: '49.99' });
  sandbox.trigger('chargeback.received', { transaction_id: '1', amount: '49.999' });
  const { body } = await call('ledger');
  expect(body.lines).toMatchObject([
    { account: 'disputes', debit: 4999, object: { kind: 'event', id: event.id } },
    { account: 'cash', credit: 4999 },
  ]);
});

test('paginates by entry, and is empty without movements', async () => {
  const { call, sandbox } = start();
  expect((await call('ledger')).body).toEqual({ currencies: [], accounts: [], lines: [], has_more: false });
  for (const amount of [100, 200, 300]) sandbox.add('charge', { amount });
  const first = (await call('ledger?limit=2')).body;
  expect([first.lines.map((line: Line) => line.debit), first.has_more]).toEqual([[300, 0, 200, 0], true]);
  const second = (await call(`ledger?limit=2&before=${first.lines.at(-1).entry}`)).body;
  expect([second.lines.map((line: Line) => line.debit), second.has_more]).toEqual([[100, 0], false]);
  expect((await call('ledger?before=99')).body.error).toMatchObject({ param: 'before' });
});

test('posts the difference of a manual change of amount or currency', async () => {
  const { call, sandbox } = start();
  const { id } = sandbox.add('charge', { amount: 100 });
  sandbox.update('charge', id, { amount: 70 });
  sandbox.update('charge', id, { currency: 'EUR' });
  const { body } = await call('ledger');
  expect(body.lines.map(short)).toEqual([
    'Charge changed: cash 70 0 → 70',
    'Charge changed: sales 0 70 → -70',
    'Charge changed: sales 70 0 → 0',
    'Charge changed: cash 0 70 → 0',
    'Charge changed: sales 30 0 → -70',
    'Charge changed: cash 0 30 → 70',
    'Charge: cash 100 0 → 100',
    'Charge: sales 0 100 → -100',
  ]);
});

test('reports the currency that a broken snapshot unbalances', async () => {
  const { call, sandbox } = start();
  sandbox.add('charge', { amount: 1200 });
  expect((await call('state')).body.books).toEqual({ balanced: true, problem: null });
  const text = JSON.stringify(sandbox.snapshot());
  sandbox.restore(JSON.parse(text.replace('"debits":1200', '"debits":1300')));
  expect((await call('state')).body.books).toEqual({
    balanced: false,
    problem: 'The debits in USD are 1300 and the credits 1200, in minor units.',
  });
});

test('is restored by a snapshot and cleared by a reset', async () => {
  const { call, sandbox } = start();
  sandbox.add('charge', { amount: 1200 });
  const before = (await call('ledger')).body;
  const snapshot = sandbox.snapshot();
  sandbox.reset();
  expect((await call('ledger')).body.lines).toEqual([]);
  sandbox.restore(snapshot);
  expect((await call('ledger')).body).toEqual(before);
});
