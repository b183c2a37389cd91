/** Reaches inside: compares the list with the requests of a real probe. */

import { createSandbox, type SandboxOptions } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { listRequests } from '../../src/probe/dry-run.ts';
import type { Need } from '../../src/probe/finding.ts';
import type { Question } from '../../src/probe/question.ts';
import { methodOf, targetOf } from '../../src/probe/sender.ts';
import { askSandbox, everything, probeBy } from './support.ts';

const reads: ReadonlySet<Need> = new Set();

/** Formats a request without generated ids, limits between two tested ones, and the text in brackets. */
function shape(request: string): string {
  return request
    .replace(/ \(.*\)$/, '')
    .replace(/\/(?:ID-[A-Z-]+|[a-z]+_[\dA-Za-z]{4,}|[a-z_]*[a-z]_(?=[\da-f]*\d)[\da-f]+)(?=\/|$)/g, '/ID')
    .replace(/limit=\d+/, 'limit=N');
}

const textOf = (question: Question) => `${methodOf(question)} ${targetOf(question)}`;

test.each<[string, SandboxOptions, boolean]>([
  ['as inferred and empty', {}, false],
  ['as inferred and full', {}, true],
  [
    'otherwise',
    { interface: { maxLimit: 30, routes: { 'customers.update': 'PUT /v1/customers/{id}' } } },
    true,
  ],
])('lists every request that is sent to a service %s', async (_, options, seed) => {
  const sandbox = createSandbox(options);
  if (seed) sandbox.seed();
  const sent: string[] = [];
  const ask = askSandbox(sandbox);
  await probeBy((question) => {
    sent.push(textOf(question));
    return ask(question);
  });
  const listed = new Set((await listRequests(everything)).map(shape));
  expect(sent.length).toBeGreaterThan(80);
  expect(sent.map(shape).filter((request) => !listed.has(request))).toEqual([]);
  await sandbox.close();
});

test('lists only reads by default', async () => {
  const requests = await listRequests(reads);
  expect(requests.length).toBeGreaterThan(80);
  expect(requests.filter((request) => !request.startsWith('GET /v1/'))).toEqual([]);
});

test('explains for each other request why it changes nothing', async () => {
  const others = (await listRequests(everything)).filter((request) => !request.startsWith('GET '));
  expect(
    others.filter(
      (request) =>
        !/\((?:.*300 characters.*|half a JSON object|an unknown id|a test object|.*no card.*)\)$/.test(
          request,
        ),
    ),
  ).toEqual([]);
});
