import type { State } from '../state.ts';

/** A transaction of the form endpoint. No card data is kept. */
export interface Transaction {
  /** The `transactionid`. */
  readonly id: string;
  /** What was asked for, for example `sale`. */
  readonly type: string;
  /** The amount, a decimal string. */
  readonly amount: string;
  /** The merchant's order number; empty where none came. */
  readonly orderid: string;
  /** Whether it was approved. */
  readonly approved: boolean;
}

/** The fields of a response, in the order in which they are written. */
export type FormFields = Readonly<Record<string, string>>;

interface Outcome {
  readonly response: '1' | '2' | '3';
  readonly responsetext: string;
  readonly code: '100' | '200' | '300';
  readonly authcode?: string;
  readonly transactionid?: string;
  readonly checks?: boolean;
}

/** A field of the form as text; empty where it did not come. */
function read(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

function write(form: FormData, outcome: Outcome): FormFields {
  const { response, responsetext, code, authcode = '', transactionid = '', checks = false } = outcome;
  return {
    response,
    responsetext,
    authcode,
    transactionid,
    avsresponse: checks ? 'Y' : '',
    cvvresponse: checks ? 'M' : '',
    orderid: read(form, 'orderid'),
    type: read(form, 'type'),
    response_code: code,
    ...(checks && { risk_score: '10', risk_decision: 'A' }),
  };
}

function fail(state: State, form: FormData, problem: string): FormFields {
  const responsetext = `${problem} REFID:${state.ids.digits(10)}`;
  return write(form, { response: '3', responsetext, code: '300' });
}

/** What is wrong with a sale, or `undefined`. */
function problemOf(form: FormData): string | undefined {
  if (read(form, 'type') !== 'sale') return 'The sandbox knows only transactions of type sale';
  if (!/^\d{1,10}\.\d{2}$/.test(read(form, 'amount'))) return 'Invalid amount: expected x.xx';
  if (read(form, 'payment_token') !== '' || read(form, 'ccnumber') !== '') return undefined;
  return 'Either payment_token or ccnumber is required';
}

/** Amounts below 1.00 are declined, so that a test can have a decline without a card of its own. */
function isApproved(amount: string): boolean {
  return Number(amount) >= 1;
}

function sell(state: State, form: FormData): FormFields {
  const amount = read(form, 'amount');
  const approved = isApproved(amount);
  const transaction: Transaction = {
    id: state.ids.digits(10),
    type: read(form, 'type'),
    amount,
    orderid: read(form, 'orderid'),
    approved,
  };
  state.objects.transaction.add(transaction);
  const common = { transactionid: transaction.id, checks: true };
  if (!approved) return write(form, { ...common, response: '2', responsetext: 'DECLINE', code: '200' });
  const authcode = state.ids.digits(6);
  return write(form, { ...common, response: '1', responsetext: 'SUCCESS', code: '100', authcode });
}

/** Does what a form asks for. It is not asynchronous, so nothing can come between its changes. */
export function transact(state: State, securityKey: string, form: FormData): FormFields {
  if (read(form, 'security_key') !== securityKey) return fail(state, form, 'Authentication Failed');
  const problem = problemOf(form);
  return problem === undefined ? sell(state, form) : fail(state, form, problem);
}
