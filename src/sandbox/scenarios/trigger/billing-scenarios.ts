import type { Invoice } from '../../../resources/invoices.ts';
import type { Scenarios } from './scenario.ts';
import type { AnyFields, ScenarioRun } from './scenario-run.ts';

/** Returns the totals of an invoice or a credit note, with one line for the whole amount. */
function sums(run: ScenarioRun): AnyFields {
  const tax = run.number('tax') ?? 0;
  const total = run.number('total') ?? (run.number('subtotal') ?? 1200) + tax;
  return { tax, total, subtotal: total - tax };
}

function customer(run: ScenarioRun): string {
  return run.text('customer') ?? run.add('customer').id;
}

function invoiceSums(run: ScenarioRun): AnyFields {
  const money = sums(run);
  const amount = money['subtotal'];
  const line = {
    id: run.state.ids.next('il'),
    description: 'Tea',
    quantity: 1,
    unit_amount: amount,
    amount,
  };
  const currency = run.text('currency') ?? 'USD';
  return { ...money, currency, lines: [{ ...line, currency }] };
}

function invoice(run: ScenarioRun): Invoice {
  const found = run.existing('invoice');
  if (found !== undefined) return found;
  const money = invoiceSums(run);
  const open = { status: 'open', amount_paid: 0, amount_remaining: money['total'], attempt_count: 0 };
  const { next_payment_attempt_at: _, paid_at: __, payment_intent: ___, ...requested } = run.fields;
  return run.add('invoice', { customer: customer(run), ...money, ...requested, ...open });
}

function collect(run: ScenarioRun, paymentMethod: string): Invoice {
  const before = invoice(run);
  run.call('invoices.updatePaymentMethod', before.id, { payment_method: paymentMethod });
  return before;
}

function subscriptionParts(run: ScenarioRun): AnyFields {
  const item = { id: run.state.ids.next('si'), price: run.add('price').id, quantity: 1, metadata: {} };
  return { customer: customer(run), items: [item] };
}

/** Returns the fields of a credit note against a paid invoice of the same amount. */
function creditNoteParts(run: ScenarioRun): AnyFields {
  const money = invoiceSums(run);
  const paid = { status: 'paid', amount_paid: money['total'], amount_remaining: 0 };
  const bill =
    run.state.objects.invoice.get(run.text('invoice') ?? '') ??
    run.add('invoice', { customer: customer(run), ...money, ...paid });
  const { subtotal: amount, tax } = money;
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
  const { id, customer: owner, currency } = bill;
  return { ...sums(run), invoice: id, customer: owner, currency, lines: [line] };
}

/** Scenarios for invoices, subscriptions and credit notes. */
export const billingScenarios = {
  'invoice.paid': (run) => collect(run, run.text('collection_payment_method_id') ?? run.state.ids.next('pm')),
  'invoice.payment_failed': (run) => collect(run, 'pm_card_declined'),
  'invoice.marked_uncollectible': (run) =>
    run.transition('invoice', invoice(run), 'invoice.marked_uncollectible', { status: 'uncollectible' }),
  'subscription.created': (run) => run.create('subscription', subscriptionParts(run)),
  'subscription.updated': (run) => {
    const before = run.start('subscription', { status: 'incomplete' }, () => subscriptionParts(run));
    return run.transition('subscription', before, 'subscription.updated', { status: 'active' });
  },
  'subscription.canceled': (run) => {
    const before = run.start('subscription', { status: 'incomplete' }, () => subscriptionParts(run));
    run.call('subscriptions.cancel', before.id);
    return before;
  },
  'credit_note.created': (run) => run.create('credit_note', creditNoteParts(run)),
  'credit_note.voided': (run) => {
    const issued = { status: 'issued', voided_at: null };
    const before = run.start('credit_note', issued, () => creditNoteParts(run));
    run.call('creditNotes.void', before.id);
    return before;
  },
} satisfies Scenarios;
