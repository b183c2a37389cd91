/** Line breaks of all kinds, escapes that command a terminal, and what turns the direction of a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;
