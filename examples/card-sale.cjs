/**
 * Sells by card over the form endpoint, from CommonJS, at most once whatever crashes. Run it again until the order is paid: it sends
 * nothing while the outcome of an earlier sale is not known, and nothing once the order is paid.
 *
 * In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, PAYMENTS_SECURITY_KEY, SHOP_FILE; then
 * `node card-sale.cjs sell order-1042 1200 tok_…` charges an order of 12.00. After a decline run it with a new token. If the outcome is
 * unknown, look the sale up in the control panel: `node card-sale.cjs resolve order-1042 <its transaction id, or none>`.
 * It exits with 0 only if the order is paid: not after a decline, an unknown outcome or any other error. With 2 the arguments are wrong.
 */

const { DatabaseSync } = require('node:sqlite');
const { PaymentsClient } = require('payments-client');
const { createOrders } = require('payments-client/orders');
const { sqliteStore } = require('payments-client/stores');

const database = new DatabaseSync(process.env.SHOP_FILE ?? 'shop.sqlite', { timeout: 5000 });
database.exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, created INT, price INT, shipped INT)');
const orders = createOrders({
  payments: new PaymentsClient(),
  store: sqliteStore(database),
  account: 'tea-shop',
  saleCurrency: 'usd', // of your account at the form endpoint
  page: (id) => `https://shop.example.com/orders/${id}`, // for hosted checkout, which this shop does not use
  order: (id) => {
    const row = database.prepare('SELECT created, price FROM orders WHERE id = ?').get(id);
    const lines = [{ name: `Order ${id}`, amount: row?.price, quantity: 1 }];
    return row && { createdAt: row.created, currency: 'usd', lines };
  },
  // Ship here, in the same transaction as the record of the payment.
  onPaid: ({ id }) => database.prepare('UPDATE orders SET shipped = 1 WHERE id = ?').run(id),
});

/** CommonJS has no top-level `await`, so all calls are in `async` functions. */
async function sell(id, price, payment_token) {
  const insertion = 'INSERT INTO orders VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING';
  database.prepare(insertion).run(id, Date.now(), Number(price));
  const { total } = await orders.get(id);
  if (total.amount !== Number(price)) throw new RangeError(`expected ${total.amount}, got ${price}.`);
  return orders.sell(id, { payment_token, orderid: id }); // `orderid` is inferred: a person finds the sale by it
}

/** Takes what a person found out about a sale of unknown outcome. */
async function resolve(id, transaction) {
  const { needs } = await orders.get(id);
  const { operation } = needs.find(({ kind }) => kind === 'payment_unknown') ?? {};
  return orders.resolve(id, operation, transaction === 'none' ? null : transaction);
}

const [command, id, value, token] = process.argv.slice(2);
const isSale = command === 'sell' && token;
if (!isSale && !(command === 'resolve' && value)) {
  console.error(
    'Expected: node card-sale.cjs sell <order> <cents> <token> | resolve <order> <transaction | none>',
  );
  process.exit(2);
}
process.exitCode = 1;
(isSale ? sell(id, value, token) : resolve(id, value)).then(
  ({ state }) => {
    console.log(`${id}: ${state}`);
    if (state === 'paid') process.exitCode = 0;
  },
  (error) => console.error(`${id}: ${error.message}`),
);
