/** What transactions of the form endpoint have in common: their amounts, and their places in a journal. */

import { InvalidRequestError, refuseValue } from '../../base/errors.ts';
import { digitsOf } from '../../money/currencies.ts';
import { toDecimalAmount } from '../../money/to-decimal-amount.ts';
import type { Context } from '../context.ts';
import { type OrderRecord, operationId } from '../record/record.ts';

/** The amount of a transaction, as its parameters have it. */
interface FormAmount {
  readonly amount: string;
  /** Only where the endpoint would take the amount for one with two decimals. */
  readonly currency?: string;
}

/** Returns the parameters of an amount in minor units. */
export function formAmount({ payments }: Context, minor: number, currency: string): FormAmount {
  const { formAmounts } = payments.settings;
  if (formAmounts === 'integer') return { amount: String(minor) };
  const amount = toDecimalAmount(minor, currency);
  if (digitsOf(currency) === 2) return { amount };
  if (formAmounts === 'currency') return { amount, currency };
  const expected = "a currency with two decimals, since the client's formAmounts are 'two-decimals'";
  return refuseValue('saleCurrency', expected, currency, 'Nothing was sent.');
}

/** Returns the options that a journal needs. Without one, the endpoint has no ids. */
export function formId({ payments }: Context, operationId: string): { readonly operationId?: string } {
  return payments.settings.hasJournal ? { operationId } : {};
}

/** Returns the method of an operation of the form endpoint; `undefined` if it is none. */
function methodOf({ payments, parts }: OrderRecord, op: string): string | undefined {
  const payment = payments.find((one) => one.op === op);
  // That of held money is known.
  if (payment?.kind === 'sale' && payment.status !== 'authorized')
    return payment.manual ? 'transact.auth' : 'transact.sale';
  if (payments.some(({ kind, capture }) => kind === 'sale' && capture?.op === op)) return 'transact.capture';
  const part = parts.find((one) => one.op === op);
  const isSale = payments.some(({ op: pay, kind }) => pay === part?.pay && kind === 'sale');
  return isSale ? 'transact.refund' : undefined;
}

/** Closes an operation in the journal too, so that both say the same. */
export async function settleForm(
  { payments }: Context,
  record: OrderRecord,
  op: string,
  isExecuted: boolean,
): Promise<void> {
  const operation = methodOf(record, op);
  if (operation === undefined || !payments.settings.hasJournal) return;
  const outcome = isExecuted ? 'executed' : 'not_executed';
  try {
    await payments.journal.settle(operationId(record, op), { operation, outcome });
  } catch (error) {
    // It is closed, or was never recorded.
    if (!(error instanceof InvalidRequestError)) throw error;
  }
}
