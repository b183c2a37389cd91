/** What an editor offers at the `|` of a program: every value that a user may choose, and no other. */

import { type StatefulObject, transitions } from '../../src/resources/transitions.ts';

interface Completion {
  readonly what: string;
  readonly program: string;
  readonly offered: readonly string[];
}

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

const sandbox = (code: string) => `import { createSandbox } from 'payments-client-sandbox';\n${code}`;

const ofSandbox: readonly Completion[] = [
  {
    what: 'every kind of fault, of requests and of deliveries',
    program: sandbox("createSandbox().faults.inject({ kind: '|' });"),
    offered: [...requestFaults, ...deliveryFaults],
  },
  {
    what: 'the fields of a fault of requests, and no others',
    program: sandbox("createSandbox().faults.inject({ kind: 'unavailable', | });"),
    offered: ['committed', 'operation', 'probability', 'retryAfter', 'route', 'skip', 'times'],
  },
  {
    what: 'the fields of a fault of deliveries, and no others',
    program: sandbox("createSandbox().faults.inject({ kind: 'delay_delivery', | });"),
    offered: ['by', 'endpoint', 'times', 'types'],
  },
  {
    what: 'every shape of errors',
    program: sandbox("createSandbox({ interface: { errorShape: '|' } });"),
    offered: ['flat', 'html', 'list', 'nested', 'problem', 'text'],
  },
];

const comparison = (type: string, field: string) =>
  `import type { ${type} } from 'payments-client';\ndeclare const it: ${type};\nif (it.${field} === '|') {}`;

const statuses: readonly (readonly [type: string, kind: StatefulObject, inferred: readonly string[]])[] = [
  ['CheckoutSession', 'checkout_session', []],
  ['PaymentIntent', 'payment_intent', ['requires_capture']],
  ['Charge', 'charge', ['failed']],
  ['Refund', 'refund', []],
  ['Invoice', 'invoice', []],
  ['Subscription', 'subscription', ['active', 'ended', 'past_due']],
  ['CreditNote', 'credit_note', []],
];

const ofStatuses = statuses.map(([type, kind, inferred]): Completion => {
  const { field, states } = transitions[kind];
  return {
    what: `every status of a ${type}`,
    program: comparison(type, field),
    offered: [...states, ...inferred],
  };
});

const { field, states } = transitions.terminal_batch;

/** A terminal batch is open or closed; the table of transitions has what follows after it closed. */
const ofBatches: readonly Completion[] = [
  {
    what: 'whether a terminal batch is open',
    program: comparison('TerminalBatch', 'status'),
    offered: ['closed', 'open'],
  },
  {
    what: 'every state of a closed terminal batch',
    program: comparison('TerminalBatch', field),
    offered: states.filter((state) => state !== 'open'),
  },
];

export const completions: readonly Completion[] = [...ofSandbox, ...ofStatuses, ...ofBatches];
