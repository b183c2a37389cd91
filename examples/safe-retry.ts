/**
 * Makes a single call once, whatever crashes: a journal records it before it is sent, and its result. Here it starts a subscription. Run it
 * again with the same arguments after any error. For orders use `createOrders`, as `tea-shop.mjs` does.
 *
 * Run it: `npm run example -- safe-retry`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, JOURNAL_FILE; then
 * `node safe-retry.ts signup-7 cus_… price_…`. It exits with 0 once the subscription exists. `subscriptions.ts` follows whether it is paid.
 */

import { PaymentsClient, PaymentsError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { sqliteStore } from 'payments-client/stores';

const store = sqliteStore(process.env['JOURNAL_FILE'] ?? 'journal.sqlite');
const payments = new PaymentsClient({ journal: createJournal({ store }) });

const [operationId = '', customer = '', price = ''] = process.argv.slice(2);
try {
  const { id, status } = await payments.subscriptions.create(
    { customer, items: [{ price }], collection_method: 'charge_automatically' },
    { operationId },
  );
  console.log(`${operationId}: ${id} ${status}`);
} catch (error) {
  if (!(error instanceof PaymentsError)) throw error;
  console.error(`${operationId}: ${error.retryable ? 'run again' : 'look into it'}: ${error.message}`);
  process.exitCode = 1;
}
