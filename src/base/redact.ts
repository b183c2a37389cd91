import { isPlainCode, isPlainId } from './identifiers.ts';
import type { Issue } from './issue.ts';
import { KnownSecrets } from './known-secrets.ts';
import { type QuoteOptions, quote } from './quote.ts';
import { placeholder, redactIssues, redactLine } from './redact-line.ts';

/** Headers whose values are shown. The value of any other header may be a key. */
const shownHeaders = new Set([
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

/** Whether the value of a header is shown; its name is in lower case. */
export function isShownHeader(name: string): boolean {
  return shownHeaders.has(name);
}

const maxLearned = 32;
const minSecretLength = 6;

/**
 * Redacts what errors, logs and events show. What it covers:
 *
 * - Foreign text (of the service, the runtime, a hook, a schema or a function of the user) is shown as a `quote` alone: at most
 *   120 characters of plain words, punctuation, and numbers with at most four digits in all. A code and a request id are shown where they look like one.
 *   None of these holds five letters in a row (a code or an id: eight characters) of a secret that the client or the call knows, as it
 *   is, in other letters, cut by blanks or signs, or in base64; nor a CVV or an expiry date that was sent.
 * - Our own text, into which a caller may have put a secret in the wrong place, loses each word that holds a known secret, as it is,
 *   percent-encoded, in base64 or in hexadecimal, each card number (13 to 19 digits that a card may have), and what begins like a key.
 * - Not covered: a secret that the client does not know and that looks like a plain word, and names of persons in messages of the
 *   service.
 *
 * Everything takes linear time, looks at a bounded part of a text, and never throws.
 */
export class Redactor {
  /** Newest last. Bounded, since a rotating key would make it grow for ever. */
  #learned: readonly string[] = [];
  readonly #own: () => readonly string[];
  /** Made on first use, since most calls succeed. */
  #known: KnownSecrets | undefined;

  /** @param own More secrets: digits of any length, and other texts of 6 characters or more. */
  constructor(own: () => readonly string[] = () => []) {
    this.#own = own;
  }

  /** Adds a secret to redact. */
  learn(secret: string): void {
    if (this.#learned.includes(secret)) return;
    this.#learned = [...this.#learned, secret].slice(-maxLearned);
    this.#known = undefined;
  }

  /** Returns a redactor that also knows the secrets of one call. */
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

  /** Returns a foreign code; `undefined` if it does not look like one. */
  code(code: string): string | undefined {
    return isPlainCode(code, this.#search()) ? code : undefined;
  }

  /** Returns a foreign id; `undefined` if it does not look like one. */
  id(id: string): string | undefined {
    return isPlainId(id, this.#search()) ? id : undefined;
  }

  /**
   * Issues whose words are ours, and whose paths may hold names that a caller gave.
   *
   * @param ownNames Names of our own, such as `security_key`, which may share letters with a key.
   */
  issues(issues: readonly Issue[], ownNames?: readonly string[]): readonly Issue[] {
    return redactIssues(issues, this.#search(), ownNames);
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
