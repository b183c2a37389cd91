import type { FormResponse } from '../options.ts';
import { jsonReply, type Reply } from '../reply.ts';
import type { FormFields } from './transaction.ts';

function encode(fields: FormFields, form: Exclude<FormResponse, 'json'>): string {
  if (form === 'escaped') return new URLSearchParams(fields).toString();
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** The reply of the form endpoint, which is a 200 whatever became of the transaction. */
export function formReply(fields: FormFields, form: FormResponse): Reply {
  if (form === 'json') return jsonReply(200, fields);
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    body: encode(fields, form),
  };
}
