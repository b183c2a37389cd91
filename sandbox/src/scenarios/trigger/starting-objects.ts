/** The objects before their events: the one that the caller's `id` names, else a new one with all that it needs. */

import type { Charge, Customer, Invoice, Refund } from 'payments-client';
import { updateRefundedAmount } from '../../domain/payments/refund.ts';
import type { SandboxKind, SandboxObjects } from '../../domain/records/records.ts';
import type { AnyFields, ScenarioRun } from './scenario-run.ts';

/** Starts from an object in the state `before`. */
function start<Kind extends SandboxKind>(
  kind: Kind,
  before: AnyFields,
  suggested: (run: ScenarioRun) => AnyFields = () => ({}),
): (run: ScenarioRun) => SandboxObjects[Kind] {
  return (run) => run.start(kind, before, () => suggested(run));
}

const unpaid = { status: 'open', payment_status: 'unpaid', payment_intent_id: null };
export const openSession = start('checkout_session', unpaid);

export const intent = start('payment_intent', { status: 'requires_payment_method', latest_charge_id: null });

/** Returns the charge of a new payment with the event's amount. */
function paidCharge(run: ScenarioRun): Charge {
  const { objects, ids } = run.state;
  const { amount = 1200, currency = 'USD' } = run.fields;
  const { id } = run.add('payment_intent', { amount, currency });
  run.call('paymentIntents.confirm', id, { payment_method: run.text('payment_method') ?? ids.next('pm') });
  const charge = objects.charge.get(objects.payment_intent.get(id)?.latest_charge_id ?? '');
  if (charge === undefined) throw new Error('sandbox.trigger: the payment behind the event was not created.');
  return charge;
}

export function charge(run: ScenarioRun): Charge {
  return run.existing('charge') ?? paidCharge(run);
}

/** Adds a pending refund of an existing or a new charge. */
export function addRefund(run: ScenarioRun, before: AnyFields = {}): Refund {
  const refunded = run.state.objects.charge.get(run.text('charge_id') ?? '') ?? paidCharge(run);
  const { id: charge_id, intent_id: payment_intent_id, currency } = refunded;
  const amount = refunded.amount - refunded.amount_refunded;
  const refund = run.create('refund', { charge_id, payment_intent_id, currency, amount }, before);
  updateRefundedAmount(run.state, undefined, refund);
  return refund;
}

const pending = { status: 'pending', failure_message: null, settled_at: null, settlement_batch_id: null };

export function refund(run: ScenarioRun): Refund {
  return run.existing('refund') ?? addRefund(run, pending);
}

export function succeededRefund(run: ScenarioRun): Refund {
  const found = refund(run);
  return found.status === 'pending' ? run.change('refund', found.id, { status: 'succeeded' }) : found;
}

function customerId(run: ScenarioRun): string {
  return run.text('customer') ?? run.add('customer').id;
}

/** Returns the totals of an invoice or a credit note. */
function totals(run: ScenarioRun) {
  const tax = run.number('tax') ?? 0;
  const total = run.number('total') ?? (run.number('subtotal') ?? 1200) + tax;
  return { tax, total, subtotal: total - tax };
}

/** Returns the fields of an invoice, with one line for the whole amount. */
function invoiceParts(run: ScenarioRun): AnyFields {
  const money = totals(run);
  const amount = money.subtotal;
  const currency = run.text('currency') ?? 'USD';
  const id = run.state.ids.next('il');
  const line = { id, description: 'Tea', quantity: 1, unit_amount: amount, amount, currency };
  return { customer: customerId(run), ...money, currency, lines: [line] };
}

const open = { status: 'open', amount_paid: 0, attempt_count: 0, payment_intent: null, paid_at: null };

export function invoice(run: ScenarioRun): Invoice {
  const before = { ...open, amount_remaining: totals(run).total, next_payment_attempt_at: null };
  return run.start('invoice', before, () => invoiceParts(run));
}

export function subscriptionParts(run: ScenarioRun): AnyFields {
  const item = { id: run.state.ids.next('si'), price: run.add('price').id, quantity: 1, metadata: {} };
  return { customer: customerId(run), items: [item] };
}

export const subscription = start('subscription', { status: 'incomplete' }, subscriptionParts);

/** Returns the fields of a credit note against a paid invoice of the same amount. */
export function creditNoteParts(run: ScenarioRun): AnyFields {
  const money = totals(run);
  const { subtotal: amount, tax, total } = money;
  const bill =
    run.state.objects.invoice.get(run.text('invoice') ?? '') ??
    run.add('invoice', { ...invoiceParts(run), status: 'paid', amount_paid: total, amount_remaining: 0 });
  const { id, customer, currency } = bill;
  const line = {
    id: run.state.ids.next('cnl'),
    object: 'credit_note_line_item',
    livemode: false,
    type: 'custom_line_item',
    invoice_line_item: bill.lines[0]?.id ?? null,
    description: 'Tea',
    quantity: 1,
    unit_amount: amount,
    amount,
    tax,
  };
  return { ...money, invoice: id, customer, currency, lines: [line] };
}

export const creditNote = start('credit_note', { status: 'issued', voided_at: null }, creditNoteParts);

export const customer = start('customer', { deleted: false });

export function deletedCustomer(run: ScenarioRun): Customer {
  const found = customer(run);
  if (!found.deleted) run.call('customers.delete', found.id);
  return found;
}

const closed = { status: 'closed', reconciliation_status: 'pending', reconciled_at: null };
export const closedBatch = start('terminal_batch', closed);
export const openBatch = start('terminal_batch', { ...closed, status: 'open' });
