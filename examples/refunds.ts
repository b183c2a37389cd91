/**
 * Partial refunds: each return is stored before the refund, has its own operationId, and all returns of a payment together never
 * exceed the captured amount. After an error the return stays open, and the next run retries it and receives the original refund.
 *
 * Run it: `npm run example -- refunds`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, RETURNS_FILE; then
 * `node refunds.ts pi_… return-77 500` accepts a return of 5.00, `node refunds.ts` continues the open returns, and
 * `node refunds.ts close return-77` closes a return that the service refuses, after a person has checked that no refund exists. It exits
 * with 1 if a refund failed, was refused, or may have been made: with 0 each is made or pending. With 2 the arguments are wrong.
 */

import { DatabaseSync } from 'node:sqlite';
import { PaymentsClient, PaymentsError, type Refund } from 'payments-client';

const payments = new PaymentsClient();
const database = new DatabaseSync(process.env['RETURNS_FILE'] ?? 'returns.sqlite', { timeout: 5000 });
database.exec(`CREATE TABLE IF NOT EXISTS returns (
  id TEXT PRIMARY KEY, intent TEXT NOT NULL, amount INTEGER NOT NULL CHECK (amount > 0),
  status TEXT NOT NULL DEFAULT 'accepted', refund TEXT) STRICT`);

async function capturedBy(intentId: string): Promise<number> {
  const { status, latest_charge_id } = await payments.paymentIntents.retrieve(intentId);
  if (status !== 'succeeded' || latest_charge_id === null) return 0;
  return (await payments.charges.retrieve(latest_charge_id)).amount;
}

/** One statement checks the other returns and adds this one, so two concurrent clerks cannot refund too much. */
function accept(id: string, intent: string, amount: number, captured: number): void {
  const { changes } = database
    .prepare(`INSERT INTO returns (id, intent, amount) SELECT :id, :intent, :amount
      WHERE :amount + (SELECT coalesce(sum(amount), 0) FROM returns
        WHERE intent = :intent AND status NOT IN ('failed', 'closed')) <= :captured`)
    .run({ id, intent, amount, captured });
  if (changes === 0) throw new RangeError(`${id}: ${amount} is more than is left of ${captured} captured.`);
}

function saveStatus(id: string, status: string, refund: string | null): void {
  database.prepare('UPDATE returns SET status = ?, refund = ? WHERE id = ?').run(status, refund, id);
}

/** Creates the refund, or retrieves it once its id is known. */
function advance(id: string, intent: string, amount: number, refund: string | null): Promise<Refund> {
  if (refund !== null) return payments.refunds.retrieve(refund);
  return payments.refunds.create({ payment_intent_id: intent, amount }, { operationId: id });
}

async function acceptOnce(id: string, intent: string, amount: number): Promise<void> {
  const known = database.prepare('SELECT intent, amount, status FROM returns WHERE id = ?').get(id);
  if (known === undefined) accept(id, intent, amount, await capturedBy(intent));
  else if (known['intent'] !== intent || known['amount'] !== amount)
    throw new RangeError(`${id}: accepted before, over ${known['amount']} of ${known['intent']}.`);
  else if (known['status'] === 'closed') throw new RangeError(`${id}: closed before, without a refund.`);
}

function close(id: string): void {
  const closes = "UPDATE returns SET status = 'closed' WHERE id = ? AND status IN ('accepted', 'closed')";
  const { changes } = database.prepare(closes).run(id);
  if (changes === 0) throw new RangeError(`${id}: there is no such return without a refund.`);
}

const args = process.argv.slice(2);
const [first = '', returnId = '', amountText = ''] = args;
if (first === 'close' && returnId && args.length === 2) close(returnId);
else if (first && returnId && /^\d+$/.test(amountText) && args.length === 3)
  await acceptOnce(returnId, first, Number(amountText));
else if (args.length > 0) {
  console.error('Expected: node refunds.ts [<payment intent> <return> <amount> | close <return>]');
  process.exit(2);
}

// A return that is asked for again is shown again, even if its refund failed before.
const open = database
  .prepare(`SELECT * FROM returns
    WHERE status IN ('accepted', 'pending') OR (id = ? AND status <> 'closed') ORDER BY id`)
  .all(returnId);
for (const row of open) {
  const id = String(row['id']);
  const known = row['refund'] === null ? null : String(row['refund']);
  try {
    const refund = await advance(id, String(row['intent']), Number(row['amount']), known);
    saveStatus(id, refund.status, refund.id);
    console.log(`${id}: ${refund.id} ${refund.status} ${refund.failure_message ?? ''}`.trim());
    if (refund.status !== 'pending' && refund.status !== 'succeeded') process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    // The return stays open, even after a refusal. The error speaks of this run alone.
    const advice = error.retryable ? 'run again' : 'look into it';
    console.error(`${id}: ${advice}: ${error.message} An earlier run may have made this refund.`);
    process.exitCode = 1;
  }
}
