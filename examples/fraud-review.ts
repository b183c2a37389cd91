/**
 * A review queue: each card payment is authorized, and its fraud checks capture it, void it, or leave it to a person. The form endpoint has no
 * keys, so a step is stored before it is sent, and one with an unknown outcome waits for a person. Run it: `npm run example -- fraud-review`.
 * In your app: PAYMENTS_BASE_URL, PAYMENTS_SECURITY_KEY, REVIEWS_FILE; then `node fraud-review.ts charge order-1042 12.00 <token> ada@example.com`,
 * `… queue`, `… approve order-1042` or `… reject order-1042`. What stays `… sent` for five minutes, look up: `… resolve order-1042 capture captured`,
 * or `review`; `… resolve order-1042 auth review <transaction>`, or `new`. Exits with 0 only if the money is captured, or voided by `reject`.
 */

import { DatabaseSync } from 'node:sqlite';
import { PaymentsError, Transact, type TransactionResult } from 'payments-client';
import { assessFraud } from 'payments-client/fraud';

const transact = new Transact();
const database = new DatabaseSync(process.env['REVIEWS_FILE'] ?? 'reviews.sqlite', { timeout: 5000 });
database.exec(`CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, status TEXT NOT NULL, auth TEXT, why TEXT,
  CHECK (auth IS NOT NULL OR status IN ('new', 'auth sent', 'declined'))) STRICT`);

/** Changes a payment, unless it has changed meanwhile: of two clerks, one succeeds. The id of its authorization is never replaced. */
function move(id: string, from: string, to: string, auth = '', why = ''): void {
  const sql = `UPDATE payments SET status = ?, auth = coalesce(auth, ?), why = coalesce(why, ?) WHERE id = ? AND status = ?`;
  const { changes } = database.prepare(sql).run(to, auth || null, why || null, id, from);
  if (changes === 0) throw new Error(`${id} is not ${from}.`);
}

/** Sends one transaction. After an unknown outcome, the payment stays `… sent`. */
async function send(id: string, from: string, type: string, call: () => PromiseLike<TransactionResult>) {
  move(id, from, `${type} sent`);
  return call().then(undefined, (error: unknown) => {
    if (error instanceof PaymentsError && error.outcome === 'not_executed') move(id, `${type} sent`, from);
    throw error;
  });
}

async function finish(id: string, type: 'capture' | 'void'): Promise<void> {
  const transactionid = String(database.prepare('SELECT auth FROM payments WHERE id = ?').get(id)?.['auth']);
  const { approved } = await send(id, 'review', type, () => transact[type]({ transactionid }));
  const done = type === 'void' ? 'voided' : 'captured';
  move(id, `${type} sent`, approved ? done : 'review');
}

async function charge(id: string, amount: string, payment_token: string, email: string): Promise<void> {
  database.prepare("INSERT INTO payments (id, status) VALUES (?, 'new') ON CONFLICT DO NOTHING").run(id);
  const result = await send(id, 'new', 'auth', () => transact.auth({ amount, payment_token, email }));
  const { decision, reasons } = assessFraud(result);
  const why = reasons.filter(({ recommendation }) => recommendation === decision).map(({ what }) => what);
  move(id, 'auth sent', result.approved ? 'review' : 'declined', result.transactionid, why.join('; '));
  if (result.approved && decision !== 'review') await finish(id, decision === 'accept' ? 'capture' : 'void');
}

const [command = '', id = '', first = '', second = '', third = ''] = process.argv.slice(2);
const goal = command === 'reject' ? 'voided' : /^(charge|approve)$/.test(command) && 'captured';
const found = /^(auth (new|review|declined)|capture (review|captured)|void (review|voided))$/;
if (command === 'charge') await charge(id, first, second, third);
else if (goal) await finish(id, command === 'reject' ? 'void' : 'capture');
else if (command === 'resolve' && found.test(`${first} ${second}`)) move(id, `${first} sent`, second, third);
const isShown = "iif(? = 'queue', status NOT IN ('captured', 'voided', 'declined'), id = ?)";
const sql = `SELECT status, id || ': ' || concat_ws(', ', status, auth, why) AS line FROM payments WHERE ${isShown}`;
const rows = database.prepare(sql).all(command, id);
for (const { line } of rows) console.log(line);
if (command !== 'queue' && rows[0]?.['status'] !== goal) process.exitCode = 1;
