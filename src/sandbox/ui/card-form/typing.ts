import { digitsOf } from '../../pages/card-form/digits.ts';

/** The digits of a field, and how many of them precede the caret. */
interface Typed {
  readonly digits: string;
  readonly before: number;
}

function readTyped({ value, selectionStart }: HTMLInputElement): Typed {
  const caret = selectionStart ?? value.length;
  return { digits: digitsOf(value), before: digitsOf(value.slice(0, caret)).length };
}

/** Deleting a gap deletes the digit beside it, since the gap would be inserted again. */
function withoutNeighbour({ digits, before }: Typed, inputType: string): Typed {
  const isForward = inputType === 'deleteContentForward';
  const gone = isForward ? before : before - 1;
  if (gone < 0 || (!isForward && inputType !== 'deleteContentBackward')) return { digits, before };
  return { digits: digits.slice(0, gone) + digits.slice(gone + 1), before: isForward ? before : gone };
}

/** Returns the offset in a text after a number of digits. */
function placeBehind(text: string, count: number): number {
  const places = [...text.matchAll(/\d/g)].map(({ index }) => index + 1);
  return count === 0 ? 0 : (places[count - 1] ?? text.length);
}

/** Reformats a field of digits on every change. The caret stays after the same digit. */
export function writeDigits(input: HTMLInputElement, write: (digits: string) => string): void {
  let known = '';
  input.addEventListener('input', (event) => {
    const { inputType = '', isComposing = false } = event instanceof InputEvent ? event : {};
    if (isComposing) return;
    const typed = readTyped(input);
    const { digits, before } = typed.digits === known ? withoutNeighbour(typed, inputType) : typed;
    const text = write(digits);
    known = digitsOf(text);
    if (text === input.value) return;
    input.value = text;
    const place = placeBehind(text, before);
    // Setting the selection elsewhere would move the focus.
    if (document.activeElement === input) input.setSelectionRange(place, place);
  });
  input.addEventListener('change', () => {
    input.value = write(digitsOf(input.value));
  });
}

/** Reformats a field while its end is typed, and on blur. Elsewhere it would move the caret. */
export function writeAtEnd(
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
