/**
 * Nightly reconciliation: compares each closed batch with its charges and refunds, and the charges with what was paid for the orders. Batches are
 * noted by id once all adds up, so a late, repeated or killed run skips none, and one that changed later is compared again. Run it:
 * `npm run example -- reconciliation`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, LOOKBACK_DAYS (30), longer than a payment takes to
 * settle; then `node reconciliation.ts shop.sqlite`, the database of your orders. It prints each difference in minor units, and exits with 1, until
 * a person has looked into it: `… shop.sqlite accept`.
 */

import { DatabaseSync } from 'node:sqlite';
import { PaymentsClient, toDate } from 'payments-client';
import { paidIntents, since } from './paid-intents.ts';

const [file = 'shop.sqlite', command] = process.argv.slice(2);
const payments = new PaymentsClient();
const database = new DatabaseSync(file, { timeout: 5000 });
database.exec('CREATE TABLE IF NOT EXISTS reconciled (batch TEXT PRIMARY KEY, updated_at INTEGER) STRICT');
const isNoted = database.prepare('SELECT 1 FROM reconciled WHERE batch = ? AND updated_at = ?');
const note = database.prepare('INSERT OR REPLACE INTO reconciled VALUES (?, ?)');

/** The missing amount of each batch or payment intent, by currency: two currencies are never added. */
const missing = new Map<string, bigint>();
function add(of: string | null, currency: string, amount: bigint | number): void {
  const key = `${of} ${currency.toUpperCase()}`;
  missing.set(key, (missing.get(key) ?? 0n) + BigInt(amount));
}

// The batches are read first: whatever is in a closed one is then in the lists.
const all = await payments.terminalBatches.list({ limit: 100 }).toArray({ max: 1_000_000 });
const batches = all.filter((one) => one.status === 'closed' && !isNoted.get(one.id, one.updated_at));
const isCompared = new Set<string | null>(batches.map(({ id }) => id));
const days = Number(process.env['LOOKBACK_DAYS'] ?? 30);
const time = Math.min(...batches.map(({ opened_at }) => toDate(opened_at).getTime())) - days * 86_400_000;
for (const { id, currency, totals } of batches)
  add(id, currency, BigInt(totals.sales) - BigInt(totals.refunds));

const paid = await paidIntents(payments, database, time);
const known = new Set(paid.map(({ intent }) => intent));
const old = new Set(paid.filter(({ isOld }) => isOld).map(({ intent }) => intent));
for (const { intent, currency, amount } of paid) add(intent, currency, amount);

const charges = await since(time, payments.charges.list({ limit: 100 }));
const refunds = await since(time, payments.refunds.list({ limit: 100 }));
for (const { status, intent_id, currency, amount, settlement_batch_id: batch } of charges) {
  if (status !== 'succeeded') continue;
  if (isCompared.has(batch)) add(batch, currency, -amount);
  if (isCompared.has(batch) || known.has(intent_id)) add(intent_id, currency, -amount);
}
for (const { status, currency, amount, settlement_batch_id: batch } of refunds)
  if (status === 'succeeded' && isCompared.has(batch)) add(batch, currency, amount);

// The charge of an old order may be older than the lists.
const isOff = ([of, amount]: [string, bigint]) =>
  amount < 0n || (amount > 0n && !old.has(of.split(' ', 1)[0] ?? ''));
const differences = [...missing].filter(isOff);
for (const [of, amount] of differences)
  console.log(of, amount > 0n ? `${amount} missing` : `${-amount} too much`);
console.log(`${batches.length} batches compared, ${differences.length} differences`);
if (differences.length > 0) process.exitCode = 1;
if (differences.length === 0 || command === 'accept')
  for (const { id, updated_at } of batches) note.run(id, updated_at);
