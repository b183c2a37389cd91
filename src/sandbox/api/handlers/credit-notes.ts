import * as s from '../../../base/schema.ts';
import type { CreditNote, CreditNoteLine } from '../../../resources/credit-notes.ts';
import type { Invoice, InvoiceLine } from '../../../resources/invoices.ts';
import { openEnum } from '../../../resources/open-values.ts';
import { creditedOf } from '../../domain/billing/credited-amount.ts';
import { findObject } from '../../domain/find-object.ts';
import { defaults } from '../../domain/object-defaults.ts';
import { invalidParameter, Problem } from '../../domain/problem.ts';
import type { State } from '../../domain/state.ts';
import { requireTransition } from '../../domain/transitions.ts';
import { integerFrom, metadata, optional, readParameters, several, text } from '../request/parameters.ts';
import { type Call, type Methods, named } from './handler.ts';
import type { Reading } from './list-and-retrieve.ts';

const lineParameters = s.object({
  type: optional(openEnum<CreditNoteLine['type']>(text())),
  invoice_line_item: optional(text()),
  description: optional(text()),
  quantity: optional(integerFrom(1)),
  unit_amount: optional(integerFrom(0)),
  amount: optional(integerFrom(0)),
});

const createParameters = s.object({
  invoice: text(),
  lines: optional(several(lineParameters, 'at least one line')),
  reason: optional(openEnum<CreditNote['reason']>(text())),
  memo: optional(text()),
  metadata: metadata(),
});

type LineParameters = s.TypeOf<typeof lineParameters>;
/** A line before its tax. */
type UntaxedLine = Omit<CreditNoteLine, 'id' | 'object' | 'livemode' | 'tax'>;

function invoiceLine(
  invoice: Invoice,
  id: string | null | undefined,
  param: string,
): InvoiceLine | undefined {
  if (id === null || id === undefined) return undefined;
  const line = invoice.lines.find((candidate) => candidate.id === id);
  if (line !== undefined) return line;
  throw new Problem(422, 'OBJECT_NOT_FOUND', `The invoice '${invoice.id}' has no line '${id}'.`, param);
}

/** Returns the amount of a line: its own, else quantity × unit price, else the whole invoice line. */
function amountOf({ amount, quantity, unit_amount }: LineParameters, line: InvoiceLine | undefined) {
  if (amount !== null && amount !== undefined) return amount;
  const price = unit_amount ?? line?.unit_amount;
  if (typeof price === 'number' && typeof quantity === 'number') return price * quantity;
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
  const given = readParameters(createParameters, body);
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

/** The write methods of `/v1/credit_notes`. */
export function creditNoteHandlers(state: State): Omit<Methods<'creditNotes'>, keyof Reading> {
  return { create: (call) => create(state, call), void: (call) => takeBack(state, call) };
}
