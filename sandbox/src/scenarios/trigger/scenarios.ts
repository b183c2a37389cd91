import type { Charge, PaymentIntent, Refund, RouteName, TerminalBatch } from 'payments-client';
import type { WebhookEventType } from 'payments-client/webhooks';
import type { StatefulObject } from '../../base/interface-types.ts';
import { pay } from '../../domain/payments/pay.ts';
import type { SandboxKind, SandboxObjects } from '../../domain/records/records.ts';
import { chargeback } from './chargeback-notification.ts';
import {
  activatedConnection,
  emitConnect,
  newAccount,
  newConnection,
  updatedAccount,
} from './connect-objects.ts';
import type { AnyFields, ScenarioRun } from './scenario-run.ts';
import * as start from './starting-objects.ts';

/** Makes the state change behind an event. Returns the event's object. */
export type Scenario = (run: ScenarioRun) => { readonly id: string };

/** A client's request for an object emits the event. */
function requests(
  route: RouteName,
  from: Scenario,
  body: (run: ScenarioRun) => AnyFields = () => ({}),
): Scenario {
  return (run) => {
    const object = from(run);
    run.call(route, object.id, body(run));
    return object;
  };
}

/** A transition of an object, which no request makes, emits the event. */
function changes<Kind extends SandboxKind & StatefulObject>(
  kind: Kind,
  from: (run: ScenarioRun) => SandboxObjects[Kind],
  after: (run: ScenarioRun, before: SandboxObjects[Kind]) => AnyFields,
): Scenario {
  return (run) => {
    const object = from(run);
    return run.transition(kind, object, after(run, object));
  };
}

/** Confirms an intent, and captures it if its capture is manual. */
function confirm(run: ScenarioRun, { id, status }: PaymentIntent, payment_method: string): void {
  if (status !== 'requires_capture') run.call('paymentIntents.confirm', id, { payment_method });
  const after = run.state.objects.payment_intent.get(id);
  if (after?.status === 'requires_capture') run.call('paymentIntents.capture', id);
}

/** Requires that a charge or refund is not settled yet, and returns its settlement fields. */
function settlement(run: ScenarioRun, { id, settled_at }: Charge | Refund): AnyFields {
  if (settled_at !== null) throw new Error(`sandbox.trigger: '${id}' is settled already.`);
  return { settled_at: run.now, settlement_batch_id: run.add('terminal_batch').id };
}

/** Returns the counts of a batch with a number of unmatched transactions. */
function counts({ transaction_count }: TerminalBatch, unmatched: number): AnyFields {
  const all = Math.max(transaction_count, unmatched);
  return { transaction_count: all, matched_item_count: all - unmatched, unmatched_item_count: unmatched };
}

const declined = () => ({ payment_method: 'pm_card_declined' });

/** How each event comes about. A missing one does not compile. */
export const scenarios: { readonly [Type in WebhookEventType]: Scenario } = {
  'checkout.session.created': (run) => run.create('checkout_session'),
  'checkout.session.completed': (run) => {
    const session = start.openSession(run);
    pay(run.state, session.id);
    return session;
  },
  'checkout.session.expired': requests('checkoutSessions.expire', start.openSession),

  'payment_intent.created': (run) =>
    run.add('payment_intent', { ...run.fields, status: 'requires_payment_method' }),
  'payment_intent.requires_action': (run) => {
    const after = run.transition('payment_intent', start.intent(run), { status: 'requires_action' });
    run.emit(after);
    return after;
  },
  'payment_intent.succeeded': (run) => {
    const intent = start.intent(run);
    confirm(run, intent, run.text('payment_method') ?? intent.payment_method ?? run.state.ids.next('pm'));
    return intent;
  },
  'payment_intent.payment_failed': requests('paymentIntents.confirm', start.intent, declined),
  'payment_intent.canceled': requests('paymentIntents.cancel', start.intent),

  'charge.settled': changes('charge', start.charge, settlement),

  'refund.created': (run) => start.addRefund(run),
  'refund.succeeded': changes('refund', start.refund, () => ({ status: 'succeeded' })),
  'refund.failed': changes('refund', start.refund, () => ({
    status: 'failed',
    failure_message: 'already_refunded',
  })),
  'refund.settled': changes('refund', start.succeededRefund, settlement),

  'invoice.paid': requests('invoices.updatePaymentMethod', start.invoice, (run) => ({
    payment_method: run.text('collection_payment_method_id') ?? run.state.ids.next('pm'),
  })),
  'invoice.payment_failed': requests('invoices.updatePaymentMethod', start.invoice, declined),
  'invoice.marked_uncollectible': changes('invoice', start.invoice, () => ({ status: 'uncollectible' })),

  'subscription.created': (run) => run.create('subscription', start.subscriptionParts(run)),
  'subscription.updated': changes('subscription', start.subscription, () => ({ status: 'active' })),
  'subscription.canceled': requests('subscriptions.cancel', start.subscription),

  'credit_note.created': (run) => run.create('credit_note', start.creditNoteParts(run)),
  'credit_note.voided': requests('creditNotes.void', start.creditNote),

  'customer.created': (run) => run.create('customer'),
  'customer.updated': changes('customer', start.customer, () => ({ first_name: 'Ada', deleted: false })),
  'customer.deleted': requests('customers.delete', start.customer),
  'customer.restored': requests('customers.restore', start.deletedCustomer),

  'terminal_batch.closed': changes('terminal_batch', start.openBatch, ({ now }) => ({
    status: 'closed',
    reconciliation_status: 'pending',
    closed_at: now,
  })),
  'terminal_batch.reconciled': changes('terminal_batch', start.closedBatch, ({ now }, batch) => ({
    reconciliation_status: 'reconciled',
    reconciled_at: now,
    ...counts(batch, 0),
  })),
  'terminal_batch.incomplete': changes('terminal_batch', start.closedBatch, (_, batch) => ({
    reconciliation_status: 'incomplete',
    reconciled_at: null,
    ...counts(batch, 1),
  })),
  'terminal_batch.needs_attention': changes('terminal_batch', start.closedBatch, () => ({
    reconciliation_status: 'needs_attention',
    reconciled_at: null,
  })),

  'account.created': (run) => emitConnect(run, newAccount(run)),
  'account.updated': (run) => emitConnect(run, updatedAccount(run)),
  'connection.created': (run) => emitConnect(run, newConnection(run)),
  'connection.activated': (run) => emitConnect(run, activatedConnection(run)),
  'chargeback.received': chargeback,
};
