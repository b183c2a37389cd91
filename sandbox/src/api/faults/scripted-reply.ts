import type { ErrorShape } from '../../base/interface-types.ts';
import { Problem } from '../../domain/problem.ts';
import type { Reply } from '../../domain/records/records.ts';
import { errorReply, jsonReply } from '../reply.ts';
import { type RequestFault, scriptedIdempotencyError } from './fault.ts';

const badGateway: Reply = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
};

function asGiven({ status, headers = {}, body }: Extract<RequestFault, { readonly kind: 'respond' }>): Reply {
  const plain =
    typeof body === 'string' || body === undefined
      ? { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: body ?? '' }
      : jsonReply(status, body);
  return withHeaders(plain, headers);
}

function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...reply, headers: { ...reply.headers, ...Object.fromEntries(own) } };
}

function withRetryAfter(reply: Reply, retryAfter: number | string | undefined): Reply {
  return retryAfter === undefined ? reply : withHeaders(reply, { 'retry-after': String(retryAfter) });
}

/** Returns the reply that a fault sends instead; `undefined` for other kinds of faults. */
export function scriptedReply(fault: RequestFault, shape: ErrorShape): Reply | undefined {
  switch (fault.kind) {
    case 'respond':
      return asGiven(fault);
    case 'bad_gateway':
      return badGateway;
    case 'unavailable': {
      const problem = new Problem(503, 'SERVICE_UNAVAILABLE', 'The service is temporarily unavailable.');
      return withRetryAfter(errorReply(problem, shape), fault.retryAfter);
    }
    case 'rate_limit': {
      const problem = new Problem(429, 'RATE_LIMITED', 'Too many requests.');
      return withRetryAfter(errorReply(problem, shape), fault.retryAfter ?? 1);
    }
    case 'idempotency_error':
      return errorReply(scriptedIdempotencyError(fault.code), shape);
    default:
      return undefined;
  }
}
