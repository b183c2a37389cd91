import type { Issue } from './issue.ts';

/**
 * The first digits and the lengths of cards: Visa; Mastercard and Mir; American Express; Diners and JCB; Maestro, Discover and UnionPay.
 * None begins with 1, so a time in ms is no card number.
 */
const issued =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3[0689]\d{12}|3[05689]\d{14}|(?:5[06-8]|6\d|81)\d{11,17})$/;

/** Whether the last digit of a card number is the one that the others call for (Luhn). */
export function hasValidCheckDigit(cardNumber: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...cardNumber].reverse().entries()) {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Whether a number has the digits of a card. */
export function isLikeCardNumber(value: number): boolean {
  return areLikeCardNumber(String(Math.trunc(Math.abs(value))));
}

/**
 * Whether the digits of a number are those of a card. Above 2^53 the last ones may be lost, so the prefix and the length decide without the
 * check digit.
 */
export function areLikeCardNumber(digits: string): boolean {
  return Number.isSafeInteger(Number(digits)) ? looksLikeCardNumber(digits) : issued.test(digits);
}

/** Whether digits have the prefix, the length and the check digit of a card of a known brand. */
function looksLikeCardNumber(digits: string): boolean {
  return issued.test(digits) && hasValidCheckDigit(digits);
}

/** Replaces a secret. */
export const placeholder = '[redacted]';

/** Characters of a text that are shown, and those that are searched for secrets. */
const maxShown = 300;
const maxExamined = 8 * 1024;
/** A shorter part of a secret may occur by chance. */
const runLength = 10;
/** A shorter secret, such as the header `x-env: test`, is an everyday word. */
const minSecretLength = 6;
const maxCardLength = 19;
/** A rotating key would make the list grow for ever. */
const maxLearned = 32;

/** Headers whose values are shown, in lower case. The value of any other header may be a key. */
export const shownHeaders: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'idempotency-key',
  'user-agent',
]);

/** What a text must not show, although nothing in it looks secret. */
interface Sensitive {
  /** Any 10 characters in a row are hidden; a secret of 6 to 9 characters where it stands alone. */
  readonly secrets: readonly string[];
  /** Hidden only as a whole, and where they stand alone: three digits of a CVV occur in many numbers. */
  readonly values: readonly string[];
}

function merge(one: Sensitive, other: Sensitive): Sensitive {
  return { secrets: [...one.secrets, ...other.secrets], values: [...one.values, ...other.values] };
}

const secretName = /^(?:ccnumber|payment_token|cavv|xid|client_secret|security_key|secret)$/;
const personalName = /^(?:email|phone|address\d?|line\d)$/;
/** Not a single word: `phone: 'auto'` asks the buyer for one. */
const personalValue = /^(?=.*[\d@ ])...+$/;

/** Names in lower case, of letters and digits alone. `cvvresponse` is a result, and a `gift_card_code` no code of a payment card. */
const ofCode =
  /(?:cvv|cvc|cvn|ccv)2?(?:code|number|value)?$|securitycode$|cardverification(?:code|value)$|^(?:verificationvalue|(?:card)?csc|cardcode)$/;
const ofExpiry = /^(?:.*card|cc)exp(?:iry|iration)?(?:date)?$/;

/** Whether a field of this name holds the security code or the expiry of a card. Their few digits look like any other number. */
export function isCardSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z\d]/g, '');
  return ofCode.test(plain) || ofExpiry.test(plain);
}

/** Whether a text of this name is hidden as a whole alone, since its parts occur in many texts. */
function isHiddenAsWhole(name: string): boolean {
  return personalName.test(name) || isCardSecretName(name);
}

/** Whether a field of this name holds a secret, a card, or data of a person. */
export function isSensitiveName(name: string): boolean {
  return secretName.test(name) || isHiddenAsWhole(name);
}

/** Returns the sensitive values of what a call sent, by the names of their fields. */
export function sensitiveIn(sent: unknown): Sensitive {
  const secrets: string[] = [];
  const values: string[] = [];
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'string') {
      if (secretName.test(name)) secrets.push(value);
      // A form writes a blank as `+`.
      else if (isHiddenAsWhole(name) && personalValue.test(value))
        values.push(value, value.replaceAll(' ', '+'));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) visit(item, Array.isArray(value) ? name : key);
    }
  };
  visit(sent, '');
  return { secrets, values };
}

/** Card numbers that were sent, without signs between their digits. They are found in groups, too, whatever their brand. */
export type CardNumbers = ReadonlySet<string>;

interface Known {
  readonly runs: ReadonlySet<string>;
  readonly wholes: readonly string[];
  readonly numbers: CardNumbers;
}

const nothingKnown: Known = { runs: new Set(), wholes: [], numbers: new Set() };

function runsOf(secret: string): string[] {
  return Array.from({ length: secret.length - runLength + 1 }, (_, at) => secret.slice(at, at + runLength));
}

function knownOf({ secrets, values }: Sensitive): Known {
  const isLong = ({ length }: string) => length >= runLength;
  const short = secrets.filter((secret) => secret.length >= minSecretLength && !isLong(secret));
  return {
    runs: new Set(secrets.filter(isLong).flatMap(runsOf)),
    wholes: [...short, ...values],
    numbers: new Set(secrets.filter((secret) => /^\d+$/.test(secret))),
  };
}

/** A part of a text; the number, if it holds that of a card. */
type Span = readonly [start: number, end: number, number?: string | undefined];

function* runsIn(text: string, { runs }: Known): Generator<Span> {
  if (runs.size === 0) return;
  for (let at = 0; at + runLength <= text.length; at += 1) {
    if (runs.has(text.slice(at, at + runLength))) yield [at, at + runLength];
  }
}

const isWordCharacter = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

function* wholesIn(text: string, { wholes }: Known): Generator<Span> {
  for (const whole of wholes) {
    for (let at = text.indexOf(whole); at !== -1; at = text.indexOf(whole, at + whole.length)) {
      const end = at + whole.length;
      if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[end])) yield [at, end];
    }
  }
}

/** A word with the prefix of a key, the end of a client secret, a credential after its scheme, and a user and password in a URL. */
const credential =
  /(?<![a-z\d])(?:sk|whsec)_(?!(?:v1_)?(?:live_|test_)?…)[\w+/=-]+|(?<=_secret_)(?=\w{0,40}\d)\w+|(?<=\b(?:bearer|basic) )[\w+/=.~-]+|(?<=:\/\/)[^\s/?#@]+(?=@)/gi;

function* credentialsIn(text: string): Generator<Span> {
  for (const { 0: found, index } of text.matchAll(credential)) yield [index, index + found.length];
}

/**
 * A UUID, and an ISO date with its time. Their groups are never those of a card number, but may hold as many digits. What follows a second may
 * begin a card number, so it is no part of the time.
 */
const noCard =
  /(?<![a-z\d])(?:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![a-z\d])|(?:19|20)\d\d-[01]\d-[0-3]\d[t +][0-2]\d:[0-5]\d:[0-5]\d(?!\d))/gi;
/** 12 digits or more, with at most eight signs between two of them. */
const manyDigits = /\d(?:[^\p{L}\d]{0,8}\d){11,}/gu;

/** Returns a text of the same length, with letters in place of what is never a card number. */
const hideOthers = (text: string) => text.replace(noCard, (found) => 'u'.repeat(found.length));

/** Finds card numbers, also in groups of digits. One begins and ends with a group. */
function* cardNumbersIn(text: string, numbers: CardNumbers): Generator<Span> {
  for (const { 0: run, index } of hideOthers(text).matchAll(manyDigits)) {
    const groups = [...run.matchAll(/\d+/g)];
    for (const [first, { index: start }] of groups.entries()) {
      let digits = '';
      for (const group of groups.slice(first, first + maxCardLength)) {
        digits += group[0];
        if (digits.length > maxCardLength) break;
        if (looksLikeCardNumber(digits) || numbers.has(digits))
          yield [index + start, index + group.index + group[0].length, digits];
      }
    }
  }
}

/** The stripe of a card: track 1 with the name between two `^`, track 2 with `=` behind the number, or with `D` as a chip has it. */
const track1 = /%?[a-z]?(\d[\d ]{10,22}\d)\^[^^]{0,40}\^(?:[^?^]{0,60}\?|[^?^\s"\\]{0,60})/gi;
const track2 = /;?(?<!\d)(\d{12,19})=[\d=]{4,40}\??/g;
const chipTrack = /(?<![\p{L}\d])(\d{12,19})D\d{7,40}F?/giu;

/** Finds whole tracks: what stands behind the number is as secret as a security code. */
function* tracksIn(text: string, numbers: CardNumbers): Generator<Span> {
  for (const track of [track1, track2, chipTrack]) {
    for (const { 0: found, 1: printed = '', index } of text.matchAll(track)) {
      const number = printed.replaceAll(' ', '');
      if (hasValidCheckDigit(number) || numbers.has(number)) yield [index, index + found.length, number];
    }
  }
}

/** Reads full-width digits, which a Japanese keyboard types, as digits. */
const narrow = (text: string) =>
  text.replace(/[\uff10-\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));

/** Finds numbers that were sent, also between other digits. */
function* sentNumbersIn(text: string, numbers: CardNumbers): Generator<Span> {
  for (const number of numbers) {
    for (let at = text.indexOf(number); at !== -1; at = text.indexOf(number, at + 1))
      yield [at, at + number.length, number];
  }
}

function* verbatimCardsIn(text: string, numbers: CardNumbers): Generator<Span> {
  const digits = narrow(text);
  yield* sentNumbersIn(digits, numbers);
  yield* cardNumbersIn(digits, numbers);
  yield* tracksIn(digits, numbers);
}

function* secretsIn(text: string, known: Known): Generator<Span> {
  yield* runsIn(text, known);
  yield* wholesIn(text, known);
  yield* credentialsIn(text);
}

/** One printable character, as it is or escaped. */
const unit = /%[2-7][\da-f]|\\u00[2-7][\da-f]|\\["\\/bfnrt]|[\s\S]/gi;

/**
 * Any character: what stands between the digits of a card may have up to four bytes, or be a byte of another encoding. In a key, these signs
 * may stand for themselves.
 */
const anyUnit =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}|%[89a-f][\da-f]|\\u[\da-f]{4}|\\["\\/bfnrt]|[\s\S]/gi;

function decode(unit: string): string {
  if (unit.length === 1) return unit;
  if (unit.startsWith('%')) return decodeBytes(unit);
  if (unit.length === 2) return /\w/.test(unit) ? ' ' : unit.slice(1);
  return String.fromCharCode(Number.parseInt(unit.slice(-4), 16));
}

/** Bytes that are no character count as a blank, and so do four bytes: a unit has one place in the decoded text. */
function decodeBytes(bytes: string): string {
  try {
    const decoded = decodeURIComponent(bytes);
    return decoded.length === 1 ? decoded : ' ';
  } catch {
    return ' ';
  }
}

/** Returns a text without its percent-encoding and JSON escapes. */
export function unescaped(text: string): string {
  return text.replace(anyUnit, decode);
}

/** Finds what is percent-encoded or JSON-escaped. */
function* escapedSpansIn(
  text: string,
  unit: RegExp,
  find: (plain: string) => Iterable<Span>,
): Generator<Span> {
  if (!/[%\\]/.test(text)) return;
  const units = text.match(unit) ?? [];
  if (units.length === text.length) return;
  const starts = [0];
  for (const { length } of units) starts.push((starts.at(-1) ?? 0) + length);
  for (const [start, end, number] of find(units.map(decode).join('')))
    yield [starts[start] ?? 0, starts[end] ?? text.length, number];
}

/** How often a text may have been escaped: an address in JSON in a form. */
const maxEscapes = 3;

/**
 * Finds card numbers and tracks: verbatim, percent-encoded and JSON-escaped. Takes linear time.
 *
 * @param numbers Digits that are a card number whatever their brand.
 */
export function* cardsIn(text: string, numbers: CardNumbers, depth = maxEscapes): Generator<Span> {
  yield* verbatimCardsIn(text, numbers);
  if (depth > 0) yield* escapedSpansIn(text, anyUnit, (plain) => cardsIn(plain, numbers, depth - 1));
}

/** Whether a text holds a card number or a track. */
export function holdsCardNumber(text: string): boolean {
  return cardsIn(text, nothingKnown.numbers).next().done === false;
}

/**
 * Returns a text with `[redacted]` in place of each secret: what is known, what begins like a key, and card numbers; verbatim,
 * percent-encoded and JSON-escaped. Takes linear time.
 */
export function redact(text: string, known = nothingKnown): string {
  const escaped = escapedSpansIn(text, unit, (plain) => secretsIn(plain, known));
  const spans = [...secretsIn(text, known), ...escaped, ...cardsIn(text, known.numbers)];
  if (spans.length === 0) return text;
  const hidden = new Uint8Array(text.length);
  for (const [start, end] of spans) hidden.fill(1, start, end);
  const shown = (character: string, at: number) => {
    if (hidden[at] === 0) return character;
    return hidden[at - 1] === 1 ? '' : placeholder;
  };
  return text.split('').map(shown).join('');
}

// A line break could forge a log line; an escape or a change of direction could change what a terminal shows.
const clean = (text: string) => text.replace(/\p{Cf}+/gu, '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** Longer than a card number with signs between its digits, which the end of what is examined may cut in two. */
const maxHalf = 200;

/** Returns a text without secrets, control characters and line breaks, cut to 300 characters. */
function shownOf(text: string, maxLength: number, known: Known): string {
  const shown = redact(clean(text.slice(0, maxExamined)), known);
  const isExamined = text.length <= maxExamined;
  if (isExamined && shown.length <= maxLength) return shown;
  const end = isExamined ? shown.length : shown.length - maxHalf;
  return `${shown.slice(0, Math.min(end, maxLength - 1))}…`;
}

/** Returns issues whose paths and values hold nothing that looks like a secret, or is known. */
export function redactIssues(issues: readonly Issue[], known = nothingKnown): readonly Issue[] {
  return issues.map(({ path, expected, received }) => ({
    path: shownOf(path, maxShown, known),
    expected,
    received: shownOf(received, maxShown, known),
  }));
}

/** The secrets of a client, which its calls share. A list is replaced as a whole, so that a call notices. */
interface Secrets {
  kept: readonly string[];
  /** The latest used last. */
  learned: readonly string[];
}

/** Redacts what errors, logs and events show, by what a client and a call know. */
export class Redactor {
  readonly #secrets: Secrets;
  readonly #own: () => Sensitive;
  /** Made on first use, since most calls succeed, and again if another call has learned a secret meanwhile. */
  #known: (Secrets & { readonly all: Known }) | undefined;

  /** @param own More that a text must not show. Called on first use. */
  constructor(
    own: () => Sensitive = () => ({ secrets: [], values: [] }),
    secrets: Secrets = { kept: [], learned: [] },
  ) {
    this.#own = own;
    this.#secrets = secrets;
  }

  /** Learns the secret of an option, which is never forgotten. */
  keep(secret: string): void {
    this.#secrets.kept = [...this.#secrets.kept, secret];
  }

  /** Learns a secret that a function returned. Those that were used last are known. */
  learn(secret: string): void {
    const { learned } = this.#secrets;
    if (learned.at(-1) === secret) return;
    this.#secrets.learned = [...learned.filter((known) => known !== secret), secret].slice(-maxLearned);
  }

  /** Returns a redactor that also knows what one call must not show. */
  with(own: () => Sensitive): Redactor {
    return new Redactor(() => merge(this.#own(), own()), this.#secrets);
  }

  /** Returns a text without secrets, control characters and line breaks, cut to 300 characters. */
  text(text: string, maxLength = maxShown): string {
    return shownOf(text, maxLength, this.#all());
  }

  /** Returns a code of the service or the runtime; `undefined` if it does not look like one, or holds a secret. */
  code(code: string): string | undefined {
    return /^[\w.-]{1,64}$/.test(code) && this.text(code) === code ? code : undefined;
  }

  /** Returns an id of the service; `undefined` if it does not look like one, or holds a secret. */
  id(id: string): string | undefined {
    return /^[\w.:/+=-]{1,128}$/.test(id) && this.text(id) === id ? id : undefined;
  }

  /** Returns issues whose paths and values hold no secret. */
  issues(issues: readonly Issue[]): readonly Issue[] {
    return redactIssues(issues, this.#all());
  }

  /** Headers as a plain object, with the values of those that may hold a secret replaced. */
  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    const shown: Record<string, string> = {};
    for (const [name, value] of headers)
      shown[name] = shownHeaders.has(name) ? this.text(value) : placeholder;
    return shown;
  }

  #all(): Known {
    const { kept, learned } = this.#secrets;
    if (this.#known?.kept !== kept || this.#known.learned !== learned) {
      const secrets = [...kept, ...learned];
      this.#known = { kept, learned, all: knownOf(merge({ secrets, values: [] }, this.#own())) };
    }
    return this.#known.all;
  }
}
