import { sha256Hex } from '../base/bytes.ts';
import { stringifyCanonical } from '../base/json.ts';
import type { RecordedContent } from '../http/past/call-journal.ts';
import { cardNumbersIn, ownCardNumbers } from './card.ts';
import type { FormFields } from './encode.ts';

/** The documented fields that no journal may keep. */
const unkept = /* @__PURE__ */ new Set(['ccexp', 'cvv', 'cavv', 'xid']);

/** `************1111`: enough to find a transaction, not enough to charge. */
function masked(number: string): string {
  return number.slice(-4).padStart(number.length, '*');
}

/** Identifies a token; cannot be used to pay. */
function digestOf(token: string): string {
  return sha256Hex(token).slice(0, 16);
}

/** Returns a value as a journal keeps it. A token that is a card number could be found by its digest. */
function keptValue(name: string, value: string): string {
  if (name !== 'ccnumber' && name !== 'payment_token') return value;
  const [number] = cardNumbersIn(value);
  if (number !== undefined || name === 'ccnumber') return masked(number ?? value);
  return digestOf(value);
}

/** The fields without what no journal may keep. */
function keptFields(fields: FormFields): Readonly<Record<string, string>> {
  const kept = fields.filter(([name]) => !unkept.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, keptValue(name, value)]));
}

/** Differ between two calls of one sale: a buyer who comes back has another address, and the risk script another session. */
const uncompared = ['ipaddress', 'risk_session_id'];

/** Returns what a journal keeps of a transaction. It has no key that the endpoint knows, so it is never sent again by itself. */
export function journaledSale(fields: FormFields): RecordedContent {
  const kept = keptFields(fields);
  const lookUp = Object.fromEntries(
    ['amount', 'currency', 'ccnumber', 'orderid', 'transactionid'].flatMap((name) => {
      const value = kept[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const cardNumbers = ownCardNumbers(Object.fromEntries(fields)['ccnumber']);
  return { content: stringifyCanonical(kept), uncompared, lookUp, cardNumbers };
}
