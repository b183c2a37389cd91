import { isRecord } from '../../base/json.ts';
import { placeholder, redact } from '../../base/redact.ts';

/** The maximum length of a recorded body, in characters. */
const longest = 16_384;

/** Names of fields that hold a secret, a token or a card. */
const secretField =
  /(?:secrets?|passwords?|tokens?|ccnumber|ccexp|(?:^|_)(?:security_key|api_key|secret_key|private_key|pan|track_?\d?|cavv|cardholder_auth|checkaccount|checkaba|authorization))$/i;
/** The name of a security code. The result of its check has the same name, but no digits. */
const codeField = /(?:^|_)(?:cvv|cvc)$/i;
/** The recorded fields of a card. All others may hold its number, expiry or code. */
const cardFields = new Set(['brand', 'last4', 'funding', 'country', 'network']);

function redactFields(value: Readonly<Record<string, unknown>>, isCard: boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const isCode = codeField.test(name) && /\d/.test(String(field));
      const isSecret = isCode || secretField.test(name) || (isCard && !cardFields.has(name));
      const isLeaf = typeof field === 'string' || typeof field === 'number' || Array.isArray(field);
      if (isSecret && isLeaf) return [name, placeholder];
      return [name, redactValue(field, isCard || /^(?:card|bank_account)$/i.test(name))];
    }),
  );
}

/** Redacts secrets, tokens and card data in a JSON value. */
function redactValue(value: unknown, isCard = false): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, isCard));
  return isRecord(value) ? redactFields(value, isCard) : value;
}

/** Redacts secrets, tokens and card data in an object. */
export function redactObject(object: object): Readonly<Record<string, unknown>> {
  return redactFields({ ...object }, false);
}

function redactForm(text: string): string {
  const clean = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(text)) {
    clean.append(name, secretField.test(name) || codeField.test(name) ? placeholder : redact(value));
  }
  return clean.toString();
}

function redactPlain(text: string, contentType: string): string {
  if (contentType.toLowerCase().includes('form')) return redactForm(text);
  try {
    const value: unknown = JSON.parse(text);
    const clean = JSON.stringify(redactValue(value));
    // Returns the original text if nothing is redacted, since a repeated request must have the same bytes.
    return clean === JSON.stringify(value) ? text : clean;
  } catch {
    return redact(text);
  }
}

/** Redacts and truncates a body. */
export function redactBody(text: string, contentType: string): string {
  if (text === '') return text;
  if (text.length > longest) return `${redactPlain(text, contentType).slice(0, longest)}…`;
  return redactPlain(text, contentType);
}

/** The recorded headers; the value of `authorization` is redacted. */
const keptHeaders = new Set([
  'accept',
  'content-length',
  'content-type',
  'idempotency-key',
  'idempotent-replayed',
  'retry-after',
  'user-agent',
]);

/**
 * Returns the recorded headers, redacted.
 *
 * @param more Names of additional headers, in lower case.
 */
export function redactHeaders(
  headers: Iterable<readonly [string, string]>,
  more: readonly string[] = [],
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === 'authorization') kept[lower] = placeholder;
    else if (keptHeaders.has(lower) || more.includes(lower)) kept[lower] = redact(value);
  }
  return kept;
}
