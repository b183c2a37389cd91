/**
 * Searches a text for canaries, whole or in part, in any encoding: plain, in a URL or a form, in JSON, in HTML, in base64, in
 * hexadecimal, or as an array of bytes.
 */

import { type Canary, everyCanary } from './canaries.ts';

/** A canary in a text, with its surroundings. */
export interface Finding {
  readonly canary: Canary;
  readonly around: string;
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

const fromHex = (hex: string) => String.fromCharCode(Number.parseInt(hex, 16));

/** Decodes the escapes of URLs, HTML and JSON in a text, nested ones too. */
function unescaped(text: string): string {
  if (!/[%&\\\p{Cf}]/u.test(text)) return text;
  let plain = text;
  for (let depth = 0; depth < 3; depth += 1) {
    const before = plain;
    plain = plain
      .replace(/%([\da-f]{2})/gi, (_, hex) => fromHex(hex))
      .replace(/&#x0*([\da-f]{1,4});/gi, (_, hex) => fromHex(hex))
      .replace(/&#0*(\d{1,5});/g, (_, decimal) => String.fromCharCode(Number(decimal)))
      .replace(/&(amp|lt|gt|quot|apos|nbsp);/gi, (_, name) => named[name.toLowerCase()] ?? '')
      .replace(/\\+u([\da-f]{4})/gi, (_, hex) => fromHex(hex))
      .replace(/\\+x([\da-f]{2})/gi, (_, hex) => fromHex(hex))
      .replace(/\\+(["'/\\])/g, '$1');
    if (plain === before) break;
  }
  return plain.replace(/\p{Cf}/gu, '');
}

/** Times, and random or measured numbers, which may contain the digits of a card by chance. */
const chance =
  /(?<![\d:])\d\d:\d\d:\d\d(?![\d:])|(?<!\d)1[78]\d{11}(?!\d)|\d+\.\d{4,}(?:e-\d+)?|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/**
 * A random identifier or a digest, which has many digits. A hexadecimal key may look like one, so the byte search does not remove
 * it.
 */
const drawn = /(?<![\da-f])(?:[\da-f]{32}|[\da-f]{48}|[\da-f]{64})(?![\da-f])/gi;

/** Separators that leave a card number readable. */
const betweenDigits = '[\\s\\u00a0+*_:,|\\u2013\\u00b7-]{0,2}';
const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Six consecutive digits are too many, except the first six, which identify the bank. */
function sixDigits(number: string): string[] {
  return Array.from({ length: number.length - 6 }, (_, index) => number.slice(index + 1, index + 7));
}

/** Any half of a text contains one of these parts completely. The common prefix of keys is not secret. */
function quarters(text: string): string[] {
  const own = text.replace(/^(?:sk_v1_test_|whsec_|tok_)/, '');
  const size = Math.ceil(own.length / 4);
  return [0, 1, 2, 3].map((index) => own.slice(index * size, (index + 1) * size));
}

/** A text, unchanged or with spaces between its characters. */
const cut = (text: string) => [...text].map(escapeRegExp).join('\\s?');

/** The pattern of a canary in plain text. */
function plainPattern({ kind, text }: Canary): string {
  if (kind === 'card number')
    return sixDigits(text)
      .map((run) => [...run].join(betweenDigits))
      .join('|');
  // Not within a longer number, such as a port, nor within a fraction, such as a duration.
  if (kind === 'short digits') return `(?<![\\d.])${[...text].join('[ /-]?')}(?!\\d|\\.\\d)`;
  if (kind === 'person') return cut(text).replaceAll(' ', '[ +]');
  return quarters(text).map(cut).join('|');
}

/** The base64 of a text that does not depend on the text around it. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.from(`${' '.repeat(before)}${text}`)
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + Buffer.byteLength(text)) * 8) / 6);
    return whole.slice(first, last);
  });
}

/** The parts to search for in encodings of bytes. */
function partsOf({ kind, text }: Canary): string[] {
  return kind === 'secret' ? quarters(text) : [text];
}

function bytePattern(canary: Canary): string {
  const parts = partsOf(canary);
  // The base64 of four bytes is too short: it may occur by chance.
  const base64 = canary.kind === 'short digits' ? [] : parts.flatMap(inBase64);
  const hex = parts.map((part) => [...Buffer.from(part)].map((byte) => byte.toString(16)).join(' ?'));
  const list = parts.map((part) => [...Buffer.from(part)].join(',\\s*'));
  return [...base64.map(escapeRegExp), ...hex, ...list].join('|');
}

/** Removes what may stand between the characters of a part. */
const compact = (text: string) => text.replace(/[\s\u00a0+*_:,|\u2013\u00b7/-]/g, '').toLowerCase();

/** Every part of a canary that a pattern finds, compact. */
function compactParts(canary: Canary): string[] {
  const { kind, text } = canary;
  const plain = kind === 'card number' ? sixDigits(text) : kind === 'secret' ? quarters(text) : [text];
  const bytes = partsOf(canary).map((part) => [...Buffer.from(part)]);
  const hex = bytes.map((part) => part.map((byte) => byte.toString(16)).join(''));
  const list = bytes.map((part) => part.join(''));
  return [...plain, ...partsOf(canary).flatMap(inBase64), ...hex, ...list].map(compact);
}

/** Fast: nearly every text has none of them, so that no pattern is tried. */
const anyPart = new RegExp(everyCanary.flatMap(compactParts).map(escapeRegExp).join('|'));

const patterns = everyCanary.map((canary) => ({
  canary,
  plain: new RegExp(plainPattern(canary), 'i'),
  bytes: new RegExp(bytePattern(canary), 'i'),
}));

function around(text: string, pattern: RegExp): string | undefined {
  const at = text.search(pattern);
  return at === -1 ? undefined : JSON.stringify(text.slice(Math.max(0, at - 40), at + 50));
}

/** Returns every canary in a text. */
export function findCanaries(text: string): Finding[] {
  const decoded = unescaped(text);
  if (!anyPart.test(compact(text)) && (decoded === text || !anyPart.test(compact(decoded)))) return [];
  const encoded = text.replace(chance, '');
  const plainText = unescaped(encoded).replace(drawn, '');
  return patterns.flatMap(({ canary, plain, bytes }) => {
    const found = around(plainText, plain) ?? around(encoded, bytes);
    return found === undefined ? [] : [{ canary, around: found }];
  });
}
