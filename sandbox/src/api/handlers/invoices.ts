import type { CreditNote, CreditNoteLine, Invoice, InvoiceLine } from 'payments-client';
import { collect } from '../../domain/billing/invoice.ts';
import { creditedOf } from '../../domain/indexes.ts';
import { defaults } from '../../domain/object-defaults.ts';
import { declinedProblem } from '../../domain/payments/charge-intent.ts';
import { invalidParameter, Problem } from '../../domain/problem.ts';
import { findObject, type State } from '../../domain/state.ts';
import { requireTransition } from '../../domain/transitions.ts';
import { requestSchema } from '../../sdk.ts';
import { type ParametersOf, readClientParameters, requireId } from '../request/parameters.ts';
import { type Call, type Methods, named, type Reading } from './handler.ts';

/** Updates the payment method, and collects the invoice with it at once. */
function updatePaymentMethod(state: State, call: Call): Invoice {
  const invoice = named(state.objects.invoice, call);
  const given = readClientParameters(requestSchema('invoices.updatePaymentMethod'), call.body);
  const payment_method = requireId('payment_method', given.payment_method, 'payment_method');
  requireTransition(invoice, 'invoice.update_payment_method');
  const collected = collect(state, invoice, payment_method);
  if (!collected.paid) throw declinedProblem(payment_method);
  return collected.invoice;
}

export function invoiceHandlers(state: State): Omit<Methods<'invoices'>, keyof Reading> {
  return { updatePaymentMethod: (call) => updatePaymentMethod(state, call) };
}

type LineParameters = NonNullable<ParametersOf<'creditNotes.create'>['lines']>[number];
type UntaxedLine = Omit<CreditNoteLine, 'id' | 'object' | 'livemode' | 'tax'>;

function invoiceLine(invoice: Invoice, id: string | undefined, param: string): InvoiceLine | undefined {
  if (id === undefined) return undefined;
  const line = invoice.lines.find((candidate) => candidate.id === id);
  if (line !== undefined) return line;
  throw new Problem(422, 'OBJECT_NOT_FOUND', `The invoice '${invoice.id}' has no line '${id}'.`, param);
}

/** Returns the amount of a line: its own, else quantity × unit price, else the whole invoice line. */
function amountOf({ amount, quantity, unit_amount }: LineParameters, line: InvoiceLine | undefined) {
  if (amount !== undefined) return amount;
  const price = unit_amount ?? line?.unit_amount;
  if (price !== undefined && quantity !== undefined) return price * quantity;
  return unit_amount ?? line?.amount;
}

function fromParameters(invoice: Invoice, given: LineParameters, index: number): UntaxedLine {
  const path = `lines[${index}]`;
  const line = invoiceLine(invoice, given.invoice_line_item, `${path}.invoice_line_item`);
  const amount = amountOf(given, line);
  if (amount === undefined) throw invalidParameter(`${path}.amount`, `${path}.amount: expected an integer.`);
  return {
    type: given.type ?? 'custom_line_item',
    invoice_line_item: line?.id ?? null,
    description: given.description ?? line?.description ?? '',
    quantity: given.quantity ?? null,
    unit_amount: given.unit_amount ?? null,
    amount,
  };
}

function fromInvoice({ id, description, quantity, unit_amount, amount }: InvoiceLine): UntaxedLine {
  return {
    type: 'custom_line_item',
    invoice_line_item: id,
    description,
    quantity,
    unit_amount,
    amount,
  };
}

/** Returns the invoice's tax on the first part of its subtotal, in whole units. */
function taxUpTo({ tax, subtotal }: Invoice, amount: number): number {
  return subtotal === 0 ? 0 : Math.round((tax * amount) / subtotal);
}

/** Adds each line's share of the invoice's tax. The shares add up to the total exactly. */
function withTax(state: State, invoice: Invoice, lines: readonly UntaxedLine[]): CreditNoteLine[] {
  let before = 0;
  return lines.map((line) => {
    const tax = taxUpTo(invoice, before + line.amount) - taxUpTo(invoice, before);
    before += line.amount;
    const own = { object: 'credit_note_line_item', livemode: false } as const;
    return { id: state.ids.next('cnl'), ...own, ...line, tax };
  });
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns the part of the invoice that no credit note covers yet. */
function creditable(state: State, { id, total }: Invoice): number {
  return total - creditedOf(state, id);
}

function create(state: State, { body }: Call): CreditNote {
  const given = readClientParameters(requestSchema('creditNotes.create'), body);
  if (given.lines?.length === 0)
    throw invalidParameter('lines', 'lines: expected at least one line, got none.');
  const invoice = findObject(state, 'invoice', given.invoice, 'invoice');
  const untaxed =
    given.lines?.map((line, index) => fromParameters(invoice, line, index)) ?? invoice.lines.map(fromInvoice);
  const lines = withTax(state, invoice, untaxed);
  const subtotal = sumOf(lines.map(({ amount }) => amount));
  const tax = sumOf(lines.map((line) => line.tax));
  const left = creditable(state, invoice);
  if (subtotal + tax > left) {
    const message = `Of the invoice '${invoice.id}', ${left} is left to credit.`;
    throw new Problem(422, 'CREDIT_EXCEEDS_INVOICE', message, 'lines');
  }
  const note = defaults.credit_note(state);
  return state.objects.credit_note.add({
    ...note,
    invoice: invoice.id,
    customer: invoice.customer,
    currency: invoice.currency,
    reason: given.reason ?? note.reason,
    subtotal,
    tax,
    total: subtotal + tax,
    memo: given.memo ?? null,
    lines,
    metadata: given.metadata ?? {},
  });
}

function takeBack(state: State, call: Call): CreditNote {
  const note = named(state.objects.credit_note, call);
  requireTransition(note, 'credit_note.void');
  return state.objects.credit_note.replace({ ...note, status: 'void', voided_at: state.clock.seconds() });
}

export function creditNoteHandlers(state: State): Omit<Methods<'creditNotes'>, keyof Reading> {
  return { create: (call) => create(state, call), void: (call) => takeBack(state, call) };
}
