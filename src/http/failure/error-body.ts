import { isRecord, parseJson } from '../../base/json.ts';
import type { ErrorShape } from '../client/connection.ts';

/** What an error response says. Its body's shape is not shown, so each field may be missing. */
export interface ErrorBody {
  readonly code?: string | undefined;
  /** Whether the code comes from a code field. A text may merely repeat a code. */
  readonly isCodeField?: boolean | undefined;
  /** The message for a person. May still hold secrets. */
  readonly detail?: string | undefined;
  /** Why a payment was declined, in the service's word. */
  readonly declineCode?: string | undefined;
  /** Whether the body is JSON: then it is the service's own, and complete. */
  readonly isJson: boolean;
  /** The parsed JSON, or the text. */
  readonly body: unknown;
}

const codeFields = ['code', 'error_code', 'errorCode', 'reason', 'type'];
const detailFields = ['message', 'detail', 'error_description', 'description', 'title', 'error_message'];
const declineCodeFields = ['decline_code', 'declineCode'];
/** Fields under which an error may be nested, or listed. */
const wrapperFields = ['error', 'errors', 'fault', 'failure', 'issues', 'violations'];

const maxDepth = 4;

/** The phrases of the statuses for which a code decides the outcome, as one word. */
const statusPhrases: Readonly<Record<number, readonly string[]>> = {
  402: ['paymentrequired'],
  408: ['requesttimeout'],
  409: ['conflict'],
  422: ['unprocessableentity', 'unprocessablecontent'],
};

/** The parts of a code that say no more than that there was an error. */
const emptyWords = /http|status|code|err(?:or)?|exception/g;

/**
 * Whether a code only repeats the status, as `402`, `PAYMENT_REQUIRED`, `HttpConflictError` and a bare `error` do. Frameworks and
 * proxies fill fields for codes in this way.
 */
function repeatsStatus(code: string, status: number): boolean {
  const word = code.replace(/[^A-Za-z\d]/g, '').toLowerCase();
  const rest = word.replace(emptyWords, '').replace(String(status), '');
  return rest === '' || rest === 'e' || (statusPhrases[status]?.includes(rest) ?? false);
}

/** `SCREAMING_CASE`, `snake_case` or `kebab-case` in one word: a code, not a sentence and not a URL. */
const codePattern = /^[A-Za-z][\w-]*(?:\.[\w-]+)*$/;
/** A code that begins a text, as in `CARD_DECLINED: the card was declined`. */
const leadingCode = /^[A-Z][A-Z\d]{0,30}(?:_[A-Z\d]{1,30}){1,6}(?=:|$)/;

function asCode(value: unknown, status: number): string | undefined {
  const isWord = typeof value === 'string' && value.length <= 100 && codePattern.test(value);
  const code = Number.isFinite(value) || isWord ? String(value) : undefined;
  return code === undefined || repeatsStatus(code, status) ? undefined : code;
}

/** A bank's word for a decline, or its two digits. */
function asDeclineCode(value: unknown, status: number): string | undefined {
  const isCode = typeof value === 'string' && /^[\w.-]{1,64}$/.test(value);
  return isCode && !repeatsStatus(value, status) ? value : undefined;
}

function asDetail(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function firstOf<T>(
  fields: readonly string[],
  from: Record<string, unknown>,
  as: (value: unknown, status: number) => T | undefined,
  status: number,
) {
  for (const field of fields) {
    const value = Object.hasOwn(from, field) ? as(from[field], status) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

type Finding = Omit<ErrorBody, 'isJson' | 'body'>;

function merge(preferred: Finding, other: Finding): Finding {
  const { code, isCodeField } = preferred.code === undefined ? other : preferred;
  return {
    code,
    isCodeField,
    detail: preferred.detail ?? other.detail,
    declineCode: preferred.declineCode ?? other.declineCode,
  };
}

/** A lone code-like word, as in `{"error": "invalid_request"}`, names the error as well as describing it. */
function findInWord(text: string, isCodeField: boolean, status: number): Finding {
  const code = text.includes('_') ? asCode(text, status) : undefined;
  return { code, isCodeField: isCodeField && code !== undefined, detail: asDetail(text) };
}

function find(value: unknown, status: number, depth: number, field?: string): Finding {
  if (depth === 0) return {};
  if (typeof value === 'string') return findInWord(value, field === 'error', status);
  if (Array.isArray(value)) return find(value[0], status, depth - 1);
  if (!isRecord(value)) return {};
  const inner = wrapperFields.map((name) => find(value[name], status, depth - 1, name)).reduce(merge);
  const own = findOwn(value, status);
  const found =
    isRecord(value['error']) || Array.isArray(value['error']) ? merge(inner, own) : merge(own, inner);
  return merge(found, findInFields(value));
}

function findOwn(value: Record<string, unknown>, status: number): Finding {
  const code = firstOf(codeFields, value, asCode, status);
  return {
    code,
    isCodeField: code !== undefined,
    detail: firstOf(detailFields, value, asDetail, status),
    declineCode: firstOf(declineCodeFields, value, asDeclineCode, status),
  };
}

/** The fields at the place that the shape says come before those elsewhere. */
function findInJson(json: unknown, status: number, shape: ErrorShape | undefined): Finding {
  const found = find(json, status, maxDepth);
  if (!isRecord(json) || shape === undefined) return found;
  const { error, errors } = json;
  const listed: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const place = shape === 'nested' ? error : shape === 'list' ? listed : json;
  return isRecord(place) ? merge(findOwn(place, status), found) : found;
}

/** Returns the first message of errors by field, as in `{"amount": ["must be positive"]}`. */
function findInFields(value: Record<string, unknown>): Finding {
  for (const [field, list] of Object.entries(value)) {
    const first: unknown = Array.isArray(list) ? list[0] : undefined;
    if (typeof first !== 'string') continue;
    const detail = asDetail(first);
    return { detail: detail && `${field}: ${detail}` };
  }
  return {};
}

/** Characters of a page that are searched: the title stands near the beginning. */
const maxHtmlExamined = 64 * 1024;

function findInHtml(html: string): string | undefined {
  const match = /<(title|h1)\b[^<>]{0,200}>([^<]{1,300})</i.exec(html.slice(0, maxHtmlExamined));
  // A secret may have entities in it, which would hide it from redaction.
  return asDetail(match?.[2]?.replace(/&#?\w{1,10};/g, ' ').replace(/\s{2,}/g, ' '));
}

function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text);
}

/**
 * Reads a code and a message from every common shape: nested, flat, listed, problem+json, text and HTML.
 *
 * @param status The status of the response. A code that only repeats it is none.
 * @param shape The shape of the service's errors, if that is known: then a code that begins a text is no echo.
 */
export function readErrorBody(text: string, status: number, shape?: ErrorShape): ErrorBody {
  const json = parseJson(text);
  if (json !== undefined) return { ...findInJson(json, status, shape), isJson: true, body: json };
  const detail = isHtml(text) ? findInHtml(text) : asDetail(text);
  const code = asCode(leadingCode.exec(detail ?? '')?.[0], status);
  const isCodeField = code !== undefined && shape === (isHtml(text) ? 'html' : 'text');
  return { code, isCodeField, detail, isJson: false, body: text };
}
