import * as z from 'zod/mini';
import type { Invoice } from '../../resources/invoices.ts';
import type { PaymentIntent } from '../../resources/payment-intents.ts';
import { declinedProblem, fail, isDeclined, take } from '../attempt.ts';
import { defaults } from '../defaults.ts';
import { requireMove } from '../moves.ts';
import { idOf, readParameters } from '../parameters.ts';
import type { State } from '../state.ts';
import { type Call, type Methods, named } from './handler.ts';
import type { Reading } from './reading.ts';

const parameters = z.object({ payment_method: idOf('payment_method') }, 'expected a JSON object');

/** How long a declined collection waits for its next attempt, in seconds. The interface does not show it. */
const secondsToNextAttempt = 24 * 60 * 60;

function addIntent(state: State, { amount_remaining, currency, customer }: Invoice): PaymentIntent {
  const intent = { ...defaults.payment_intent(state), amount: amount_remaining, currency, customer };
  return state.objects.payment_intent.add(intent);
}

/** The invoice after one more attempt to collect it. */
function attempted(state: State, invoice: Invoice): Invoice {
  return { ...invoice, attempt_count: invoice.attempt_count + 1, updated_at: state.clock.seconds() };
}

function paid(state: State, invoice: Invoice, intent: PaymentIntent): Invoice {
  // The time of the next attempt is there only while one is planned.
  const { next_payment_attempt_at: _, ...rest } = attempted(state, invoice);
  return {
    ...rest,
    status: 'paid',
    amount_paid: invoice.amount_paid + intent.amount,
    amount_remaining: 0,
    paid_at: rest.updated_at,
    payment_intent: intent.id,
    ...(intent.payment_method !== null && { collection_payment_method_id: intent.payment_method }),
  };
}

function declined(state: State, invoice: Invoice): Invoice {
  const next_payment_attempt_at = state.clock.seconds() + secondsToNextAttempt;
  return { ...attempted(state, invoice), next_payment_attempt_at };
}

/** The invoice is collected at once with the new payment method. */
function updatePaymentMethod(state: State, call: Call): Invoice {
  const invoice = named(state.objects.invoice, call);
  const { payment_method } = readParameters(parameters, call.body);
  requireMove(invoice, 'invoice.update_payment_method');
  const intent = addIntent(state, invoice);
  if (isDeclined(payment_method)) {
    fail(state, intent, payment_method);
    state.objects.invoice.replace(declined(state, invoice));
    throw declinedProblem();
  }
  return state.objects.invoice.replace(paid(state, invoice, take(state, intent, payment_method)));
}

/** What `/v1/invoices` does besides reading. */
export function invoiceHandlers(state: State): Omit<Methods<'invoices'>, keyof Reading> {
  return { updatePaymentMethod: (call) => updatePaymentMethod(state, call) };
}
