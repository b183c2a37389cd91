import { createSandbox, type SandboxOptions } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { start as control } from '../control/support.ts';

function shop(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 1, 12), ...options });
  const paid = (amount: number, currency = 'USD') => {
    const { id } = sandbox.add('payment_intent', { amount, currency });
    return sandbox.pay(id).latest_charge_id ?? '';
  };
  const types = () => sandbox.events.map(({ type }) => type);
  return { sandbox, paid, types };
}

test('a batch contains the charges and refunds that succeeded since the last one', () => {
  const { sandbox, paid, types } = shop();
  const charges = [paid(1000), paid(500)];
  const back = sandbox.add('refund', { amount: 300, status: 'pending' });
  sandbox.update('refund', back.id, { status: 'succeeded' });
  // Neither a pending refund nor a declined charge is settled.
  const pending = sandbox.add('refund', { amount: 40 }).id;
  sandbox.pay(sandbox.add('payment_intent').id, { payment_method: 'pm_card_declined' });
  const [batch, ...others] = sandbox.settle({ terminal_ids: ['tmr_1'] });
  expect(others).toEqual([]);
  expect(batch).toMatchObject({
    status: 'closed',
    reconciliation_status: 'pending',
    totals: { sales: 1500, refunds: 300, net: 1200, fees: 0 },
    transaction_count: 3,
    terminal_ids: ['tmr_1'],
  });
  const settled = { settled_at: batch?.closed_at, settlement_batch_id: batch?.id };
  for (const id of charges) expect(sandbox.get('charge', id)).toMatchObject(settled);
  expect(sandbox.get('refund', back.id)).toMatchObject({ ...settled, status: 'succeeded' });
  expect(types().slice(-4)).toEqual([
    'terminal_batch.closed',
    'charge.settled',
    'charge.settled',
    'refund.settled',
  ]);
  expect(sandbox.settle()).toEqual([]);
  sandbox.update('refund', pending, { status: 'succeeded' });
  paid(70);
  expect(sandbox.settle()).toMatchObject([
    { totals: { sales: 70, refunds: 40, net: 30 }, transaction_count: 2 },
  ]);
});

test('each currency has its own batch, and only the named one is settled', () => {
  const { sandbox, paid } = shop();
  const [dollars, yen] = [paid(100), paid(200, 'JPY')];
  expect(sandbox.settle({ currency: 'jpy' })).toMatchObject([{ currency: 'JPY', totals: { net: 200 } }]);
  expect([dollars, yen].map((id) => sandbox.get('charge', id)?.settled_at === null)).toEqual([true, false]);
  paid(5, 'JPY');
  expect(sandbox.settle()).toMatchObject([
    { currency: 'USD', totals: { net: 100 }, transaction_count: 1 },
    { currency: 'JPY', totals: { net: 5 }, transaction_count: 1 },
  ]);
});

test('daily settlement closes a batch at each midnight in UTC, to the millisecond', async () => {
  const { sandbox, paid, types } = shop({ settlement: 'daily' });
  const first = paid(100);
  await sandbox.clock.advance(12 * 3_600_000 - 1);
  // In the last millisecond of the day, for the same midnight.
  const last = paid(30);
  expect(sandbox.get('charge', first)?.settled_at).toBeNull();
  await sandbox.clock.advance(1);
  const midnight = Date.UTC(2026, 0, 2) / 1000;
  expect([first, last].map((id) => sandbox.get('charge', id)?.settled_at)).toEqual([midnight, midnight]);
  const second = paid(100);
  await sandbox.clock.advance('1 day');
  expect(sandbox.get('charge', second)?.settled_at).toBe(Date.UTC(2026, 0, 3) / 1000);
  expect(types().filter((type) => type === 'terminal_batch.closed')).toHaveLength(2);
});

test('manual settlement waits for settle()', async () => {
  const { sandbox, paid } = shop();
  const id = paid(100);
  await sandbox.clock.advance('30 days');
  expect(sandbox.get('charge', id)?.settled_at).toBeNull();
});

const outcomes = ['reconciled', 'incomplete', 'needs_attention'] as const;

test.each(outcomes.flatMap((from) => outcomes.map((to) => [from, to] as const)))(
  'a batch that is %s can become %s, unless it is that already',
  (from, to) => {
    const { sandbox, paid, types } = shop();
    paid(100);
    paid(50);
    const id = sandbox.settle()[0]?.id ?? '';
    const before = sandbox.reconcile(id, from);
    if (from === to) {
      expect(() => sandbox.reconcile(id, to)).toThrow(`which is '${to}'`);
      return expect(sandbox.get('terminal_batch', id)).toEqual(before);
    }
    const unmatched = { reconciled: 0, incomplete: 1, needs_attention: before.unmatched_item_count }[to];
    const known = to === 'needs_attention' ? before.matched_item_count : 2 - unmatched;
    expect(sandbox.reconcile(id, to)).toMatchObject({
      status: 'closed',
      reconciliation_status: to,
      reconciled_at: to === 'reconciled' ? Date.UTC(2026, 0, 1, 12) / 1000 : null,
      matched_item_count: known,
      unmatched_item_count: unmatched,
    });
    expect(types().at(-1)).toBe(`terminal_batch.${to}`);
  },
);

test('only an existing closed batch can be reconciled, with a known outcome', () => {
  const { sandbox } = shop();
  const { id } = sandbox.add('terminal_batch', { status: 'open' });
  expect(() => sandbox.reconcile(id, 'reconciled')).toThrow(/is 'open'/);
  expect(() => sandbox.reconcile('tmb_none', 'reconciled')).toThrow(/'tmb_none', which does not exist/);
  expect(() => sandbox.reconcile(id, 'lost' as never)).toThrow(/needs_attention, got 'lost'/);
});

test('the command settles no transaction of the form endpoint, and says what does', async () => {
  const { sandbox, call, payments } = control();
  const settle = async () => (await call('commands', 'POST', { name: 'settle' })).body;
  for (const payment_token of ['tok_1', 'tok_2'])
    await payments.transact.sale({ amount: '12.00', payment_token });
  expect(await settle()).toMatchObject({
    result: [],
    details: [expect.stringMatching(/2 transactions .* '1 day'/)],
  });
  await sandbox.clock.advance('1 day');
  expect(await settle()).toMatchObject({ result: [], details: [] });
  expect(sandbox.transactions.map(({ status }) => status)).toEqual(['settled', 'settled']);
});
