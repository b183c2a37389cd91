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

const maxSecrets = 8;
const minSecretLength = 6;

/**
 * Takes secrets and card numbers out of text that comes from outside: a message of the service, or of the runtime.
 */
export class Redactor {
  /** Newest last. Bounded, since a rotating key would make it grow for ever. */
  #secrets: string[] = [];

  /** From now on takes this secret out of every text, also where it is percent-encoded. */
  learn(secret: string): void {
    if (secret.length < minSecretLength || this.#secrets.includes(secret)) return;
    this.#secrets = [...this.#secrets, secret].slice(-maxSecrets);
  }

  /** The text without secrets and card numbers, on one line, and bounded in length. */
  text(text: string, maxLength = 500): string {
    let clean = text.slice(0, maxExamined);
    for (const secret of this.#secrets) {
      clean = clean.replaceAll(secret, placeholder).replaceAll(encodeURIComponent(secret), placeholder);
    }
    clean = clean
      .replace(bearerToken, `Bearer ${placeholder}`)
      .replace(secretKeyPattern, placeholder)
      .replace(cardNumberPattern, placeholder)
      .replace(controlCharacters, ' ');
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

// A line break in a text from outside could forge a log line of its own.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
