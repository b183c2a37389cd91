/**
 * Nightly reconciliation: every charge and refund of the last weeks in a CSV file, and each batch that was closed beside
 * the sum of what it settled. A batch that does not add up ends the program with exit code 1.
 *
 * Run it: `npm run example -- reconciliation`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, REPORT_FILE,
 * LOOKBACK_DAYS (30): longer than a payment takes to settle.
 */

import { rename, writeFile } from 'node:fs/promises';
import {
  type Charge,
  PaymentsClient,
  type Refund,
  type TerminalBatch,
  toDecimalAmount,
} from 'payments-client';

const day = 86_400_000;
const file = process.env['REPORT_FILE'] ?? 'reconciliation.csv';
const lookback = Number(process.env['LOOKBACK_DAYS'] ?? 30) * day;
const payments = new PaymentsClient();

/** The interface does not show whether its timestamps are in seconds or in milliseconds. */
function dateOf(time: number): Date {
  return new Date(time < 1e11 ? time * 1000 : time);
}

function isWithin(age: number, time: number): boolean {
  return dateOf(time).getTime() >= Date.now() - age;
}

/** What was created lately. Lists go from the newest to the oldest, so the first older one ends it. */
async function recent<T extends { readonly created_at: number }>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of list) {
    if (!isWithin(lookback, item.created_at)) break;
    found.push(item);
  }
  return found;
}

/** Minor units as a decimal, exactly: what was given back is below zero. */
function decimal(amount: number, currency: string): string {
  return `${amount < 0 ? '-' : ''}${toDecimalAmount(Math.abs(amount), currency)}`;
}

function line(...cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;
}

/** What moved money, and how much: charges above zero, refunds below it. */
type Movement = (Charge | Refund) & { readonly signed: number };

function movementLine(movement: Movement): string {
  const { object, id, signed, currency, status, settlement_batch_id: batch } = movement;
  const created = dateOf(movement.created_at).toISOString();
  return line(object, id, created, decimal(signed, currency), currency, status, batch ?? '', '');
}

/** How much a batch differs from what it settled. */
function differenceOf({ id, totals }: TerminalBatch, movements: readonly Movement[]): number {
  const settled = movements.filter(({ settlement_batch_id }) => settlement_batch_id === id);
  return settled.reduce((rest, { signed }) => rest - signed, totals.sales - totals.refunds);
}

const succeeded = ({ status }: Charge | Refund): boolean => status === 'succeeded';
const charges = await recent(payments.charges.list({ limit: 100 }));
const refunds = await recent(payments.refunds.list({ limit: 100 }));
const allBatches = await recent(payments.terminalBatches.list({ limit: 100 }));
const batches = allBatches.filter(({ status, closed_at }) => status === 'closed' && isWithin(day, closed_at));
const movements: readonly Movement[] = [
  ...charges.filter(succeeded).map((charge) => ({ ...charge, signed: charge.amount })),
  ...refunds.filter(succeeded).map((refund) => ({ ...refund, signed: -refund.amount })),
];

let report = line('object', 'id', 'created', 'amount', 'currency', 'status', 'batch', 'difference');
for (const movement of movements) report += movementLine(movement);
for (const batch of batches) {
  const { object, id, totals, currency, reconciliation_status: status } = batch;
  const created = dateOf(batch.created_at).toISOString();
  const amount = decimal(totals.sales - totals.refunds, currency);
  const difference = decimal(differenceOf(batch, movements), currency);
  report += line(object, id, created, amount, currency, status, id, difference);
  const addsUp = differenceOf(batch, movements) === 0;
  console.log(`${id}: ${amount} ${currency}, ${addsUp ? 'adds up' : `off by ${difference}`}`);
  if (!addsUp) process.exitCode = 1;
}
// Written aside first, so that nobody takes half a report for a whole one.
await writeFile(`${file}.part`, report);
await rename(`${file}.part`, file);
console.log(`${movements.length} movements and ${batches.length} batches in ${file}`);
