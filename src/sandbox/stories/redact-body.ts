import { isRecord } from '../../base/json.ts';
import { Redactor } from '../../base/redact.ts';
import { beginsLikeKey, looksSecret } from '../../base/secret-looks.ts';

/** Stands in place of what is never kept. */
export const redacted = '[redacted]';

/** The longest text of a body that is kept, in characters. */
const longest = 16_384;

/** Fields that hold a secret, a token or a card, whatever their value looks like. */
const secretField =
  /(?:secrets?|passwords?|tokens?|ccnumber|ccexp|(?:^|_)(?:security_key|api_key|secret_key|private_key|pan|track_?\d?|cavv|cardholder_auth|checkaccount|checkaba|authorization))$/i;
/** A security code. The result of checking one has the same name, and no digits. */
const codeField = /(?:^|_)(?:cvv|cvc)$/i;
/** What is kept of a card: everything else in it is its number, its expiry or its code. */
const cardFields = new Set(['brand', 'last4', 'funding', 'country', 'network']);

const redactor = new Redactor();

/** Whether a text may hold a key, a card number, or a password in an address. Rules out nearly all texts, cheaply. */
function mayHoldSecret(text: string): boolean {
  if (text.length < 9) return false;
  return looksSecret(text) || beginsLikeKey(text) || /%|\/\/[^\s/]*@/.test(text);
}

function redactText(text: string): string {
  if (!mayHoldSecret(text)) return text;
  // Line breaks are no secret: a line at a time leaves them as they are.
  return text
    .split('\n')
    .map((line) => redactor.text(line, longest))
    .join('\n');
}

function redactFields(value: Readonly<Record<string, unknown>>, isCard: boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const isCode = codeField.test(name) && /\d/.test(String(field));
      const isSecret = isCode || secretField.test(name) || (isCard && !cardFields.has(name));
      const isLeaf = typeof field === 'string' || typeof field === 'number' || Array.isArray(field);
      if (isSecret && isLeaf) return [name, redacted];
      return [name, redactValue(field, isCard || /^(?:card|bank_account)$/i.test(name))];
    }),
  );
}

/** A JSON value without secrets, tokens and card data. */
function redactValue(value: unknown, isCard = false): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, isCard));
  return isRecord(value) ? redactFields(value, isCard) : value;
}

/** An object without secrets, tokens and card data. */
export function redactObject(object: object): Readonly<Record<string, unknown>> {
  return redactFields({ ...object }, false);
}

function redactForm(text: string): string {
  const clean = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(text)) {
    clean.append(name, secretField.test(name) || codeField.test(name) ? redacted : redactText(value));
  }
  return clean.toString();
}

function redactPlain(text: string, contentType: string): string {
  if (contentType.toLowerCase().includes('form')) return redactForm(text);
  try {
    const value: unknown = JSON.parse(text);
    const clean = JSON.stringify(redactValue(value));
    // As it came, where nothing is hidden: a repeated request must have the same bytes.
    return clean === JSON.stringify(value) ? text : clean;
  } catch {
    return redactText(text);
  }
}

/** What is kept of a body: without secrets, tokens and card data, and not too long. */
export function redactBody(text: string, contentType: string): string {
  if (text === '') return text;
  if (text.length > longest) return `${redactPlain(text, contentType).slice(0, longest)}…`;
  return redactPlain(text, contentType);
}

/** The headers that are kept; the value of `authorization` is not. */
const keptHeaders = new Set([
  ...['accept', 'content-length', 'content-type', 'idempotency-key', 'idempotent-replayed'],
  ...['retry-after', 'user-agent'],
]);

/**
 * What is kept of headers.
 *
 * @param more Names of headers that are kept besides the usual ones, in lower case.
 */
export function redactHeaders(
  headers: Iterable<readonly [string, string]>,
  more: readonly string[] = [],
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === 'authorization') kept[lower] = redacted;
    else if (keptHeaders.has(lower) || more.includes(lower)) kept[lower] = redactor.text(value);
  }
  return kept;
}
