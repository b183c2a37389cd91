/**
 * Sells by card over the form endpoint, from CommonJS, at most once whatever crashes. Run it again with the same arguments:
 * after a recorded reply it prints that again, and sends nothing. So store the arguments with the order before the first run.
 *
 * In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, PAYMENTS_SECURITY_KEY, JOURNAL_FILE; then
 * `node card-sale.cjs order-1042 12.00 tok_…`. After a decline, a new sale has a new id and a new token: `order-1042/2`.
 * It exits with 0 only if the sale is approved: not after a decline, an unknown outcome or any other error.
 */

const { PaymentsClient, PaymentsError } = require('payments-client');
const { createJournal } = require('payments-client/journal');
const { sqliteStore } = require('payments-client/stores');

const store = sqliteStore(process.env.JOURNAL_FILE ?? 'journal.sqlite');
const payments = new PaymentsClient({ journal: createJournal({ store, account: 'shop-1' }) }); // a name for your merchant account

/** CommonJS has no top-level `await`, so all calls are in an `async` function. */
async function sell(order, amount, payment_token) {
  const fields = { amount, payment_token, orderid: order }; // `orderid` is inferred: a person finds the sale by it
  const sale = await payments.transact.sale(fields, { operationId: order });
  console.log(`${order}: ${sale.approved ? `paid, transaction ${sale.transactionid}` : 'declined'}`);
  process.exitCode = sale.approved ? 0 : 1;
}

const [order, amount, token] = process.argv.slice(2);
sell(order, amount, token).catch((error) => {
  if (!(error instanceof PaymentsError)) throw error;
  // With the outcome `unknown` the order stays open: look the sale up, and `settle` it.
  console.error(`${order}: ${error.outcome}: ${error.message}`);
  process.exitCode = 1;
});
