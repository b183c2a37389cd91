import { Redactor } from '../sdk.ts';

const utf8 = new TextEncoder();

/** Returns a text as it is after a change of case, or with line breaks and separators within it. */
function squeeze(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d]+/g, '');
}

/** Returns a key as it is, and in each encoding of its bytes. */
function spellingsOf(key: string): readonly string[] {
  const bytes = [...utf8.encode(key)];
  // The position of a byte decides its digits in base64.
  const positions = [[], [0], [0, 0]];
  const base64 = positions.map((before) => btoa(String.fromCharCode(...before, ...bytes)));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [key, ...base64, hex];
}

/** Returns whether a text holds a part of a key, or another secret. */
export type HoldsKey = (text: string) => boolean;

/** Finds keys in any spelling. A text that is too long to be searched counts as holding one. */
export function keyFinder(keys: readonly string[]): HoldsKey {
  const spellings = keys.flatMap(spellingsOf);
  const redactor = new Redactor(() => ({ secrets: [...keys, ...spellings.map(squeeze)], values: [] }));
  return (text) => [text, squeeze(text)].some((one) => redactor.text(one, one.length) !== one);
}
