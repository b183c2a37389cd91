import { readDecimal } from '../../base/decimal.ts';
import { isRecord } from '../../base/json.ts';
import { digitsOf } from '../../money/currencies.ts';
import { toDecimalAmount } from '../../money/to-decimal-amount.ts';
import { textMatcher } from './text-match.ts';

/** The text fields that are searched. */
const textFields = [
  'id',
  'email',
  'customer_email',
  'name',
  'number',
  'orderid',
  'client_reference_id',
  'url',
];
const amountFields = ['amount', 'amount_total', 'total'];

/** Parses an amount such as `$1,055.00`; `undefined` for any other text. */
function amountIn(searched: string): number | undefined {
  const text = searched
    .trim()
    .replaceAll(',', '')
    .replace(/^[$€£¥]?\s?/, '');
  return readDecimal(text) && Number(text);
}

function decimalOf(amount: unknown, currency: unknown): string | undefined {
  // Transactions have decimals already.
  if (typeof amount === 'string') return amount;
  if (typeof amount !== 'number' || typeof currency !== 'string') return undefined;
  if (digitsOf(currency) === undefined || !Number.isSafeInteger(amount) || amount < 0) return undefined;
  return toDecimalAmount(amount, currency);
}

/** Whether an object has an amount. `55`, `55.00` and `55.0` are equal. */
function hasAmount(object: Readonly<Record<string, unknown>>, amount: number): boolean {
  return amountFields.some((field) => {
    const decimal = decimalOf(object[field], object['currency']);
    return decimal !== undefined && Number(decimal) === amount;
  });
}

/** Returns the full name in an object; empty if it has none. */
export function nameIn(object: Readonly<Record<string, unknown>>): string {
  const { first_name: first = '', last_name: last = '', name = '' } = object;
  return `${first} ${last}`.trim() || String(name);
}

/** Returns a predicate for objects by id, e-mail address, name, number or amount. */
export function objectMatcher(searched: string | null): (object: object) => boolean {
  if (searched === null || searched.trim() === '') return () => true;
  const holds = textMatcher(searched);
  const amount = amountIn(searched);
  return (object) => {
    if (!isRecord(object)) return false;
    if (holds(nameIn(object), ...textFields.map((field) => object[field]))) return true;
    return amount !== undefined && hasAmount(object, amount);
  };
}
