/** Groups the digits of a card number by four, as they stand on the card. */
export function groupDigits(text: string): string {
  const digits = text.replaceAll(/\D/g, '').slice(0, 19);
  return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

/** Puts the slash between month and year, once the year begins. A year of four digits is left as it is written. */
function putSlash(text: string): string {
  if (/[/.-]/.test(text)) return text;
  const digits = text.replaceAll(/\D/g, '').slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
}

/** Writes a field anew while it is typed in, only at its end: in the middle it would fight with the caret. */
function helpTyping(input: HTMLInputElement, write: (text: string) => string): void {
  input.addEventListener('input', (event) => {
    const isDeleting = event instanceof InputEvent && event.inputType.startsWith('delete');
    const isAtEnd = input.selectionStart === null || input.selectionStart === input.value.length;
    if (!isDeleting && isAtEnd) input.value = write(input.value);
  });
}

/** Puts a card in, as if it were typed, so that it looks the same. */
export function fillIn(form: HTMLFormElement, card: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(card)) {
    const input = form.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement)) continue;
    input.value = value;
    input.dispatchEvent(new Event('input'));
  }
}

/** Helps with typing in a card. What is typed or filled in differently is left as it is, and the server reads it. */
export function helpWithCard(form: HTMLFormElement): void {
  for (const [name, write] of [
    ['ccnumber', groupDigits],
    ['ccexp', putSlash],
  ] as const) {
    const input = form.elements.namedItem(name);
    if (input instanceof HTMLInputElement) helpTyping(input, write);
  }
}
