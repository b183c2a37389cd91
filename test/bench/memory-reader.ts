/** A process that reads a whole list, and prints the most that was in use after a collection, in bytes. */

import { PaymentsClient } from 'payments-client';

const [baseUrl = ''] = process.argv.slice(2);
const payments = new PaymentsClient({ baseUrl, secretKey: 'sk_v1_test_bench' });
const { gc } = globalThis;
if (gc === undefined) throw new Error('Run it with --expose-gc.');

let count = 0;
let peak = 0;
for await (const _ of payments.customers.list({ limit: 100 })) {
  count += 1;
  // In the middle of a page, when the next one is on its way.
  if (count % 10_000 !== 75) continue;
  gc();
  peak = Math.max(peak, process.memoryUsage().heapUsed);
}
process.stdout.write(String(peak));
