import { brandOf, isCodeOf, isPast, readExpiry, writeExpiry } from '../pages/card-entry.ts';
import { isCardNumber } from '../transact/card-reader.ts';
import { type TestCardName, testCards } from '../transact/test-cards.ts';
import { requireElement } from './frames/framed-page.ts';

/** The kinds of input errors. The page holds a message for each. */
export type Flaw = 'missing' | 'wrong' | 'past';

export type Control = HTMLInputElement | HTMLSelectElement;

/** Shows the error of a field; `undefined` clears it. */
function showFlaw(control: Control, flaw: Flaw | undefined): void {
  const problem = document.getElementById(`${control.name}-problem`);
  if (problem === null) return;
  problem.textContent = flaw === undefined ? '' : (problem.dataset[flaw] ?? '');
  problem.hidden = flaw === undefined;
  control.ariaInvalid = flaw === undefined ? 'false' : 'true';
  const described = [document.getElementById(`${control.name}-hint`), problem].filter(
    (one) => one?.hidden === false,
  );
  control.setAttribute('aria-describedby', described.map((one) => one?.id).join(' '));
}

/**
 * Checks a field on blur, and after its first error on every change: it reports nothing during the first typing.
 *
 * @returns Checks it now and returns whether it is valid.
 */
export function checkField(control: Control, flawOf: (text: string) => Flaw | undefined): () => boolean {
  let isChanged = false;
  const check = (): boolean => {
    const flaw = flawOf(control.value.trim());
    showFlaw(control, flaw);
    return flaw === undefined;
  };
  control.addEventListener('input', () => {
    isChanged = true;
    if (control.ariaInvalid === 'true') check();
  });
  const element: HTMLElement = control;
  element.addEventListener('focusout', ({ relatedTarget }) => {
    // A message would move the button from under the pointer. Pressing the button checks the field anyway.
    if (isChanged && !(relatedTarget instanceof HTMLButtonElement)) check();
  });
  control.form?.addEventListener('reset', () => {
    isChanged = false;
  });
  return check;
}

/** The digits of a field, and how many of them precede the caret. */
interface TypedDigits {
  readonly digits: string;
  readonly before: number;
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

function readTyped({ value, selectionStart }: HTMLInputElement): TypedDigits {
  const caret = selectionStart ?? value.length;
  return { digits: digitsOf(value), before: digitsOf(value.slice(0, caret)).length };
}

/** Deleting a gap deletes the digit beside it, since the gap would be inserted again. */
function deleteAdjacentDigit({ digits, before }: TypedDigits, inputType: string): TypedDigits {
  const isForward = inputType === 'deleteContentForward';
  const deleted = isForward ? before : before - 1;
  if (deleted < 0 || (!isForward && inputType !== 'deleteContentBackward')) return { digits, before };
  return {
    digits: digits.slice(0, deleted) + digits.slice(deleted + 1),
    before: isForward ? before : deleted,
  };
}

/** Returns the offset in a text after a number of digits. */
function offsetAfter(text: string, count: number): number {
  const offsets = [...text.matchAll(/\d/g)].map(({ index }) => index + 1);
  return count === 0 ? 0 : (offsets[count - 1] ?? text.length);
}

/** Reformats a field of digits on every change. The caret stays after the same digit. */
function formatDigits(input: HTMLInputElement, format: (digits: string) => string): void {
  let known = '';
  input.addEventListener('input', (event) => {
    const { inputType = '', isComposing = false } = event instanceof InputEvent ? event : {};
    if (isComposing) return;
    const typed = readTyped(input);
    const { digits, before } = typed.digits === known ? deleteAdjacentDigit(typed, inputType) : typed;
    const text = format(digits);
    known = digitsOf(text);
    if (text === input.value) return;
    input.value = text;
    const offset = offsetAfter(text, before);
    // Setting the selection elsewhere would move the focus.
    if (document.activeElement === input) input.setSelectionRange(offset, offset);
  });
  input.addEventListener('change', () => {
    input.value = format(digitsOf(input.value));
  });
}

/** Reformats a field while its end is typed, and on blur. Elsewhere it would move the caret. */
function formatAtEnd(
  input: HTMLInputElement,
  whileTyped: (text: string) => string,
  whenLeft: (text: string) => string,
): void {
  input.addEventListener('input', (event) => {
    const { inputType = '', isComposing = false } = event instanceof InputEvent ? event : {};
    const isAtEnd = input.selectionStart === null || input.selectionStart === input.value.length;
    if (isAtEnd && !isComposing && !inputType.startsWith('delete')) input.value = whileTyped(input.value);
  });
  input.addEventListener('change', () => {
    input.value = whenLeft(input.value);
  });
}

const longestNumber = 19;
const longestCode = 4;

/** Groups the digits of a card number as its brand does. */
function groupDigits(text: string): string {
  const digits = digitsOf(text).slice(0, longestNumber);
  const starts = [0, ...(brandOf(digits)?.gaps ?? [4, 8, 12]), 16];
  const groups = starts.map((start, index) => digits.slice(start, starts[index + 1]));
  return groups.filter((group) => group !== '').join(' ');
}

/**
 * Inserts the slash between month and year when the year begins; after a month of one digit, when the year is whole. Leaves a text
 * that has a separator as it is.
 */
function putSlash(text: string): string {
  return text.replace(/^(0\d|1[0-2]|[1-9](?=\d\d))(\d+)$/, '$1/$2');
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

export type OfferedCard = readonly [name: TestCardName, outcome: string];

function itemOf(name: TestCardName, outcome: string, use: (number: string) => void): HTMLElement {
  const { number } = testCards[name];
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = groupDigits(number);
  button.addEventListener('click', () => use(number));
  const words = document.createElement('span');
  words.id = `outcome-${name}`;
  words.textContent = outcome;
  button.setAttribute('aria-describedby', words.id);
  const item = document.createElement('li');
  item.append(button, words);
  return item;
}

/**
 * Lists the test cards. The script adds them, so that no page that the sandbox sends contains a card number.
 *
 * @param place The selector of the list.
 */
export function listTestCards(
  offered: readonly OfferedCard[],
  use: (number: string) => void,
  place = 'details',
): void {
  requireElement(`${place} ul`).append(...offered.map(([name, outcome]) => itemOf(name, outcome, use)));
}
