/** Reads a whole list, and prints the most bytes that were in use after a collection. */

import { PaymentsClient } from 'payments-client';

const { gc } = globalThis;
if (gc === undefined) throw new Error('Run it with --expose-gc.');
const payments = new PaymentsClient({ baseUrl: process.argv[2] ?? '', secretKey: 'sk_v1_test_bench' });

let count = 0;
let peak = 0;
for await (const _ of payments.customers.list({ limit: 100 })) {
  count += 1;
  // In the second half of a page, when the next page is prefetched.
  if (count % 10_000 !== 75) continue;
  gc();
  peak = Math.max(peak, process.memoryUsage().heapUsed);
}
process.stdout.write(String(peak));
