import { isRecord, type Snapshot } from '../base/json.ts';
import { type CardNumbers, cardsIn, unescaped } from '../base/redact.ts';

/** The digits of a card number with blanks or hyphens between them, as it is printed on a card. */
function digitsOf(cardNumber: string): string {
  return cardNumber.replace(/(?<=\d)[ -]+(?=\d)/g, '');
}

/**
 * The `MMYY` of a card's `MM/YY`, of `MM/YYYY`, and of the `YYYY-MM` of `<input type="month">`. Nothing else has one meaning: `2030` may be
 * a year, and `30/12` no expiry of a card.
 */
function monthOf(expiry: string): string {
  return expiry.replace(/^(\d\d) ?[/-] ?(?:20)?(\d\d)$/, '$1$2').replace(/^20(\d\d)-(\d\d)$/, '$2$1');
}

/** Returns the fields of a transaction with a card as it is sent. Any other form is left to the check, which names no value. */
export function withPlainCard(fields: Record<string, unknown>): Record<string, unknown> {
  const { ccnumber, ccexp } = fields;
  return {
    ...fields,
    ...(typeof ccnumber === 'string' && { ccnumber: digitsOf(ccnumber) }),
    ...(typeof ccexp === 'string' && { ccexp: monthOf(ccexp) }),
  };
}

const onlyDigits = (text: string) => text.replace(/\D/g, '');

/** The shortest card number. */
const minLength = 12;

/** Returns the card numbers in a text, the longest first: the digits of one in groups may begin with a shorter one. */
export function cardNumbersIn(text: string): readonly string[] {
  const numbers = [...cardsIn(text, new Set())].map(([, , number = '']) => number);
  return numbers.sort((one, other) => other.length - one.length);
}

/** Returns the card numbers in a `ccnumber`, which may have any brand, or hold a whole track. */
export function ownCardNumbers(ccnumber: unknown): CardNumbers {
  if (typeof ccnumber !== 'string') return new Set();
  const numbers = [onlyDigits(ccnumber), ...cardNumbersIn(ccnumber)];
  return new Set(numbers.filter(({ length }) => length >= minLength));
}

/** Whether an id holds one of these numbers, whatever stands between its digits. */
function holdsNumber(id: unknown, numbers: CardNumbers): boolean {
  if (typeof id !== 'string') return false;
  const digits = [onlyDigits(id), onlyDigits(unescaped(id))];
  return [...numbers].some((number) => digits.some((text) => text.includes(number)));
}

/** Returns fields of a call, or an issue if one of these ids holds a card number. */
function withoutNumbers(copied: Snapshot, ids: readonly string[], numbers: CardNumbers): Snapshot {
  if (!('value' in copied) || !isRecord(copied.value)) return copied;
  const { value: fields } = copied;
  const path = ids.find((name) => holdsNumber(fields[name], numbers));
  if (path === undefined) return copied;
  return { issue: { path, expected: 'an id without the card number of this call', received: 'one with it' } };
}

/** What a caller passed to a method. */
interface Passed {
  readonly params: Snapshot;
  readonly options: Snapshot;
}

/** Returns what a caller passed, or an issue in place of what has an id with the call's own card number. Other numbers may be ids. */
export function refuseOwnCard({ params, options }: Passed): Passed {
  const fields: Record<string, unknown> = 'value' in params && isRecord(params.value) ? params.value : {};
  const { ccnumber } = fields;
  if (ccnumber === undefined) return { params, options };
  const numbers = ownCardNumbers(ccnumber);
  return {
    params: withoutNumbers(params, ['orderid', 'transactionid'], numbers),
    options: withoutNumbers(options, ['operationId'], numbers),
  };
}
