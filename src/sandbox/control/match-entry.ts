import type { Entry, RecordedRequest } from '../stories/entry.ts';
import { textMatcher } from './text-match.ts';

function statusOf({ reply }: RecordedRequest): string {
  return reply === null ? 'none' : `${Math.floor(reply.status / 100)}xx`;
}

function textsOf(request: RecordedRequest): readonly unknown[] {
  const { method, path, operation, operationId, idempotencyKey, requestId, reply, replayed, arrived } =
    request;
  const marks = [replayed ? 'replayed' : '', arrived ? '' : 'lost'];
  return [
    method,
    path,
    operation,
    operationId,
    idempotencyKey,
    requestId,
    String(reply?.status ?? ''),
    ...marks,
  ];
}

/** Returns a predicate for entries by kind, and for requests by status, operation, source and text. */
export function entryMatcher(query: URLSearchParams): (entry: Entry) => boolean {
  const [kind, status, operation, source] = [
    query.get('kind'),
    query.get('status'),
    query.get('operation'),
    query.get('source'),
  ];
  const isOfRequests = Boolean(status || operation || source);
  const holds = textMatcher(query.get('q'));
  return (entry) => {
    if (kind && entry.kind !== kind) return false;
    if (entry.kind !== 'request') return !isOfRequests && holds(entry.kind);
    if (status && statusOf(entry) !== status) return false;
    if (operation && entry.operation !== operation) return false;
    return (!source || entry.source === source) && holds(...textsOf(entry));
  };
}
