import type { ErrorShape } from '../../../resources/service-interface.ts';
import { Problem } from '../../domain/problem.ts';
import type { Reply } from '../../domain/records/reply.ts';
import { jsonReply } from './write-reply.ts';

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

/** Writes errors in each shape. */
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

/** Writes an error. */
export function writeError(problem: Problem, shape: ErrorShape): Reply {
  return writers[shape](problem);
}

/** Returns the reply for an error. A failure of the sandbox itself is a 500, as it would be of the service. */
export function errorReply(error: unknown, shape: ErrorShape): Reply {
  if (error instanceof Problem) return writeError(error, shape);
  return writeError(new Problem(500, 'SANDBOX_FAILURE', `The sandbox failed: ${String(error)}`), shape);
}
