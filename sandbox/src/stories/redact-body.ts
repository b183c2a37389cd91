import { loggedKey } from '../api/operation-id.ts';
import { isRecord } from '../base/json.ts';
import type { SandboxEvent } from '../domain/records/records.ts';
import { isLikeCardNumber, placeholder, redact } from '../sdk.ts';
import type { CardNames } from './card-text.ts';
import type { Entry, KeptEntry } from './entry.ts';

/** The maximum length of a recorded body, in characters. */
const longest = 16_384;
/** The end of a truncated body. */
const truncated = '…';

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
      return [redact(name), redactValue(field, isCard || /^(?:card|bank_account)$/i.test(name))];
    }),
  );
}

/** Redacts secrets, tokens and card data in a JSON value. */
function redactValue(value: unknown, isCard = false): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number' && isLikeCardNumber(value)) return placeholder;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, isCard));
  return isRecord(value) ? redactFields(value, isCard) : value;
}

/** Redacts secrets, tokens and card data in an object. */
export function redactObject(object: object): Readonly<Record<string, unknown>> {
  return redactFields({ ...object }, false);
}

/** Whether a field holds the result of 3-D Secure, one letter. A test that replays the form needs it. */
const isResult = (name: string, value: string) => name === 'cardholder_auth' && /^[A-Z]$/.test(value);

function redactForm(text: string, cards: CardNames | undefined): string {
  const form = new URLSearchParams(text);
  const clean = new URLSearchParams();
  for (const [name, value] of form) {
    const isSecret = (secretField.test(name) || codeField.test(name)) && !isResult(name, value);
    clean.append(redact(name), isSecret ? (cards?.textOf(form, name, value) ?? placeholder) : redact(value));
  }
  return clean.toString();
}

function redactPlain(text: string, contentType: string, cards: CardNames | undefined): string {
  if (contentType.toLowerCase().includes('form')) return redactForm(text, cards);
  try {
    const value: unknown = JSON.parse(text);
    const clean = JSON.stringify(redactValue(value));
    // Returns the original text if nothing is redacted, since a repeated request must have the same bytes.
    // The text also has what a later field of the same name replaces.
    return clean === JSON.stringify(value) && redact(text) === text ? text : clean;
  } catch {
    return redact(text);
  }
}

/**
 * Redacts and truncates a body.
 *
 * @param cards Names the test cards of a form. Default: cards are redacted.
 */
export function redactBody(text: string, contentType: string, cards?: CardNames): string {
  if (text === '') return text;
  const redacted = redactPlain(text, contentType, cards);
  return text.length > longest ? redacted.slice(0, longest) + truncated : redacted;
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
    else if (lower === 'idempotency-key') kept[lower] = loggedKey(value);
    else if (keptHeaders.has(lower) || more.includes(lower)) kept[lower] = redact(value);
  }
  return kept;
}

/** Prepares an event for output. */
export function shownEvent(event: SandboxEvent): SandboxEvent {
  return { ...event, data: { object: redactObject(event.data.object) } };
}

type Fields = Readonly<Record<string, unknown>>;

function redactIfAny(object: Fields | null): Fields | null {
  return object === null ? null : redactObject(object);
}

/** Prepares an entry for output. Requests were redacted on arrival; objects of changes are redacted here. */
export function shownEntry(entry: KeptEntry): Entry {
  switch (entry.kind) {
    case 'request': {
      const { links: _, ...shown } = entry;
      return shown;
    }
    case 'change':
      return { ...entry, before: redactIfAny(entry.before), after: redactIfAny(entry.after) };
    case 'action':
      return { ...entry, details: redactObject(entry.details) };
    case 'delivery':
      return entry;
  }
}
