import type { Invoice } from '../../../resources/invoices.ts';
import type { State } from '../state.ts';
import { collect } from './collect-invoice.ts';

/**
 * Returns when an invoice is collected, in milliseconds: first when it is final, then by the dunning schedule. An
 * invoice without a payment method waits for one.
 */
export function invoiceDueAt(invoice: Invoice): number | undefined {
  if (invoice.status !== 'open' || invoice.collection_method !== 'charge_automatically') return undefined;
  if (typeof invoice.collection_payment_method_id !== 'string') return undefined;
  const first = invoice.attempt_count === 0 ? invoice.finalized_at : undefined;
  const seconds = invoice.next_payment_attempt_at ?? first;
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Collects a due invoice. */
export function collectDueInvoice(state: State, invoice: Invoice): void {
  const method = invoice.collection_payment_method_id;
  if (typeof method !== 'string') return;
  const isRenewal = state.objects.subscription_invoice.get(invoice.id)?.renewal === true;
  collect(state, invoice, method, isRenewal ? 'renewal' : 'first');
}
