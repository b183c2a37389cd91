import type { HonoRequest } from 'hono';
import { noticeNames } from '../api/request/parameter-names.ts';
import { readBody } from '../api/request/request-body.ts';
import { accountCurrency } from '../domain/amounts.ts';
import type { Forms } from '../domain/forms.ts';
import { type TransactionType, transactionTypes } from '../domain/records/transaction.ts';
import {
  decimalsInForm,
  decimalsOf,
  type FormAmounts,
  readMinorUnits,
  toMinorUnits,
} from './amount-field.ts';
import type { CardDetails } from './card-reader.ts';
import { refuse } from './refusal.ts';

/** A transaction with a card. */
export interface PaymentRequest {
  readonly type: 'sale' | 'auth' | 'credit' | 'validate';
  /** In minor units; 0 for `validate`. */
  readonly amount: number;
  readonly currency: string;
  /** The number of decimals of the currency. */
  readonly decimals: number;
  /** A token, or a card. */
  readonly payer: string | CardDetails;
  readonly orderid: string;
  /** Empty if it was not sent, as the following fields. */
  readonly email: string;
  readonly ipaddress: string;
  readonly riskSessionId: string;
  readonly cardholderAuth: string;
  readonly eci: string;
}

/** A transaction that updates or refunds an earlier one. */
export interface FollowUpRequest {
  readonly type: 'capture' | 'void' | 'refund';
  readonly transactionid: string;
  /** The raw amount, since its decimals depend on the earlier transaction; empty if none was sent. */
  readonly amount: string;
  readonly amounts: FormAmounts;
  readonly orderid: string;
}

type FormRequest = PaymentRequest | FollowUpRequest;

/** The request parameters that the interface shows, and the id without which a capture, void or refund means nothing. */
const shownFields: ReadonlySet<string> = new Set([
  'security_key',
  'type',
  'amount',
  'ccnumber',
  'ccexp',
  'cvv',
  'payment_token',
  'ipaddress',
  'email',
  'phone',
  'address1',
  'city',
  'state',
  'zip',
  'risk_session_id',
  'cardholder_auth',
  'cavv',
  'xid',
  'eci',
  'transactionid',
]);

/** The parameters of the client that the interface does not show. */
const inferredFields: readonly string[] = [
  'orderid',
  'order_description',
  'ponumber',
  'currency',
  'first_name',
  'last_name',
  'company',
  'address2',
  'country',
];

const knownFields: readonly string[] = [...shownFields, ...inferredFields];

/** Writes the names of ignored fields to the console. */
function noticeOthers(form: FormData, taken: (name: string) => boolean): void {
  const others = [...form.keys()].filter((name) => !taken(name));
  noticeNames(others, () => knownFields);
}

/** Returns the form without the fields that the interface does not show. */
export function keepShownFields(form: FormData): FormData {
  const kept = new FormData();
  for (const [name, value] of form) if (shownFields.has(name)) kept.append(name, value);
  noticeOthers(form, (name) => shownFields.has(name));
  return kept;
}

/** Returns a field of the form as text; empty if it was not sent. */
export function readField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/**
 * Parses a form. Ignores fields that it does not know, with a notice.
 *
 * @throws FormRefusal that states what was expected.
 */
export function readRequest(form: FormData, amounts: FormAmounts): FormRequest {
  noticeOthers(form, (name) => knownFields.includes(name));
  const type = readType(form);
  if (type === 'capture' || type === 'void' || type === 'refund') return readFollowUp(form, type, amounts);
  const currency = readField(form, 'currency') || accountCurrency;
  const decimals = decimalsOf(currency);
  const amount = readField(form, 'amount');
  return {
    type,
    amount:
      type === 'validate'
        ? readNoAmount(amount, decimalsInForm(decimals, amounts))
        : readMinorUnits(amount, decimals, amounts),
    currency,
    decimals,
    payer: readPayer(form),
    orderid: readField(form, 'orderid'),
    email: readField(form, 'email'),
    ipaddress: readField(form, 'ipaddress').trim(),
    riskSessionId: readField(form, 'risk_session_id').trim(),
    cardholderAuth: readField(form, 'cardholder_auth').trim(),
    eci: readField(form, 'eci').trim(),
  };
}

function readType(form: FormData): TransactionType {
  const type = readField(form, 'type');
  const known = transactionTypes.find((one) => one === type);
  return known ?? refuse(`Invalid type: expected one of ${transactionTypes.join(' ')}`);
}

function readNoAmount(amount: string, decimals: number): number {
  if (amount === '' || toMinorUnits(amount, decimals) === 0) return 0;
  return refuse('Invalid amount: expected none for type validate');
}

function readPayer(form: FormData): string | CardDetails {
  const token = readField(form, 'payment_token');
  const ccnumber = readField(form, 'ccnumber');
  if ((token === '') === (ccnumber === '')) {
    refuse(`Expected either payment_token or ccnumber, got ${token === '' ? 'neither' : 'both'}`);
  }
  if (token !== '') return token;
  return { ccnumber, ccexp: readField(form, 'ccexp'), cvv: readField(form, 'cvv') };
}

function readFollowUp(form: FormData, type: FollowUpRequest['type'], amounts: FormAmounts): FollowUpRequest {
  const transactionid = readField(form, 'transactionid');
  if (transactionid === '') refuse(`Missing transactionid: type ${type} needs the id of an earlier one`);
  const amount = readField(form, 'amount');
  if (type === 'refund' && amount === '') refuse('Invalid amount: a refund needs one');
  return { type, transactionid, amount, amounts, orderid: readField(form, 'orderid') };
}

const types = { urlencoded: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data' } as const;

/**
 * Reads the fields of a url-encoded or multipart body. Any other body has none.
 *
 * @param encoding The only accepted encoding. Default: both.
 * @throws Problem 413 when it is too long.
 */
export async function readForm({ raw }: HonoRequest, encoding?: Forms['formEncoding']): Promise<FormData> {
  const body = await readBody(raw);
  const type = raw.headers.get('content-type') ?? '';
  if (encoding !== undefined && !type.toLowerCase().startsWith(types[encoding])) return new FormData();
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch {
    return new FormData();
  }
}
