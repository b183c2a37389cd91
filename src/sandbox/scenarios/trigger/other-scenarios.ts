import { refuse } from '../../../base/refuse.ts';
import * as s from '../../../base/schema.ts';
import { day } from '../../../base/time.ts';
import { unknownNames } from '../../../base/unknown-names.ts';
import { conforms } from '../../../base/validation.ts';
import type { Customer } from '../../../resources/customers.ts';
import type { TerminalBatch } from '../../../resources/terminal-batches.ts';
import { chargebackSchema } from '../../../webhooks/events/chargeback.ts';
import { postDispute } from '../../domain/ledger/post-dispute.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Scenarios } from './scenario.ts';
import type { AnyFields, ScenarioRun } from './scenario-run.ts';

const closed = { status: 'closed', reconciliation_status: 'pending' };
const unreconciled = { ...closed, reconciled_at: null };

function batch(run: ScenarioRun): TerminalBatch {
  return run.start('terminal_batch', unreconciled);
}

function customer(run: ScenarioRun): Customer {
  return run.start('customer', { deleted: false });
}

/** Returns the counts of a batch with a number of unmatched transactions. */
function counts({ transaction_count }: TerminalBatch, unmatched: number): AnyFields {
  const all = Math.max(transaction_count, unmatched);
  return {
    transaction_count: all,
    matched_item_count: all - unmatched,
    unmatched_item_count: unmatched,
  };
}

/** The deadline to answer a chargeback. The interface does not show it. */
const timeToAnswer = 20 * day;

/** Checks the field names of a chargeback, which no schema of the sandbox does. */
function checkChargeback(fields: AnyFields): void {
  const issues = unknownNames('chargeback', fields, s.fieldNames(chargebackSchema));
  if (issues.length > 0) refuse(issues, 'Correct the fields of the chargeback.');
}

/** Returns the named transaction, else the latest approved one. */
function disputed({ fields, state: { objects } }: ScenarioRun): Transaction | undefined {
  const { transaction_id: id } = fields;
  if (typeof id === 'string') return objects.transaction.get(id);
  return objects.transaction.all().findLast(({ approved }) => approved);
}

/** Returns a chargeback of a transaction's whole captured amount. */
function chargeback(run: ScenarioRun): AnyFields {
  checkChargeback(run.fields);
  const now = run.state.clock.now();
  const transaction = disputed(run);
  return {
    event: 'chargeback.received',
    chargeback_id: run.state.ids.next('cb'),
    transaction_id: transaction?.id ?? run.state.ids.digits(10),
    amount: transaction?.amount ?? '12.00',
    reason_code: '10.4',
    reason: 'other fraud, card absent',
    due_date: new Date(now + timeToAnswer).toISOString().slice(0, 10),
    timestamp: new Date(now).toISOString(),
    ...run.fields,
  };
}

/** Scenarios for customers, terminal batches and chargebacks. */
export const otherScenarios = {
  'customer.created': (run) => run.create('customer'),
  'customer.updated': (run) =>
    run.transition('customer', customer(run), 'customer.updated', { first_name: 'Ada', deleted: false }),
  'customer.deleted': (run) => {
    const before = customer(run);
    run.call('customers.delete', before.id);
    return before;
  },
  'customer.restored': (run) => {
    const before = customer(run);
    if (!before.deleted) run.call('customers.delete', before.id);
    run.call('customers.restore', before.id);
    return before;
  },
  'terminal_batch.closed': (run) => {
    const open = run.start('terminal_batch', { ...unreconciled, status: 'open' });
    const closed_at = run.now;
    return run.transition('terminal_batch', open, 'terminal_batch.closed', { ...closed, closed_at });
  },
  'terminal_batch.reconciled': (run) => {
    const before = batch(run);
    return run.transition('terminal_batch', before, 'terminal_batch.reconciled', {
      reconciliation_status: 'reconciled',
      reconciled_at: run.now,
      ...counts(before, 0),
    });
  },
  'terminal_batch.incomplete': (run) => {
    const before = batch(run);
    return run.transition('terminal_batch', before, 'terminal_batch.incomplete', {
      reconciliation_status: 'incomplete',
      ...counts(before, 1),
    });
  },
  'terminal_batch.needs_attention': (run) =>
    run.transition('terminal_batch', batch(run), 'terminal_batch.needs_attention', {
      reconciliation_status: 'needs_attention',
    }),
  'chargeback.received': (run) => {
    const notification = chargeback(run);
    const event = run.emit('chargeback.received', notification);
    if (conforms(chargebackSchema, notification)) postDispute(run.state, notification);
    return event;
  },
} satisfies Scenarios;
