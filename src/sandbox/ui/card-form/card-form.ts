import { brandOf, isCodeOf } from '../../pages/card-form/card-brand.ts';
import { isPast, readExpiry, writeExpiry } from '../../pages/card-form/card-expiry.ts';
import { isCardNumber } from '../../transact/card-reader.ts';
import { checkField, type Flaw } from './field-check.ts';
import { digitsOf, formatAtEnd, formatDigits } from './format-input.ts';

const longestNumber = 19;
const longestCode = 4;

/** Groups the digits of a card number as its brand does. */
export function groupDigits(text: string): string {
  const digits = digitsOf(text).slice(0, longestNumber);
  const starts = [0, ...(brandOf(digits)?.gaps ?? [4, 8, 12]), 16];
  const groups = starts.map((start, index) => digits.slice(start, starts[index + 1]));
  return groups.filter((group) => group !== '').join(' ');
}

/** Inserts the slash between month and year when the year begins. Leaves a text that has a separator as it is. */
function putSlash(text: string): string {
  return text.replace(/^(0\d|1[0-2]|[2-9]|1(?=[3-9]))(\d+)$/, '$1/$2');
}

/** Formats a complete expiry; leaves other texts as they are. */
function writeWhole(text: string): string {
  const expiry = readExpiry(text);
  return expiry === undefined ? text : writeExpiry(expiry, '/');
}

/** Fills in a card through input events, so that it is formatted like typed text. */
export function fillIn(form: HTMLFormElement, card: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(card)) {
    const input = form.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement)) continue;
    input.value = value;
    input.dispatchEvent(new Event('input'));
  }
}

/** Shows the brand of a number, and where its security code is printed. */
function showBrand(number: HTMLInputElement): void {
  const brand = brandOf(digitsOf(number.value));
  const [name, hint] = ['brand', 'cvv-hint'].map((id) => document.getElementById(id));
  const card = number.closest<HTMLElement>('.card');
  if (!name || !hint || !card) return;
  const { three = '', four = '' } = card.dataset;
  card.dataset['unknown'] ??= hint.textContent;
  name.textContent = brand?.name ?? '';
  hint.textContent = { 3: three, 4: four }[brand?.codeLength ?? 0] ?? card.dataset['unknown'];
}

function expiryFlaw(text: string, now: number): Flaw | undefined {
  const expiry = readExpiry(text);
  if (expiry === undefined) return 'wrong';
  return isPast(expiry, now) ? 'past' : undefined;
}

/**
 * Formats a card while it is typed, and checks each field on blur. Unknown formats are left for the server to parse.
 *
 * @returns By field name: checks the field now and returns whether it is valid.
 */
export function helpWithCard(form: HTMLFormElement): ReadonlyMap<string, () => boolean> {
  const inputs = ['ccnumber', 'ccexp', 'cvv'].map((name) => form.elements.namedItem(name));
  const [number, expiry, code] = inputs.filter((input) => input instanceof HTMLInputElement);
  if (number === undefined || expiry === undefined || code === undefined) return new Map();
  const now = Number(number.closest<HTMLElement>('.card')?.dataset['now'] ?? 0);
  formatDigits(number, groupDigits);
  formatAtEnd(expiry, putSlash, writeWhole);
  formatDigits(code, (digits) => digits.slice(0, longestCode));
  number.addEventListener('input', () => showBrand(number));
  form.addEventListener('reset', () => queueMicrotask(() => showBrand(number)));
  return new Map([
    ['ccnumber', checkField(number, (text) => (isCardNumber(digitsOf(text)) ? undefined : 'wrong'))],
    ['ccexp', checkField(expiry, (text) => expiryFlaw(text, now))],
    ['cvv', checkField(code, (text) => (isCodeOf(digitsOf(number.value), text) ? undefined : 'wrong'))],
  ]);
}
