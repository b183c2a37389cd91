/**
 * Exports a whole list as one JSON object per line, and prints the progress: page by page, in constant memory. The file appears
 * only when the list is complete. A missing page is an error, never a silent end.
 *
 * Run it: `npm run example -- export-list`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, EXPORT_FILE.
 */

import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PaymentsClient } from 'payments-client';

const file = process.env['EXPORT_FILE'] ?? 'customers.ndjson';
const payments = new PaymentsClient();

async function* lines(): AsyncGenerator<string> {
  let count = 0;
  for await (const page of payments.customers.list({ limit: 100 }).pages()) {
    for (const customer of page.items) yield `${JSON.stringify(customer)}\n`;
    count += page.items.length;
    console.error(`${count} customers${page.hasMore ? ' so far' : ', and no more'}`);
  }
}

// Only the owner may read the file, because it contains names and addresses.
await pipeline(lines, createWriteStream(`${file}.part`, { mode: 0o600 }));
await rename(`${file}.part`, file);
console.log(`exported to ${file}`);
