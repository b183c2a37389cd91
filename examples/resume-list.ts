/**
 * Copies a long list into a database page by page, and resumes after an interruption: each page is stored in one transaction with
 * the cursor of the next page.
 *
 * Run it: `npm run example -- resume-list`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, COPY_FILE.
 */

import { DatabaseSync } from 'node:sqlite';
import { type Customer, type Page, PaymentsClient } from 'payments-client';

const payments = new PaymentsClient();
const database = new DatabaseSync(process.env['COPY_FILE'] ?? 'customers.sqlite', { timeout: 5000 });
database.exec(`
  CREATE TABLE IF NOT EXISTS customers (id TEXT PRIMARY KEY, email TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS progress (list TEXT PRIMARY KEY, cursor TEXT NOT NULL)`);

function storedCursor(): string | undefined {
  const row = database.prepare("SELECT cursor FROM progress WHERE list = 'customers'").get();
  return row === undefined ? undefined : String(row['cursor']);
}

/** The last page has no next cursor, so the next run begins with the newest customer again. */
function storeCursor(cursor: string | undefined): void {
  database.prepare("DELETE FROM progress WHERE list = 'customers'").run();
  if (cursor === undefined) return;
  database.prepare("INSERT INTO progress (list, cursor) VALUES ('customers', ?)").run(cursor);
}

function store(page: Page<Customer>): void {
  const insert = database.prepare('INSERT OR REPLACE INTO customers (id, email) VALUES (?, ?)');
  database.exec('BEGIN');
  for (const { id, email } of page.items) insert.run(id, email);
  storeCursor(page.nextCursor);
  // A crash before this line loses the page and its cursor together, so the next run requests the page again.
  database.exec('COMMIT');
}

const cursor = storedCursor();
console.log(cursor === undefined ? 'from the beginning' : `on after ${cursor}`);
const list = payments.customers.list({ limit: 100, starting_after: cursor });
for await (const page of list.pages()) {
  store(page);
  console.log(`${page.items.length} more`);
}
const total = database.prepare('SELECT count(*) AS total FROM customers').get()?.['total'];
console.log(`complete: ${total} customers`);
