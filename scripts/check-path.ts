/**
 * Walks the code of a successful call: counts the files of `src/` with a function that runs between the call and its value, helpers
 * included, and finds the files that it enters twice, one call inside another. Fails above the limits of the design.
 */

import { createServer } from 'node:http';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { customer, refund } from '../test/support/fixtures.ts';

const root = fileURLToPath(new URL('../src/', import.meta.url));
const report = 'globalThis.reportEntry()';

/** The files that run, and the ways in which one is entered again. */
let files = new Set<string>();
let reentries = new Set<string>();

/** Returns the files on the stack, the newest first, also those that wait for the code that runs. */
function filesOnStack(): string[] {
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, filesOnStack);
  const paths = [...(trace.stack ?? '').matchAll(/file:\/\/(\/[^):]+\.ts)/g)].map(([, path = '']) => path);
  const own = paths.filter((path) => path.startsWith(root)).map((path) => relative(root, path));
  return own.filter((path, index) => path !== own[index - 1]);
}

Error.stackTraceLimit = 500;
Reflect.set(globalThis, 'reportEntry', () => {
  const [file = '', ...callers] = filesOnStack();
  files.add(file);
  const before = callers.indexOf(file);
  if (before >= 0) reentries.add([file, ...callers.slice(0, before + 1)].join(' ← '));
});

/** Makes each function of a program report that it begins. */
function instrument(source: string): string {
  const insertions: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const { body } = node;
    if (ts.isBlock(body)) insertions.push({ at: body.getStart() + 1, text: `${report};` });
    else insertions.push({ at: body.getStart(), text: `(${report},` }, { at: body.end, text: ')' });
  };
  visit(ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest, true));
  return insertions
    .sort((one, other) => other.at - one.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const isOwn = url.startsWith('file:') && fileURLToPath(url).startsWith(root);
    return isOwn ? { ...loaded, source: instrument(String(loaded.source)) } : loaded;
  },
});

const { PaymentsClient } = await import('../src/index.node.ts');

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

const paths = [
  {
    name: 'refunds.create',
    limit: 16,
    work: () => payments.refunds.create({ payment_intent_id: 'pi_1' }, { operationId: 'return-77' }),
  },
  {
    name: 'a page of customers.list',
    limit: 17,
    work: async () => {
      for await (const _ of payments.customers.list({ limit: 2 }));
    },
  },
];

for (const { name, limit, work } of paths) {
  // The first run opens the connection and fills the caches.
  await work();
  files = new Set();
  reentries = new Set();
  await work();
  console.log(`${name}: ${files.size} files (at most ${limit})\n  ${[...files].sort().join('\n  ')}`);
  console.log(`  entered again: ${[...reentries].join('; ') || 'none'}`);
  if (files.size > limit || reentries.size > 0) process.exitCode = 1;
}
server.closeAllConnections();
server.close();
