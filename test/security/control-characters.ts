/** Line breaks of all kinds, terminal escapes, and bidirectional controls. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
export const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;
