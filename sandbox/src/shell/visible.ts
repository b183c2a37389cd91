// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Escapes the control characters of an outside text as JSON does, so that it can neither forge a line nor control the
 * terminal. One line of JSON stays the same JSON.
 */
export function visible(text: string): string {
  return text.replace(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns a value as JSON: on one line, or indented on several. */
export function json(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).split('\n').map(visible).join('\n');
}
