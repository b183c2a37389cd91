/**
 * Nightly reconciliation: writes every charge and refund of the last weeks to a CSV file, and compares each closed batch with the
 * sum of its payments. If a batch does not add up, or has a payment of another currency, the exit code is 1.
 *
 * Run it: `npm run example -- reconciliation`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, REPORT_FILE,
 * LOOKBACK_DAYS (30): longer than a payment takes to settle.
 */

import { rename, writeFile } from 'node:fs/promises';
import { type Charge, PaymentsClient, type Refund, toDate, toDecimalAmount } from 'payments-client';

const day = 86_400_000;
const file = process.env['REPORT_FILE'] ?? 'reconciliation.csv';
const lookback = Number(process.env['LOOKBACK_DAYS'] ?? 30) * day;
const payments = new PaymentsClient();

function isOlder(age: number, time: number): boolean {
  return toDate(time).getTime() < Date.now() - age;
}

/** Returns the recent items. Lists begin with the newest, so the first old item ends the loop. */
async function recent<T extends { readonly created_at: number }>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of list) {
    if (isOlder(lookback, item.created_at)) break;
    found.push(item);
  }
  return found;
}

/** Converts minor units to an exact decimal string. A sum is a `bigint`: it may be larger than a number holds exactly. */
function decimal(amount: number | bigint, currency: string): string {
  return amount < 0 ? `-${toDecimalAmount(-amount, currency)}` : toDecimalAmount(amount, currency);
}

/** Amounts of two currencies are never added. */
function isOf(currency: string) {
  return (one: { readonly currency: string }) => one.currency === currency;
}

function line(...cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;
}

/** Returns the charges and refunds that moved money. The amounts of refunds are negative. */
async function movementsOf(): Promise<readonly (Charge | Refund)[]> {
  const charges = await recent(payments.charges.list({ limit: 100 }));
  const refunds = await recent(payments.refunds.list({ limit: 100 }));
  const negated = refunds.map((refund) => ({ ...refund, amount: -refund.amount }));
  return [...charges, ...negated].filter(({ status }) => status === 'succeeded');
}

const movements = await movementsOf();
const batches = await recent(payments.terminalBatches.list({ limit: 100 }));
let report = line('object', 'id', 'created', 'amount', 'currency', 'status', 'batch', 'difference');

for (const { object, id, created_at, amount, currency, status, settlement_batch_id: batch } of movements) {
  const created = toDate(created_at).toISOString();
  report += line(object, id, created, decimal(amount, currency), currency, status, batch ?? '', '');
}

for (const { object, id, status, created_at, closed_at, totals, currency } of batches) {
  if (status !== 'closed' || isOlder(day, closed_at)) continue;
  const sum = BigInt(totals.sales) - BigInt(totals.refunds);
  const settled = movements.filter(({ settlement_batch_id }) => settlement_batch_id === id);
  const [own, others] = [settled.filter(isOf(currency)), settled.filter((one) => !isOf(currency)(one))];
  const difference = own.reduce((rest, { amount }) => rest - BigInt(amount), sum);
  const created = toDate(created_at).toISOString();
  const [amount, off] = [decimal(sum, currency), decimal(difference, currency)];
  report += line(object, id, created, amount, currency, status, id, off);
  console.log(`${id}: ${amount} ${currency}, ${difference === 0n ? 'adds up' : `off by ${off}`}`);
  for (const other of others) console.log(`${id}: ${other.id} is in ${other.currency}`);
  if (difference !== 0n || others.length > 0) process.exitCode = 1;
}

// Written to another file first, so that nobody reads an incomplete report.
await writeFile(`${file}.part`, report);
await rename(`${file}.part`, file);
console.log(`${movements.length} movements in ${file}`);
