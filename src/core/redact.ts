import type { Issue } from './errors.ts';

const placeholder = '[redacted]';

/** Names of fields and headers whose values are never repeated in a message, a log line or a hook. */
const sensitiveName =
  /authorization|cookie|secret|token|password|key|signature|cvv|cvc|ccnumber|ccexp|card|cavv|xid|eci|email|phone|address|name|zip|ipaddress/i;

/** Whether a field or header of this name may hold a secret, card data or a person's data. */
export function isSensitiveName(name: string): boolean {
  return sensitiveName.test(name) && !/^idempotency-key$/i.test(name);
}

const credentials = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const secretKeyPattern = /(?<![a-z\d])(?:sk|whs(?:ec|k))_[\w+/=-]{6,}/gi;
/** What may stand between the digits of a card number: a blank, a dash or a plus, as they are or escaped. */
const between = '(?:[\\s+-]|%2[0bd]|%c2%a0|&#?\\w{1,9};|\\\\{1,9}u00[2a][0bd])';
/** No digit before it, but for one of an escape. */
const notInside = '(?:(?<!\\d)|(?<=%[\\da-f]{2}|\\\\u[\\da-f]{4}))';
/** 13 digits and more: of a card, in one run or in groups, and of what stands right beside it. */
const cardNumberPattern = new RegExp(`(?<!\\d)\\d(?:${between}{0,2}\\d){12,}`, 'gi');
/** A user and a password in an address. */
const userInfo = /\/\/[^\s/?#@]+@/g;

// A line break in a text from outside could forge a log line of its own, and an escape or a change of direction what a terminal
// shows.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g;

/** A text without what looks like a key, a password or a card number, on one line. */
export function cleanText(text: string): string {
  return text
    .replace(credentials, `$1 ${placeholder}`)
    .replace(secretKeyPattern, placeholder)
    .replace(cardNumberPattern, placeholder)
    .replace(userInfo, `//${placeholder}@`)
    .replace(controlCharacters, ' ');
}

/** What is looked at of a text, so that a huge body costs little; far more than is ever shown of it. */
const maxExamined = 64 * 1024;
/** Of a text that is cut there, the end is not shown: it may be the beginning of a secret. */
const maxCut = 1024;

const maxSecrets = 32;
const minSecretLength = 6;

/** A character of a secret as it may come back: as it is, in a URL, in JSON, in HTML. Bounded, so that it takes linear time. */
function inAnyForm(character: string): string {
  if (/[a-z\d]/i.test(character)) return character;
  const hex = character.charCodeAt(0).toString(16);
  return `(?:\\\\{0,9}\\${character}|%(?:25){0,9}${hex}|\\\\{1,9}u00${hex}|&#?\\w{1,9};)`;
}

/** Digits are those of a card: they are taken out where they stand alone, since short ones are parts of many numbers. */
function patternOf(secret: string): string {
  if (/^\d+$/.test(secret)) return `${notInside}${[...secret].join(`(?:${between}|[./]){0,3}`)}(?!\\d)`;
  return [...secret].map(inAnyForm).join('');
}

/**
 * Takes secrets and card numbers out of text that comes from outside: a message of the service, or of the runtime.
 */
export class Redactor {
  /** Newest last. Bounded, since a rotating key would make it grow for ever. */
  #learned: readonly string[] = [];
  readonly #own: () => readonly string[];
  /** Made when it is first needed, since most calls go well. */
  #pattern: RegExp | undefined;

  /** @param own What else it takes out: digits of any length, and other texts that are long enough. */
  constructor(own: () => readonly string[] = () => []) {
    this.#own = own;
  }

  /** From now on takes this secret out of every text, in whatever form it comes back. */
  learn(secret: string): void {
    if (secret.length < minSecretLength || this.#learned.includes(secret)) return;
    this.#learned = [...this.#learned, secret].slice(-maxSecrets);
    this.#pattern = undefined;
  }

  /** A redactor that also takes out what one call holds. */
  with(own: () => readonly string[]): Redactor {
    return new Redactor(() => [...this.#secrets(), ...own()]);
  }

  /** The text without secrets and card numbers, on one line, and bounded in length. */
  text(text: string, maxLength = 500): string {
    this.#pattern ??= new RegExp(this.#secrets().map(patternOf).join('|') || '(?!)', 'gi');
    const examined = cleanText(text.slice(0, maxExamined).replace(this.#pattern, placeholder));
    const clean = text.length > maxExamined ? examined.slice(0, -maxCut) : examined;
    return clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean;
  }

  /** Issues whose words may have come from outside. */
  issues(issues: readonly Issue[]): readonly Issue[] {
    return issues.map(({ path, expected, received }) => ({
      path: this.text(path),
      expected,
      received: this.text(received),
    }));
  }

  /** Longest first, so that one that begins like another leaves nothing of it. */
  #secrets(): readonly string[] {
    return [...this.#learned, ...this.#own()]
      .filter((secret) => secret.length >= minSecretLength || /^\d+$/.test(secret))
      .sort((one, other) => other.length - one.length);
  }

  /** Headers as a plain object, with the values of sensitive ones replaced. */
  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    const clean: Record<string, string> = {};
    for (const [name, value] of headers) {
      clean[name] = isSensitiveName(name) ? placeholder : this.text(value);
    }
    return clean;
  }
}
