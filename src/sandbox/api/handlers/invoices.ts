import * as s from '../../../base/schema.ts';
import type { Invoice } from '../../../resources/invoices.ts';
import { collect } from '../../domain/billing/collect-invoice.ts';
import { declinedProblem } from '../../domain/payments/charge-intent.ts';
import type { State } from '../../domain/state.ts';
import { requireTransition } from '../../domain/transitions.ts';
import { idOf, readParameters } from '../request/parameters.ts';
import { type Call, type Methods, named } from './handler.ts';
import type { Reading } from './list-and-retrieve.ts';

const parameters = s.object({ payment_method: idOf('payment_method') });

/** Updates the payment method, and collects the invoice with it at once. */
function updatePaymentMethod(state: State, call: Call): Invoice {
  const invoice = named(state.objects.invoice, call);
  const { payment_method } = readParameters(parameters, call.body);
  requireTransition(invoice, 'invoice.update_payment_method');
  const collected = collect(state, invoice, payment_method);
  if (!collected.paid) throw declinedProblem(payment_method);
  return collected.invoice;
}

/** The write methods of `/v1/invoices`. */
export function invoiceHandlers(state: State): Omit<Methods<'invoices'>, keyof Reading> {
  return { updatePaymentMethod: (call) => updatePaymentMethod(state, call) };
}
