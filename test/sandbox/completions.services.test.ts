/** Editor completions for options of the sandbox. */

import { expect, it } from 'vitest';
import { completionsAt } from '../support/compiler.ts';

const head = "import { createSandbox } from 'payments-client/sandbox';\n";

const requestFaults = [
  'bad_gateway',
  'drop_during',
  'drop_reply',
  'drop_request',
  'hold',
  'idempotency_error',
  'latency',
  'malformed_body',
  'rate_limit',
  'refuse_connection',
  'respond',
  'stall_body',
  'truncate_body',
  'unavailable',
  'webhook_before_reply',
];
const deliveryFaults = [
  'delay_delivery',
  'drop_delivery',
  'duplicate_delivery',
  'forge_delivery',
  'reorder_delivery',
  'tamper_delivery',
];

it('offers every kind of fault, of requests and of deliveries', () => {
  const offered = completionsAt(`${head}createSandbox().faults.inject({ kind: '|' });`);
  expect(offered).toEqual([...requestFaults, ...deliveryFaults].toSorted());
});

it.each([
  ['unavailable', ['committed', 'operation', 'probability', 'retryAfter', 'route', 'skip', 'times']],
  ['delay_delivery', ['by', 'endpoint', 'times', 'types']],
])('offers the fields of a fault of the kind %s, and no others', (kind, fields) => {
  expect(completionsAt(`${head}createSandbox().faults.inject({ kind: '${kind}', | });`)).toEqual(fields);
});

it('offers every shape of errors', () => {
  const offered = completionsAt(`${head}createSandbox({ interface: { errorShape: '|' } });`);
  expect(offered).toEqual(['flat', 'html', 'list', 'nested', 'problem', 'text']);
});
