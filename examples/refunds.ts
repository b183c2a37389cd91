/**
 * Refunds of a part: each return is written down before money goes back, never more in all than was captured, and each has
 * an operationId of its own. One whose outcome is unknown is repeated by the next run, which gives the original refund.
 *
 * Run it: `npm run example -- refunds`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, RETURNS_FILE; then
 * `node refunds.ts pi_… return-77 500` takes a return of 5.00 in, and `node refunds.ts` goes on with what is open.
 */

import { DatabaseSync } from 'node:sqlite';
import { PaymentsClient, PaymentsError, type Refund, UnprocessableError } from 'payments-client';

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

/** One statement looks at the other returns and adds this one, so that two clerks at once cannot give back too much. */
function accept(id: string, intent: string, amount: number, captured: number): void {
  const { changes } = database
    .prepare(`INSERT INTO returns (id, intent, amount) SELECT :id, :intent, :amount
      WHERE :amount + (SELECT coalesce(sum(amount), 0) FROM returns
        WHERE intent = :intent AND status NOT IN ('failed', 'refused')) <= :captured`)
    .run({ id, intent, amount, captured });
  if (changes === 0) throw new RangeError(`${id}: ${amount} is more than is left of ${captured} captured.`);
}

function note(id: string, status: string, refund: string | null): void {
  database.prepare('UPDATE returns SET status = ?, refund = ? WHERE id = ?').run(status, refund, id);
}

/** Asks for the refund, or, once it is asked for, what became of it. */
function advance(id: string, intent: string, amount: number, refund: string | null): Promise<Refund> {
  if (refund !== null) return payments.refunds.retrieve(refund);
  return payments.refunds.create({ payment_intent_id: intent, amount }, { operationId: id });
}

async function takeIn(id: string, intent: string, amount: number): Promise<void> {
  const known = database.prepare('SELECT intent, amount FROM returns WHERE id = ?').get(id);
  if (known === undefined) accept(id, intent, amount, await capturedBy(intent));
  else if (known['intent'] !== intent || known['amount'] !== amount)
    throw new RangeError(`${id}: taken in before, over ${known['amount']} of ${known['intent']}.`);
}

const [intentId, returnId, amountText] = process.argv.slice(2);
if (intentId && returnId && amountText) await takeIn(returnId, intentId, Number(amountText));

const open = database
  .prepare("SELECT * FROM returns WHERE status IN ('accepted', 'pending') ORDER BY id")
  .all();
for (const row of open) {
  const id = String(row['id']);
  const known = row['refund'] === null ? null : String(row['refund']);
  try {
    const refund = await advance(id, String(row['intent']), Number(row['amount']), known);
    note(id, refund.status, refund.id);
    console.log(`${id}: ${refund.id} ${refund.status} ${refund.failure_message ?? ''}`.trim());
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    // 422: the service does not give this back. Anything else, `unknown` above all, stays open for the next run.
    const isRefused = error instanceof UnprocessableError && error.outcome === 'not_executed';
    if (isRefused) note(id, 'refused', null);
    console.error(`${id}: ${isRefused ? 'refused' : error.outcome}: ${error.message}`);
    process.exitCode = 1;
  }
}
