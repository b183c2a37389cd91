/** Masks card data by value, so that no store keeps it. */

import { areLikeCardNumber, type CardNumbers, cardsIn } from '../../base/redact.ts';
import { withNamesApart } from './names-apart.ts';
import { namesAround, type TextValue, valuesOf, withValues } from './text-values.ts';

const noNumbers: CardNumbers = new Set();
const noIds: ReadonlySet<string> = new Set();

/** The shortest card number. Most values are shorter. */
const minLength = 12;
const maxLength = 19;

/** Letters at both ends, so that the four digits never become a part of another number, and no sign that JSON or a form escapes. */
const maskOf = (number: string) => `[card-${number.slice(-4)}-masked]`;

/**
 * Returns one value with `[card-1111-masked]` in place of each card number and track: verbatim, in groups, percent-encoded or
 * JSON-escaped. The same text if there is none. A masked text stays as it is.
 *
 * @param numbers More card numbers, of any brand.
 */
export function maskCards(value: string, numbers = noNumbers): string {
  if (value.length < minLength) return value;
  // The longest first: the beginning of a number may be one of a shorter kind.
  const spans = [...cardsIn(value, numbers)].sort((one, other) => one[0] - other[0] || other[1] - one[1]);
  let masked = '';
  let done = 0;
  for (const [start, end, number = ''] of spans) {
    if (start >= done) masked += value.slice(done, start) + maskOf(number);
    done = Math.max(done, end);
  }
  return masked + value.slice(done);
}

/** Returns the digits before the point of a number of JSON, as they are written; nothing for more than a card has. */
function wholeDigits(written: string): string {
  const [, before = '', after = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(written) ?? [];
  const digits = `${before}${after}`.replace(/^0+/, '');
  const length = digits.length - after.length + Number(exponent);
  return length > 0 && length <= maxLength ? digits.slice(0, length).padEnd(length, '0') : '';
}

/** Returns a number of JSON, or a mask for that of a card. The digits of a fraction are none. */
function maskNumber(written: string, numbers: CardNumbers): string {
  const digits = wholeDigits(written);
  return areLikeCardNumber(digits) || numbers.has(digits) ? maskOf(digits) : written;
}

/** Returns a string of JSON with card data masked. JSON in it stays JSON: there, a mask for a number needs its quotes. */
function maskString(value: string, numbers: CardNumbers): string {
  const isLikeJson = /^\s*[[{]/.test(value);
  // A card number may also stand in several values of it.
  return maskCards(isLikeJson ? withoutCards(value, noIds, numbers) : value, numbers);
}

/** Fields of a request that name its operation, and may look like a card number. */
export const idsOfRequests: ReadonlySet<string> = /* @__PURE__ */ new Set(['orderid', 'transactionid']);

/** Fields of a response or an event with the id of an object, by which it is found again, and an event handled once. */
export const idsOfObjects: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'id',
  'orderid',
  'transactionid',
  'transaction_id',
  'chargeback_id',
]);

/** Returns a JSON text, a form or any other text with each value and each name masked. The same text if it holds no card data. */
export function withoutCards(text: string, ids: ReadonlySet<string>, numbers = noNumbers): string {
  const values = valuesOf(text);
  const masked = values.map((value) => {
    if (ids.has(value.name) && isOfService(value)) return value.text;
    if (value.kind === 'number') return maskNumber(value.text, numbers);
    return value.kind === 'string' ? maskString(value.text, numbers) : maskCards(value.text, numbers);
  });
  return withValues(text, values, withNamesApart(values, masked));
}

/** Whether a value stands outside the user's own data, where anything may be called an id. */
function isOfService(value: TextValue): boolean {
  return namesAround(value)?.includes('metadata') === false;
}
