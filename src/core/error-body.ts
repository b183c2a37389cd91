import { isRecord, parseJson } from './json.ts';

/** What an error response says, as far as it can be made out. The service does not show the body's shape. */
export interface ErrorBody {
  readonly code: string | undefined;
  /** What a person should read. Not yet free of secrets. */
  readonly detail: string | undefined;
  /** The parsed JSON, or the text. */
  readonly body: unknown;
}

const codeFields = ['code', 'error_code', 'errorCode', 'reason', 'type'];
const detailFields = ['message', 'detail', 'error_description', 'description', 'title', 'error_message'];
/** Fields under which an error may be nested, or listed. */
const wrapperFields = ['error', 'errors', 'fault', 'failure', 'issues', 'violations'];

const maxDepth = 4;

/** `SCREAMING_CASE`, `snake_case` or `kebab-case` in one word: a code, not a sentence and not a URL. */
const codePattern = /^[A-Za-z][\w-]*(?:\.[\w-]+)*$/;
/** A code that the service documents, wherever it stands in a text. */
const knownCode = /\bIDEMPOTENCY_[A-Z_]+\b/;

function asCode(value: unknown): string | undefined {
  if (Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.length <= 100 && codePattern.test(value) ? value : undefined;
}

function asDetail(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function firstOf<T>(
  fields: readonly string[],
  from: Record<string, unknown>,
  as: (value: unknown) => T | undefined,
) {
  for (const field of fields) {
    const value = Object.hasOwn(from, field) ? as(from[field]) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

type Finding = Pick<ErrorBody, 'code' | 'detail'>;

const nothing: Finding = { code: undefined, detail: undefined };

function merge(preferred: Finding, other: Finding): Finding {
  return { code: preferred.code ?? other.code, detail: preferred.detail ?? other.detail };
}

function findInText(text: string): Finding {
  const known = knownCode.exec(text)?.[0];
  // A lone code-like word, as in `{"error": "invalid_request"}`, names the error as well as telling it.
  return { code: known ?? (text.includes('_') ? asCode(text) : undefined), detail: asDetail(text) };
}

function find(value: unknown, depth: number): Finding {
  if (depth === 0) return nothing;
  if (typeof value === 'string') return findInText(value);
  if (Array.isArray(value)) return find(value[0], depth - 1);
  if (!isRecord(value)) return nothing;
  const inner = wrapperFields.map((field) => find(value[field], depth - 1)).reduce(merge, nothing);
  const own = { code: firstOf(codeFields, value, asCode), detail: firstOf(detailFields, value, asDetail) };
  const found =
    isRecord(value['error']) || Array.isArray(value['error']) ? merge(inner, own) : merge(own, inner);
  return merge(found, findInFields(value));
}

/** Errors by field, as in `{"amount": ["must be positive"]}`: what the first of them says. */
function findInFields(value: Record<string, unknown>): Finding {
  for (const [field, list] of Object.entries(value)) {
    const first: unknown = Array.isArray(list) ? list[0] : undefined;
    if (typeof first !== 'string') continue;
    const { code, detail } = findInText(first);
    return { code, detail: detail === undefined ? undefined : `${field}: ${detail}` };
  }
  return nothing;
}

/** What is looked at of a page: its title stands near its beginning. */
const maxHtmlExamined = 64 * 1024;

/** What an HTML page says: its title or first heading, else nothing. */
function findInHtml(html: string): string | undefined {
  const match = /<(title|h1)\b[^>]{0,200}>([^<]{1,300})</i.exec(html.slice(0, maxHtmlExamined));
  return asDetail(decodeEntities(match?.[2] ?? ''));
}

const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text without the entities of HTML, so that what must not be shown is recognised in it. */
function decodeEntities(html: string): string {
  return html.replace(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|(amp|lt|gt|quot|apos));/gi,
    (entity, decimal, hex, name) => {
      if (name !== undefined) return namedEntities[String(name).toLowerCase()] ?? entity;
      return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    },
  );
}

function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text);
}

/** Reads a code and a message from every common shape: nested, flat, listed, problem+json, text and HTML. */
export function readErrorBody(text: string): ErrorBody {
  const json = parseJson(text);
  if (json !== undefined) return { ...find(json, maxDepth), body: json };
  if (isHtml(text)) return { code: knownCode.exec(text)?.[0], detail: findInHtml(text), body: text };
  return { code: knownCode.exec(text)?.[0], detail: asDetail(text), body: text };
}
