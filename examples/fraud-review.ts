/**
 * A review queue for card payments: each payment is authorized, and its fraud checks decide whether it is captured, voided, or
 * held for review by a person. The form endpoint has no idempotency keys, so each step is stored before it is sent, and a step
 * with an unknown outcome is never sent again.
 *
 * Run it: `npm run example -- fraud-review`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECURITY_KEY, REVIEWS_FILE; then
 * `node fraud-review.ts charge order-1042 12.00 <token> ada@example.com`, `… queue`, `… approve order-1042` or `… reject order-1042`.
 * `charge` and `approve` exit with 0 only if the money is captured: not after a decline, for review, or with an unknown outcome. `reject`
 * exits with 0 if the payment is voided.
 */

import { DatabaseSync } from 'node:sqlite';
import { PaymentsError, Transact, type TransactionResult } from 'payments-client';
import { assessFraud } from 'payments-client/fraud';

const transact = new Transact();
const database = new DatabaseSync(process.env['REVIEWS_FILE'] ?? 'reviews.sqlite', { timeout: 5000 });
database.exec(`CREATE TABLE IF NOT EXISTS payments (
  id TEXT PRIMARY KEY, status TEXT NOT NULL DEFAULT 'new', transactionid TEXT NOT NULL DEFAULT '', why TEXT NOT NULL DEFAULT '')`);

/** Changes the status of a payment, unless it has changed meanwhile: of two clerks who approve it, one succeeds. */
function move(id: string, from: string, to: string): void {
  const update = 'UPDATE payments SET status = ? WHERE id = ? AND status = ?';
  if (database.prepare(update).run(to, id, from).changes === 0) throw new Error(`${id} is not ${from}.`);
}

/** Sends one transaction. If its outcome is unknown, the payment keeps the status `during` until somebody looks it up. */
async function send(
  id: string,
  [from, during, to]: readonly [from: string, during: string, to: string],
  transaction: () => PromiseLike<TransactionResult>,
): Promise<TransactionResult> {
  move(id, from, during);
  try {
    const result = await transaction();
    const update = 'UPDATE payments SET status = ?, transactionid = ? WHERE id = ?';
    database.prepare(update).run(result.approved ? to : from, result.transactionid, id);
    return result;
  } catch (error) {
    if (error instanceof PaymentsError && error.outcome === 'not_executed') move(id, during, from);
    throw error;
  }
}

function transactionOf(id: string): { transactionid: string } {
  const row = database.prepare('SELECT transactionid FROM payments WHERE id = ?').get(id);
  return { transactionid: String(row?.['transactionid'] ?? '') };
}

const capture = (id: string, from: string) =>
  send(id, [from, 'capturing', 'captured'], () => transact.capture(transactionOf(id)));
const voidPayment = (id: string, from: string) =>
  send(id, [from, 'voiding', 'voided'], () => transact.void(transactionOf(id)));

async function charge(id: string, amount: string, payment_token: string, email: string): Promise<void> {
  database.prepare('INSERT INTO payments (id) VALUES (?) ON CONFLICT DO NOTHING').run(id);
  // Also send ipaddress, phone, address1, city, state and zip: more fields improve fraud detection.
  const result = await send(id, ['new', 'authorizing', 'authorized'], () =>
    transact.auth({ amount, payment_token, email }),
  );
  const { decision, reasons } = assessFraud(result);
  const why = reasons.filter(({ recommendation }) => recommendation === decision).map(({ what }) => what);
  database.prepare('UPDATE payments SET why = ? WHERE id = ?').run(why.join('; '), id);
  if (!result.approved) move(id, 'new', 'declined');
  else if (decision === 'accept') await capture(id, 'authorized');
  else if (decision === 'review') move(id, 'authorized', 'review');
  else await voidPayment(id, 'authorized');
}

/** The status in which a command has done its work. */
const goals = new Map([
  ['charge', 'captured'],
  ['approve', 'captured'],
  ['reject', 'voided'],
]);

function statusOf(id: string): unknown {
  return database.prepare('SELECT status FROM payments WHERE id = ?').get(id)?.['status'];
}

function show(where: string, ...values: readonly string[]): void {
  for (const { id, status, why } of database.prepare(`SELECT * FROM payments WHERE ${where}`).all(...values))
    console.log(`${id}: ${status}${why && `, ${why}`}`);
}

const [command, id = '', amount = '', token = '', email = ''] = process.argv.slice(2);
if (command === 'charge') await charge(id, amount, token, email);
if (command === 'approve') await capture(id, 'review');
if (command === 'reject') await voidPayment(id, 'review');
// The payments that wait for a person: for review, or to look up a transaction with an unknown outcome.
if (command === 'queue') show("status NOT IN ('captured', 'voided', 'declined')");
else show('id = ?', id);
const goal = goals.get(command ?? '');
if (command !== 'queue' && (goal === undefined || statusOf(id) !== goal)) process.exitCode = 1;
