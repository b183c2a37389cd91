/** The forms of a secret: verbatim, percent-encoded, JSON-escaped, and card numbers in groups. */

import { cardNumbers } from './canaries.ts';

type Encode = (text: string) => string;

const special = /[^A-Za-z0-9]/g;
const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');

/** Card numbers in groups of four, with a separator. */
const grouped =
  (between: string): Encode =>
  (text) =>
    cardNumbers.reduce(
      (whole, number) => whole.replaceAll(number, number.replace(/(\d{4})(?=\d)/g, `$1${between}`)),
      text,
    );

/** Every encoding of a text, by name. */
export const encodings: Readonly<Record<string, Encode>> = {
  unchanged: (text) => text,
  'in a URL': encodeURIComponent,
  'in a URL, in lower case': (text) => encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase()),
  'in a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  'in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'in JSON as PHP writes it': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'in JSON, all escaped': (text) => text.replace(special, (character) => `\\u${hexOf(character)}`),
  'in groups': grouped(' '),
  'in groups with dashes': grouped('-'),
  'in groups with non-breaking spaces': grouped('\u00a0'),
  'in groups with two spaces': grouped('  '),
  'in groups in a URL': grouped('%20'),
  'in groups in a form': grouped('+'),
  ...Object.fromEntries(
    ['_', ':', ',', '|', '*', '\u2013', '\u00b7', '\u200b'].map((sign) => [
      `in groups with ${JSON.stringify(sign)}`,
      grouped(sign),
    ]),
  ),
  'with hidden characters': (text) => [...text].join('\u200b'),
};

/** Returns each text in each form, each form of it once. */
export function inEveryForm(texts: readonly string[]): string[] {
  return [...new Set(Object.values(encodings).flatMap((encode) => texts.map(encode)))];
}
