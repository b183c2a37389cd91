import { createSandbox, type SandboxOptions } from 'payments-client-sandbox';
import { expect, test } from 'vitest';

function shop(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 1, 12), ...options });
  const paid = (amount: number, currency = 'USD') => {
    const { id } = sandbox.add('payment_intent', { amount, currency });
    return sandbox.pay(id).latest_charge_id ?? '';
  };
  const types = () => sandbox.events.map(({ type }) => type);
  return { sandbox, paid, types };
}

test('a batch contains the charges and refunds since the last one', () => {
  const { sandbox, paid, types } = shop();
  const charges = [paid(1000), paid(500)];
  const back = sandbox.add('refund', { amount: 300, status: 'pending' });
  sandbox.update('refund', back.id, { status: 'succeeded' });
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
  paid(70);
  expect(sandbox.settle()).toMatchObject([{ totals: { sales: 70 }, transaction_count: 1 }]);
});

test('declined charges and pending refunds are not settled', () => {
  const { sandbox, paid } = shop();
  paid(100);
  sandbox.add('refund', { amount: 40 });
  const { id } = sandbox.add('payment_intent');
  sandbox.pay(id, { payment_method: 'pm_card_declined' });
  expect(sandbox.settle()).toMatchObject([{ transaction_count: 1, totals: { net: 100 } }]);
});

test('each currency has its own batch', () => {
  const { sandbox, paid } = shop();
  paid(100);
  paid(200, 'EUR');
  expect(sandbox.settle({ currency: 'eur' })).toMatchObject([{ currency: 'EUR', totals: { net: 200 } }]);
  expect(sandbox.settle()).toMatchObject([{ currency: 'USD', totals: { net: 100 } }]);
});

test('daily settlement closes a batch at each midnight', async () => {
  const { sandbox, paid, types } = shop({ settlement: 'daily' });
  const first = paid(100);
  await sandbox.clock.advance('11 hours');
  expect(sandbox.get('charge', first)?.settled_at).toBeNull();
  await sandbox.clock.advance('1 hour');
  expect(sandbox.get('charge', first)?.settled_at).toBe(Date.UTC(2026, 0, 2) / 1000);
  const second = paid(100);
  await sandbox.clock.advance('1 day');
  expect(sandbox.get('charge', second)?.settled_at).toBe(Date.UTC(2026, 0, 3) / 1000);
  expect(types().filter((type) => type === 'terminal_batch.closed')).toHaveLength(2);
});

test('a batch is reconciled, also after problems', () => {
  const { sandbox, paid, types } = shop();
  paid(100);
  const id = sandbox.settle()[0]?.id ?? '';
  expect(sandbox.reconcile(id, 'incomplete')).toMatchObject({
    matched_item_count: 0,
    unmatched_item_count: 1,
  });
  expect(sandbox.reconcile(id, 'needs_attention').reconciled_at).toBeNull();
  expect(sandbox.reconcile(id, 'reconciled')).toMatchObject({
    reconciliation_status: 'reconciled',
    reconciled_at: expect.any(Number),
    matched_item_count: 1,
    unmatched_item_count: 0,
  });
  expect(types().slice(-3)).toEqual([
    'terminal_batch.incomplete',
    'terminal_batch.needs_attention',
    'terminal_batch.reconciled',
  ]);
  expect(() => sandbox.reconcile(id, 'reconciled')).toThrow(/is 'reconciled'/);
});

test.each(['incomplete', 'needs_attention'] as const)('a reconciled batch can become %s', (outcome) => {
  const { sandbox, paid, types } = shop();
  paid(100);
  const id = sandbox.settle()[0]?.id ?? '';
  sandbox.reconcile(id, 'reconciled');
  expect(sandbox.reconcile(id, outcome)).toMatchObject({
    status: 'closed',
    reconciliation_status: outcome,
    reconciled_at: null,
  });
  expect(types().at(-1)).toBe(`terminal_batch.${outcome}`);
});

test('only an existing closed batch can be reconciled', () => {
  const { sandbox } = shop();
  const open = sandbox.add('terminal_batch', { status: 'open' });
  expect(() => sandbox.reconcile(open.id, 'reconciled')).toThrow(/is 'open'/);
  expect(() => sandbox.reconcile('tmb_none', 'reconciled')).toThrow(/'tmb_none', which does not exist/);
  expect(() => sandbox.reconcile(open.id, 'lost' as never)).toThrow(/needs_attention, got 'lost'/);
});
