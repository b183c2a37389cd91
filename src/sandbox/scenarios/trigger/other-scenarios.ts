import { day } from '../../../base/time.ts';
import type { Customer } from '../../../resources/customers.ts';
import type { TerminalBatch } from '../../../resources/terminal-batches.ts';
import type { Plots } from './scenario.ts';
import type { AnyFields, Scene } from './scenario-run.ts';

const closed = { status: 'closed', reconciliation_status: 'pending' };
const unreconciled = { ...closed, reconciled_at: null };

function batch(scene: Scene): TerminalBatch {
  return scene.start('terminal_batch', unreconciled);
}

function customer(scene: Scene): Customer {
  return scene.start('customer', { deleted: false });
}

/** What a batch counts when all or all but one of its transactions are matched. */
function counts({ transaction_count }: TerminalBatch, unmatched: number): AnyFields {
  const all = Math.max(transaction_count, unmatched);
  return {
    transaction_count: all,
    matched_item_count: all - unmatched,
    unmatched_item_count: unmatched,
  };
}

/** A snapshot of the Connect lifecycle: the first version of its own sequence. */
function first(scope: 'account' | 'connection'): AnyFields {
  return { version: 1, version_scope: scope };
}

function connectionParts(scene: Scene): AnyFields {
  return {
    ...first('connection'),
    account: scene.text('account') ?? scene.add('account', first('account')).id,
  };
}

/** How long there is to answer a chargeback. The interface does not show it. */
const timeToAnswer = 20 * day;

/** A chargeback of the newest approved transaction, where there is one. */
function chargeback(scene: Scene): AnyFields {
  const now = scene.state.clock.now();
  const transaction = scene.state.objects.transaction.all().at(-1);
  return {
    event: 'chargeback.received',
    chargeback_id: scene.state.ids.next('cb'),
    transaction_id: transaction?.id ?? scene.state.ids.digits(10),
    amount: '12.00',
    reason_code: '10.4',
    reason: 'other fraud, card absent',
    due_date: new Date(now + timeToAnswer).toISOString().slice(0, 10),
    timestamp: new Date(now).toISOString(),
    ...scene.fields,
  };
}

/** The events of customers, terminal batches, the Connect lifecycle and chargebacks. */
export const otherPlots = {
  'customer.created': (scene) => scene.create('customer'),
  'customer.updated': (scene) =>
    scene.move('customer', customer(scene), 'customer.updated', { first_name: 'Ada', deleted: false }),
  'customer.deleted': (scene) => {
    const before = customer(scene);
    scene.call('customers.delete', before.id);
    return before;
  },
  'customer.restored': (scene) => {
    const before = customer(scene);
    if (!before.deleted) scene.call('customers.delete', before.id);
    scene.call('customers.restore', before.id);
    return before;
  },
  'terminal_batch.closed': (scene) => {
    const open = scene.start('terminal_batch', { ...unreconciled, status: 'open' });
    const closed_at = scene.now;
    return scene.move('terminal_batch', open, 'terminal_batch.closed', { ...closed, closed_at });
  },
  'terminal_batch.reconciled': (scene) => {
    const before = batch(scene);
    return scene.move('terminal_batch', before, 'terminal_batch.reconciled', {
      reconciliation_status: 'reconciled',
      reconciled_at: scene.now,
      ...counts(before, 0),
    });
  },
  'terminal_batch.incomplete': (scene) => {
    const before = batch(scene);
    return scene.move('terminal_batch', before, 'terminal_batch.incomplete', {
      reconciliation_status: 'incomplete',
      ...counts(before, 1),
    });
  },
  'terminal_batch.needs_attention': (scene) =>
    scene.move('terminal_batch', batch(scene), 'terminal_batch.needs_attention', {
      reconciliation_status: 'needs_attention',
    }),
  'account.created': (scene) => {
    const account = scene.create('account', first('account'));
    scene.tell('account.created', account);
    return account;
  },
  'connection.created': (scene) => {
    const connection = scene.create('connection', { ...connectionParts(scene), status: 'active' });
    scene.tell('connection.created', connection);
    return connection;
  },
  'connection.activated': (scene) => {
    const suspended = { status: 'suspended', version: 1 };
    const { id, version } = scene.start('connection', suspended, () => connectionParts(scene));
    const next = typeof version === 'number' ? version + 1 : 1;
    const active = scene.change('connection', id, { status: 'active', version: next, ...scene.fields });
    scene.tell('connection.activated', active);
    return active;
  },
  'chargeback.received': (scene) => scene.tell('chargeback.received', chargeback(scene)),
} satisfies Plots;
