import { jsonReply } from '../api/reply/write-reply.ts';
import type { Forms } from '../domain/forms.ts';
import type { Reply } from '../domain/records/reply.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { State } from '../domain/state.ts';
import { readField } from './form-request.ts';

/** The fields of a response, in order. */
export type FormFields = Readonly<Record<string, string>>;

/** Returns the response fields of a transaction. One without a card check has no score. */
export function resultFields(form: FormData, transaction: Transaction): FormFields {
  const { response, responsetext, responseCode, authcode, id, avs, cvv, riskScore, riskDecision } =
    transaction;
  const type = readField(form, 'type');
  const isCheck = type !== 'capture' && type !== 'void' && riskScore !== null && riskDecision !== null;
  return {
    response,
    responsetext,
    authcode,
    transactionid: id,
    avsresponse: isCheck ? avs : '',
    cvvresponse: isCheck ? cvv : '',
    orderid: transaction.orderid,
    type,
    response_code: responseCode,
    ...(isCheck && { risk_score: String(riskScore), risk_decision: riskDecision }),
  };
}

/** Returns the response fields of a form that cannot be processed. */
export function errorFields({ ids }: State, form: FormData, problem: string): FormFields {
  return {
    response: '3',
    responsetext: `${problem} REFID:${ids.digits(10)}`,
    authcode: '',
    transactionid: '',
    avsresponse: '',
    cvvresponse: '',
    orderid: readField(form, 'orderid'),
    type: readField(form, 'type'),
    response_code: '300',
  };
}

function encode(fields: FormFields, form: Exclude<Forms['formResponse'], 'json'>): string {
  if (form === 'escaped') return new URLSearchParams(fields).toString();
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Returns the reply of the form endpoint. It is a 200 whatever the result of the transaction is. */
export function formReply(fields: FormFields, form: Forms['formResponse']): Reply {
  if (form === 'json') return jsonReply(200, fields);
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    body: encode(fields, form),
  };
}
