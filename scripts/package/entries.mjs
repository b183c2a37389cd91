/** What an entry loads: no module of Node, no OpenTelemetry, and the browser entry nothing at all. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

const read = (entry) => readFileSync(new URL(import.meta.resolve(entry)), 'utf8');
assert.doesNotMatch(read('payments-client/browser'), /\bimport\b|\brequire\(/);
const react = read('payments-client/react');
assert.match(react, /^["']use client["']/);
assert.match(react, /from ?["']payments-client\/browser["']/);

const dist = new URL('.', import.meta.resolve('payments-client'));
const files = readdirSync(dist, { recursive: true }).filter((file) => /\.c?js$/.test(file));
const users = files.filter((file) => /["']@opentelemetry\//.test(readFileSync(new URL(file, dist), 'utf8')));
assert.deepEqual(users.sort(), ['opentelemetry/index.cjs', 'opentelemetry/index.js']);
await assert.rejects(import('payments-client/opentelemetry'), /@opentelemetry\/api/);

for (const entry of [
  'payments-client',
  'payments-client/webhooks',
  'payments-client/journal',
  'payments-client/orders',
  'payments-client/stores',
  'payments-client/fraud',
]) {
  const visited = new Set();
  const visit = (url) => {
    if (visited.has(url.href)) return;
    visited.add(url.href);
    const code = readFileSync(url, 'utf8');
    assert.doesNotMatch(code, /(?:from|import) ?\(?["']node:|require\(["']node:/, entry);
    for (const [, path] of code.matchAll(/(?:from|import) ?\(?["'](\.[^"']+)["']/g))
      visit(new URL(path, url));
  };
  // The variant for other runtimes is next to Node's own.
  visit(new URL(import.meta.resolve(entry).replace('/index.node.js', '/index.js')));
  assert(visited.size > 1);
}
