import type { Invoice } from '../../../resources/invoices.ts';
import type { Plots } from './scenario.ts';
import type { AnyFields, Scene } from './scenario-run.ts';

/** Money that an invoice or a credit note is over: what was asked for, with one line for all of it. */
function sums(scene: Scene): AnyFields {
  const tax = scene.number('tax') ?? 0;
  const total = scene.number('total') ?? (scene.number('subtotal') ?? 1200) + tax;
  return { tax, total, subtotal: total - tax };
}

function customer(scene: Scene): string {
  return scene.text('customer') ?? scene.add('customer').id;
}

function invoiceSums(scene: Scene): AnyFields {
  const money = sums(scene);
  const amount = money['subtotal'];
  const line = {
    id: scene.state.ids.next('il'),
    description: 'Tea',
    quantity: 1,
    unit_amount: amount,
    amount,
  };
  const currency = scene.text('currency') ?? 'USD';
  return { ...money, currency, lines: [{ ...line, currency }] };
}

function invoice(scene: Scene): Invoice {
  const found = scene.existing('invoice');
  if (found !== undefined) return found;
  const money = invoiceSums(scene);
  const open = { status: 'open', amount_paid: 0, amount_remaining: money['total'], attempt_count: 0 };
  const { next_payment_attempt_at: _, paid_at: __, payment_intent: ___, ...asked } = scene.fields;
  return scene.add('invoice', { customer: customer(scene), ...money, ...asked, ...open });
}

function collect(scene: Scene, paymentMethod: string): Invoice {
  const before = invoice(scene);
  scene.call('invoices.updatePaymentMethod', before.id, { payment_method: paymentMethod });
  return before;
}

function subscriptionParts(scene: Scene): AnyFields {
  const item = { id: scene.state.ids.next('si'), price: scene.add('price').id, quantity: 1, metadata: {} };
  return { customer: customer(scene), items: [item] };
}

/** What a credit note is issued against: a paid invoice over the same sum. */
function creditNoteParts(scene: Scene): AnyFields {
  const money = invoiceSums(scene);
  const paid = { status: 'paid', amount_paid: money['total'], amount_remaining: 0 };
  const bill =
    scene.state.objects.invoice.get(scene.text('invoice') ?? '') ??
    scene.add('invoice', { customer: customer(scene), ...money, ...paid });
  const { subtotal: amount, tax } = money;
  const line = {
    id: scene.state.ids.next('cnl'),
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
  return { ...sums(scene), invoice: id, customer: owner, currency, lines: [line] };
}

/** The events of bills, subscriptions and credit notes. */
export const billingPlots = {
  'invoice.paid': (scene) =>
    collect(scene, scene.text('collection_payment_method_id') ?? scene.state.ids.next('pm')),
  'invoice.payment_failed': (scene) => collect(scene, 'pm_card_declined'),
  'invoice.marked_uncollectible': (scene) =>
    scene.move('invoice', invoice(scene), 'invoice.marked_uncollectible', { status: 'uncollectible' }),
  'subscription.created': (scene) => scene.create('subscription', subscriptionParts(scene)),
  'subscription.updated': (scene) => {
    const before = scene.start('subscription', { status: 'incomplete' }, () => subscriptionParts(scene));
    return scene.move('subscription', before, 'subscription.updated', { status: 'active' });
  },
  'subscription.canceled': (scene) => {
    const before = scene.start('subscription', { status: 'incomplete' }, () => subscriptionParts(scene));
    scene.call('subscriptions.cancel', before.id);
    return before;
  },
  'credit_note.created': (scene) => scene.create('credit_note', creditNoteParts(scene)),
  'credit_note.voided': (scene) => {
    const issued = { status: 'issued', voided_at: null };
    const before = scene.start('credit_note', issued, () => creditNoteParts(scene));
    scene.call('creditNotes.void', before.id);
    return before;
  },
} satisfies Plots;
