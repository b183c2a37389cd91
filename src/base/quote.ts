import { digitsOf, type KnownSecrets } from './known-secrets.ts';
import { beginsLikeKey } from './secret-looks.ts';

/** Characters that are examined; a quote shows far fewer. */
const maxExamined = 1024;
const maxQuoteLength = 120;
const maxWordLength = 16;
const maxCompoundLength = 64;
/** Longer runs of signs are no punctuation. */
const maxSigns = 3;
/** All digits of a quote together, so that no card number passes in groups or digit by digit. */
const maxDigits = 4;
/** No five letters in a row of a secret are shown. */
const secretWindow = 5;

interface Word {
  /** With the punctuation around it. */
  readonly text: string;
  readonly core: string;
  isShown: boolean;
}

/** How a text is quoted. */
export interface QuoteOptions {
  /** Whether IPv4 addresses are shown, as the messages of a runtime have them. Default: false. */
  readonly addresses?: boolean;
}

/** Small or capital letters, or words whose capitals stand as in `paymentIntent`; random letters seldom do. */
const plainLetters = /^\p{Lu}*[\p{Ll}\p{Lo}\p{M}]*(?:\p{Lu}{1,4}[\p{Ll}\p{Lo}\p{M}]{2,})*$/u;

function isPlainPiece(piece: string): boolean {
  if (/^\d{1,3}$/.test(piece)) return true;
  const letters = piece.replace(/^\d|\d$/g, '');
  return letters !== '' && letters.length <= maxWordLength && plainLetters.test(letters);
}

/** A word, a small number, or some of them as in `line_items[0].amount`, `shop.example` or `and/or`. */
function isPlainWord(core: string): boolean {
  if (core.length > maxCompoundLength || beginsLikeKey(core)) return false;
  const pieces = core.split(/[._/:,'’[\]–—-]/).filter((piece) => piece !== '');
  return pieces.length > 0 ? pieces.every(isPlainPiece) : core.length <= maxSigns;
}

function toWord(text: string): Word {
  const core = text.replace(/^["'‘“„«([{<]{1,3}/, '').replace(/["'’”»)\]}>,:;.!?…]{1,3}$/, '');
  return { text, core, isShown: isPlainWord(core) };
}

/** An IPv4 address, with its port or without. */
function isAddress(core: string): boolean {
  const [, address = ''] = /^((?:\d{1,3}\.){3}\d{1,3})(?::\d{1,5})?$/.exec(core) ?? [];
  return address !== '' && address.split('.').every((part) => Number(part) <= 255);
}

/** Hides the word after the name of an authentication scheme: a credential. */
function hideCredentials(words: readonly Word[]): void {
  for (const [index, { core }] of words.entries()) {
    const next = words[index + 1];
    if (/^(?:bearer|basic)$/i.test(core) && next !== undefined) next.isShown = false;
  }
}

const shownOf = (words: readonly Word[]) => words.filter(({ isShown }) => isShown);

function hideNumbers(words: readonly Word[], secrets: KnownSecrets, addresses: boolean): void {
  const digits = (some: readonly Word[]) => digitsOf(some.map(({ core }) => core).join(''));
  const isExempt = ({ core }: Word) => addresses && isAddress(core);
  for (const word of words) word.isShown ||= isExempt(word);
  const shown = shownOf(words);
  const counted = shown.filter((word) => !isExempt(word));
  if (digits(counted).length <= maxDigits && !secrets.haveNumberIn(digits(shown))) return;
  for (const word of shown) word.isShown = digitsOf(word.core) === '';
}

/** Hides every word with letters of a secret, also of one that blanks or signs cut. */
function hideSecrets(words: readonly Word[], secrets: KnownSecrets): void {
  const shown = shownOf(words);
  const places = secrets.placesIn(
    shown.map(({ core }) => core),
    secretWindow,
  );
  for (const [place, word] of shown.entries()) word.isShown = !places.has(place);
}

function write(words: readonly Word[]): string {
  let quoted = '';
  for (const { text, isShown } of words) {
    const next = isShown ? text : '…';
    if (next === '…' && quoted.endsWith('…')) continue;
    if (quoted.length + 1 + next.length > maxQuoteLength) return quoted.endsWith('…') ? quoted : `${quoted}…`;
    quoted += quoted === '' ? next : ` ${next}`;
  }
  return quoted;
}

/**
 * The beginning of a foreign text, made only of what cannot be a secret: plain words of at most 16 letters, punctuation, and few and
 * small numbers. Everything else is `…`, and so is what has letters of a known secret.
 */
export function quote(text: string, secrets: KnownSecrets, { addresses = false }: QuoteOptions = {}): string {
  const trimmed = text.trimStart();
  const words = trimmed
    .slice(0, maxExamined)
    .normalize('NFKC')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(toWord);
  const last = words.at(-1);
  // A word that is cut may be the beginning of a secret.
  if (trimmed.length > maxExamined && last !== undefined) last.isShown = false;
  hideCredentials(words);
  hideNumbers(words, secrets, addresses);
  hideSecrets(words, secrets);
  return write(words);
}
