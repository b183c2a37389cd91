import type { ErrorShape } from '../base/interface-types.ts';
import { isRecord } from '../base/json.ts';
import { messageOf } from '../base/thrown.ts';
import { LedgerError } from '../domain/ledger-error.ts';
import { Problem } from '../domain/problem.ts';
import type { Reply } from '../domain/records/records.ts';

export function jsonReply(status: number, body: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** An object of the service in a body. */
interface ShownObject {
  readonly id: string;
  /** Its kind. */
  readonly object: string;
  readonly status?: unknown;
}

function isObject(value: unknown): value is ShownObject {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['object'] === 'string';
}

/** Returns the object in a parsed body, in any configured shape; `undefined` without one. */
export function objectIn(body: unknown): ShownObject | undefined {
  return isRecord(body) ? [body, ...Object.values(body)].find(isObject) : undefined;
}

/** The error in a response. A part that it lacks is `undefined`. */
interface ShownError {
  readonly code: string | undefined;
  readonly message: string | undefined;
  /** The wrong field. */
  readonly param: string | undefined;
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the error in a parsed body, in any configured shape of JSON. */
export function errorIn(body: unknown): ShownError {
  const { error, errors } = isRecord(body) ? body : {};
  const fields: unknown = error ?? (Array.isArray(errors) ? errors[0] : body);
  const given = isRecord(fields) ? fields : {};
  const message = textIn(given, 'message') ?? textIn(given, 'detail');
  return { code: textIn(given, 'code'), message, param: textIn(given, 'param') };
}

const statusesWithoutBody = new Set([204, 205, 304]);

/** Creates the response of a reply with additional headers. The reply's own headers have precedence. */
export function toResponse(
  { status, headers, body }: Reply,
  more: Readonly<Record<string, string>>,
): Response {
  return new Response(statusesWithoutBody.has(status) ? null : body, {
    status,
    headers: { ...more, ...headers },
  });
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

function textReply(status: number, type: string, body: string): Reply {
  return { status, headers: { 'content-type': `${type}; charset=utf-8` }, body };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function toPage(text: string): string {
  const safe = escapeHtml(text);
  return `<!doctype html><html><head><title>${safe}</title></head><body><h1>${safe}</h1></body></html>`;
}

/** Returns RFC 9457 problem details, with the code as an extension member. */
function toProblemDetails({ status, code, message, param, details }: Problem): Reply {
  const title = titles[status] ?? 'Error';
  const reply = jsonReply(status, {
    type: 'about:blank',
    title,
    status,
    detail: message,
    code,
    param,
    ...details,
  });
  return { ...reply, headers: { 'content-type': 'application/problem+json' } };
}

const writers: Readonly<Record<ErrorShape, (problem: Problem) => Reply>> = {
  nested: (problem) => jsonReply(problem.status, { error: fieldsOf(problem) }),
  flat: (problem) => jsonReply(problem.status, fieldsOf(problem)),
  list: (problem) => jsonReply(problem.status, { errors: [fieldsOf(problem)] }),
  problem: toProblemDetails,
  text: ({ status, code, message }) => textReply(status, 'text/plain', `${code}: ${message}`),
  html: ({ status, code, message }) => textReply(status, 'text/html', toPage(`${code}: ${message}`)),
};

function fieldsOf({ code, message, param, details }: Problem): object {
  return { code, message, param, ...details };
}

export function writeError(problem: Problem, shape: ErrorShape): Reply {
  return writers[shape](problem);
}

/** Returns the reply for an error. A failure of the sandbox itself is a 500. */
export function errorReply(error: unknown, shape: ErrorShape): Reply {
  if (error instanceof Problem) return writeError(error, shape);
  return writeError(new Problem(500, 'SANDBOX_FAILURE', `The sandbox failed: ${String(error)}`), shape);
}

/** Creates a JSON response. */
export function respond(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

/** A refused argument, or a step that the state does not allow: 400. A `TypeError` or `LedgerError` is a defect: 500. */
function statusOf(error: unknown): number {
  if (error instanceof Problem) return error.status;
  return error instanceof LedgerError || error instanceof TypeError ? 500 : 400;
}

/** Creates the response to a rejected or failed request. Its shape does not depend on the configured error shape. */
export function respondWithError(error: unknown): Response {
  const status = statusOf(error);
  const message = messageOf(error);
  const own = error instanceof Problem ? { code: error.code, param: error.param } : undefined;
  const code = own?.code ?? (status === 500 ? 'SANDBOX_FAILURE' : 'INVALID_PARAMETER');
  return respond({ error: { code, message, param: own?.param } }, status);
}
