import type { JournaledOperation } from '../http/call-journal.ts';
import { deriveIdempotencyKey } from '../http/idempotency.ts';
import type { ReceivedResponse } from '../http/transport/received.ts';
import { decodeForm } from './decode.ts';
import type { FormFields } from './encode.ts';
import { isAuthenticationFailure, toResult } from './result.ts';

/** Fields that no journal may keep. */
const unkept = new Set(['ccexp', 'cvv', 'payment_token', 'cavv', 'xid']);

/** `************1111`: enough to find a transaction, and no card. */
function masked(number: string): string {
  return number.slice(-4).padStart(number.length, '*');
}

/** The fields without what no journal may keep. */
function keptFields(fields: FormFields): Readonly<Record<string, string>> {
  const kept = fields.filter(([name]) => !unkept.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, name === 'ccnumber' ? masked(value) : value]));
}

function judge({ text }: ReceivedResponse): 'end' | 'refused' | 'unknown' {
  const decoded = decodeForm(text);
  if (!('fields' in decoded)) return 'unknown';
  return isAuthenticationFailure(toResult(decoded.fields)) ? 'refused' : 'end';
}

/** A transaction as a journal writes it down. It has no key that the endpoint knows, so it is never sent again by itself. */
export function journaledSale(
  operation: string,
  operationId: string,
  fields: FormFields,
): JournaledOperation {
  const kept = keptFields(fields);
  const lookUp = Object.fromEntries(
    ['amount', 'currency', 'ccnumber', 'orderid', 'transactionid'].flatMap((name) => {
      const value = kept[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return {
    ...{ operationId, key: deriveIdempotencyKey(operation, operationId) },
    ...{ content: JSON.stringify(kept), lookUp, judge },
  };
}
