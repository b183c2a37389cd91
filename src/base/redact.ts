import { isPlainCode, isPlainId } from './identifiers.ts';
import type { Issue } from './issue.ts';
import { KnownSecrets } from './known-secrets.ts';
import { type QuoteOptions, quote } from './quote.ts';
import { placeholder, redactLine } from './redact-line.ts';

/** Headers whose values are shown. Those of all others may be keys, whatever their names. */
const shownHeaders = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'content-encoding'],
  ...['content-language', 'content-length', 'content-type', 'idempotency-key', 'user-agent'],
]);

/** Whether the value of a header is shown; its name is in lower case. */
export function isShownHeader(name: string): boolean {
  return shownHeaders.has(name);
}

const maxLearned = 32;
const minSecretLength = 6;

/**
 * Keeps secrets out of what is shown. What it covers:
 *
 * - Foreign text (of the service, the runtime, a hook, a schema or a function of the user) is shown as a `quote` alone: at most
 *   120 characters of plain words, punctuation, and numbers with at most four digits in all. A code and a request id are shown where they look like one.
 *   None of these holds five letters in a row (a code or an id: eight characters) of a secret that the client or the call knows, as it
 *   is, in other letters, cut by blanks or signs, or in base64; nor a CVV or an expiry date that was sent.
 * - Our own text, into which a caller may have put a secret in the wrong place, loses each word that holds a known secret, as it is,
 *   percent-encoded, in base64 or in hexadecimal, each 13 digits or more, and what begins like a key.
 * - Not covered: a secret that nobody told the client and that looks like a plain word, and names of persons in words of the service.
 *
 * Everything takes linear time, looks at a bounded part of a text, and never throws.
 */
export class Redactor {
  /** Newest last. Bounded, since a rotating key would make it grow for ever. */
  #learned: readonly string[] = [];
  readonly #own: () => readonly string[];
  /** Made when it is first needed, since most calls go well. */
  #known: KnownSecrets | undefined;

  /** @param own What else it keeps out: digits of any length, and other texts that are long enough. */
  constructor(own: () => readonly string[] = () => []) {
    this.#own = own;
  }

  /** From now on keeps this secret out of every text. */
  learn(secret: string): void {
    if (this.#learned.includes(secret)) return;
    this.#learned = [...this.#learned, secret].slice(-maxLearned);
    this.#known = undefined;
  }

  /** A redactor that also keeps out what one call holds. */
  with(own: () => readonly string[]): Redactor {
    return new Redactor(() => [...this.#secrets(), ...own()]);
  }

  /** A text of our own without secrets and card numbers, on one line, and bounded in length. */
  text(text: string, maxLength?: number): string {
    return redactLine(text, this.#search(), maxLength);
  }

  /** What may be shown of a foreign text. */
  quote(text: string, options?: QuoteOptions): string {
    return quote(text, this.#search(), options);
  }

  /** A foreign code; `undefined` where it looks like something else. */
  code(code: string): string | undefined {
    return isPlainCode(code, this.#search()) ? code : undefined;
  }

  /** A foreign id; `undefined` where it looks like something else. */
  id(id: string): string | undefined {
    return isPlainId(id, this.#search()) ? id : undefined;
  }

  /** Issues whose words are ours, and whose paths may hold names that a caller gave. */
  issues(issues: readonly Issue[]): readonly Issue[] {
    return issues.map(({ path, expected, received }) => ({
      path: this.text(path),
      expected,
      received: this.text(received),
    }));
  }

  /** Issues of a foreign value. */
  foreignIssues(issues: readonly Issue[]): readonly Issue[] {
    return issues.map(({ path, expected, received }) => ({
      path: this.quote(path),
      expected,
      received: this.quote(received),
    }));
  }

  /** Headers as a plain object, with the values of those that may hold a secret replaced. */
  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    const clean: Record<string, string> = {};
    for (const [name, value] of headers) clean[name] = isShownHeader(name) ? this.text(value) : placeholder;
    return clean;
  }

  #search(): KnownSecrets {
    this.#known ??= new KnownSecrets(this.#secrets());
    return this.#known;
  }

  #secrets(): readonly string[] {
    return [...this.#learned, ...this.#own()].filter(
      (secret) => secret.length >= minSecretLength || /^\d+$/.test(secret),
    );
  }
}
