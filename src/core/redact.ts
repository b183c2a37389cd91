const placeholder = '[redacted]';

/** Names of fields and headers whose values are never repeated in a message, a log line or a hook. */
const sensitiveName =
  /authorization|cookie|secret|token|password|key|signature|cvv|cvc|ccnumber|ccexp|card|cavv|xid|eci|email|phone|address|name|zip|ipaddress/i;

/** Whether a field or header of this name may hold a secret, card data or a person's data. */
export function isSensitiveName(name: string): boolean {
  return sensitiveName.test(name) && !/^idempotency-key$/i.test(name);
}

const bearerToken = /\bBearer\s+[\w.~+/=-]+/gi;
const secretKeyPattern = /\bsk_[\w-]{6,}/g;
/** 13 to 19 digits, as printed on cards: in one run, or in groups parted by single blanks or dashes. */
const cardNumberPattern = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

/** What is looked at of a text, so that a huge body costs little; far more than is ever shown of it. */
const maxExamined = 64 * 1024;

const maxSecrets = 32;
const minSecretLength = 6;

// A line break in a text from outside could forge a log line of its own, and an escape or a change of direction what a
// terminal shows.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g;

/** A text from outside on one line, without anything that a terminal or a log takes for more than text. */
export function oneLine(text: string): string {
  return text.replace(controlCharacters, ' ');
}

/** The forms in which a secret may come back: as it is, in a URL, in a form, in JSON, in HTML. */
function formsOf(secret: string): string[] {
  const inHtml = secret.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? character);
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  return [
    ...new Set([secret, encodeURIComponent(secret), inForm, JSON.stringify(secret).slice(1, -1), inHtml]),
  ];
}

const htmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Takes secrets and card numbers out of text that comes from outside: a message of the service, or of the runtime.
 */
export class Redactor {
  /** Newest last. Bounded, since a rotating key would make it grow for ever. */
  #secrets: readonly string[] = [];
  /** Digits that belong to a card: taken out where they stand alone, since short ones are parts of many numbers. */
  #digits: RegExp | undefined;

  /** From now on takes this secret out of every text, in whatever form it comes back. */
  learn(secret: string): void {
    if (secret.length < minSecretLength || this.#secrets.includes(secret)) return;
    this.#secrets = [...this.#secrets, ...formsOf(secret)].slice(-maxSecrets);
  }

  /** A redactor that also takes out what one call sends of a card. */
  withCard(digits: readonly string[]): Redactor {
    // They may come back in groups, as they are printed on a card.
    const runs = digits.filter((run) => /^\d+$/.test(run)).map((run) => [...run].join('[ -]?'));
    if (runs.length === 0) return this;
    const card = new Redactor();
    card.#secrets = this.#secrets;
    card.#digits = new RegExp(`(?<!\\d)(?:${runs.join('|')})(?!\\d)`, 'g');
    return card;
  }

  /** The text without secrets and card numbers, on one line, and bounded in length. */
  text(text: string, maxLength = 500): string {
    let clean = text.slice(0, maxExamined);
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, placeholder);
    if (this.#digits !== undefined) clean = clean.replace(this.#digits, placeholder);
    clean = clean
      .replace(bearerToken, `Bearer ${placeholder}`)
      .replace(secretKeyPattern, placeholder)
      .replace(cardNumberPattern, placeholder);
    clean = oneLine(clean);
    return clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean;
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
