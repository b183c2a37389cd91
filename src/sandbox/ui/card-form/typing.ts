import { digitsOf } from '../../pages/card-form/digits.ts';

/** The digits of a field, and how many of them stand before the caret. */
interface Typed {
  readonly digits: string;
  readonly before: number;
}

function readTyped({ value, selectionStart }: HTMLInputElement): Typed {
  const caret = selectionStart ?? value.length;
  return { digits: digitsOf(value), before: digitsOf(value.slice(0, caret)).length };
}

/** Deleting a gap deletes the digit beyond it, since the gap comes back. */
function withoutNeighbour({ digits, before }: Typed, inputType: string): Typed {
  const isForward = inputType === 'deleteContentForward';
  const gone = isForward ? before : before - 1;
  if (gone < 0 || (!isForward && inputType !== 'deleteContentBackward')) return { digits, before };
  return { digits: digits.slice(0, gone) + digits.slice(gone + 1), before: isForward ? before : gone };
}

/** The place in a text behind a number of its digits. */
function placeBehind(text: string, count: number): number {
  const places = [...text.matchAll(/\d/g)].map(({ index }) => index + 1);
  return count === 0 ? 0 : (places[count - 1] ?? text.length);
}

/** Writes a field of digits anew whenever it changes. The caret stays behind the digit that it was behind. */
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
    // Elsewhere the focus is left where it is.
    if (document.activeElement === input) input.setSelectionRange(place, place);
  });
  input.addEventListener('change', () => {
    input.value = write(digitsOf(input.value));
  });
}

/** Writes a field anew while its end is typed, and once it is left. In between it would fight with the caret. */
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
