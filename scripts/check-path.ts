/**
 * Counts the files of `src/` that a successful call runs through: those with a function that runs between the call and
 * its value, helpers included. Fails above the limit of the design. Coverage tools count lines, over a whole run: this
 * counts files, for one call.
 */

import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PaymentsClient } from '../src/index.node.ts';
import { customer, refund } from '../test/support/fixtures.ts';

const root = fileURLToPath(new URL('../src/', import.meta.url));

const server = createServer((request, response) => {
  request.resume();
  const page = {
    data: [customer, { ...customer, id: `${customer.id}_2` }],
    has_more: false,
    next_cursor: null,
  };
  response.end(JSON.stringify(request.method === 'GET' ? page : refund));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;
const payments = new PaymentsClient({ baseUrl: `http://127.0.0.1:${port}`, secretKey: 'sk_v1_test_path' });

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Returns the files of `src/` that run during some work. */
async function filesOf(work: () => Promise<unknown>): Promise<string[]> {
  // The first run opens the connection and fills the caches.
  await work();
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(
      ({ url, functions }) => url.startsWith('file:') && functions.some(({ ranges: [own] }) => own?.count),
    )
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter((path) => !path.startsWith('..'))
    .sort();
}

const paths = [
  {
    name: 'refunds.create',
    limit: 16,
    files: await filesOf(() =>
      payments.refunds.create({ payment_intent_id: 'pi_1' }, { operationId: 'return-77' }),
    ),
  },
  {
    name: 'a page of customers.list',
    limit: 18,
    files: await filesOf(async () => {
      for await (const _ of payments.customers.list({ limit: 2 }));
    }),
  },
];

for (const { name, limit, files } of paths) {
  console.log(`${name}: ${files.length} files (at most ${limit})\n  ${files.join('\n  ')}`);
  if (files.length > limit) process.exitCode = 1;
}
session.disconnect();
server.closeAllConnections();
server.close();
