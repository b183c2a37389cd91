/** The digits of a field, and how many of them precede the caret. */
interface TypedDigits {
  readonly digits: string;
  readonly before: number;
}

/** Returns the digits of a text without separators. */
export function digitsOf(text: string): string {
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
export function formatDigits(input: HTMLInputElement, format: (digits: string) => string): void {
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
export function formatAtEnd(
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
