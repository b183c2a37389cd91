/**
 * Charges an order once, after any crash: the journal records each operation and its result. Run it again with
 * the same order until it is paid, with another card after a decline.
 *
 * Run it: `npm run example -- safe-retry/sqlite`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, JOURNAL_FILE; then
 * `node sqlite.ts order-1042 1200 usd pm_…`. It exits with 0 only if the order is paid: not after a decline, an unknown outcome or
 * with an intent that is still open.
 */

import { isDecline, PaymentsClient, PaymentsError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { sqliteStore } from 'payments-client/stores';

const store = sqliteStore(process.env['JOURNAL_FILE'] ?? 'journal.sqlite');
const payments = new PaymentsClient({ journal: createJournal({ store }) });

const [order = '', amount, currency = '', card] = process.argv.slice(2);
try {
  const intent = await payments.paymentIntents.create(
    { amount: Number(amount), currency },
    { operationId: order },
  );
  // An order has one intent, and an intent takes money at most once: two cards cannot both be charged.
  await payments.paymentIntents.confirm(
    intent.id,
    { payment_method: card },
    { operationId: `${order}/${card}` },
  );
  const { status } = await payments.paymentIntents.waitFor(intent.id);
  console.log(`${order}: ${intent.id} ${status}`);
  process.exitCode = status === 'succeeded' ? 0 : 1;
} catch (error) {
  if (!(error instanceof PaymentsError)) throw error;
  const advice = isDecline(error) ? 'choose another card' : error.retryable ? 'run again' : 'look into it';
  console.error(`${order}: ${advice}: ${error.message}`);
  process.exitCode = 1;
}
